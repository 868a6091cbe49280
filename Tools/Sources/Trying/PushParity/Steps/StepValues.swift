public import PushBridgeCore

extension Step {
    /// A registration URI that the server creates, and changes to it.
    public struct Enrol: Codable, Equatable, Sendable {
        /// The credential's name in later steps.
        public var credential: String
        /// The issuer; `Example` by default.
        public var issuer: String?
        /// The account's name; the credential's name by default.
        public var account: String?
        /// The realm (`/` or `/alpha`); `/alpha` by default.
        public var realm: String?
        /// The policies, as JSON text.
        public var policies: String?
        /// The URL of the issuer's logo.
        public var imageURL: String?
        /// The account's background colour.
        public var backgroundColor: String?
        /// The user's id on the server.
        public var userId: String?
        /// The id of the device profile on the server.
        public var resourceId: String?
        /// Values that replace parameters of the code or are added to them; the player escapes these values.
        ///
        /// Null removes a parameter.
        public var parameters: [String: String?]?
        /// Whether binary parameters use standard base64, as on older servers.
        public var standardBase64: Bool?
        /// The kind of one-time password (`totp` or `hotp`).
        ///
        /// If a kind is given, the code is a combined code (`mfauth`).
        public var oath: String?
        /// The credential of an earlier step whose code is used again.
        public var again: String?
        /// The whole text of a code that the server does not know.
        public var text: String?
    }

    /// A lock that the app sets.
    public struct Lock: Codable, Equatable, Sendable {
        /// The credential whose account is locked.
        public var credential: String
        /// The policy that is the reason for the lock.
        public var policy: String
    }

    /// New display names.
    ///
    /// A name that is missing does not change.
    public struct Rename: Codable, Equatable, Sendable {
        /// The credential whose account is renamed.
        public var credential: String
        /// The issuer's display name.
        public var issuer: String?
        /// The account's display name.
        public var account: String?
    }

    /// A legacy store, which has one account or is a file.
    ///
    /// The server knows the devices of the store's accounts.
    public struct Migrate: Codable, Equatable, Sendable {
        /// The name of the credential in later steps.
        public var credential: String
        /// The account's name; the credential's name by default.
        public var account: String?
        /// Whether the secret is in standard base64.
        ///
        /// By default, the secret is in URL-safe base64.
        public var standardBase64: Bool?
        /// The device token in the legacy store; by default, the store has none.
        ///
        /// The server has the same token.
        public var token: String?
        /// The issuer's display name, as the user changed it.
        public var displayIssuer: String?
        /// The name, in later steps, of an unanswered push that arrived before the migration.
        public var push: String?
        /// A file in the scenario's folder.
        ///
        /// The file is used instead of a store with one account.
        ///
        /// The first credential of the file gets the name ``credential``, and the other credentials get this name with
        /// `-2`, `-3` and so on. The servers of all accounts are simulated.
        public var file: String?
    }
}

extension Step {
    /// A push that the server sends, and changes to it.
    public struct Receive: Codable, Equatable, Sendable {
        /// The push's name in later steps.
        public var push: String
        /// The credential that receives the push.
        public var credential: String
        /// The type: `default`, `challenge` or `biometric`.
        public var type: String?
        /// The text that the push shows.
        public var message: String?
        /// The numbers of a challenge.
        ///
        /// The first number is the right one.
        public var numbers: String?
        /// The app-specific payload as JSON text.
        public var customPayload: String?
        /// The origin of the login as JSON text.
        public var contextInfo: String?
        /// The number of seconds for which the login waits; 120 by default.
        public var ttl: Int?
        /// New claims, which replace claims with the same name; the token is then signed again.
        ///
        /// Null removes a claim.
        public var claims: [String: JSONValue]?
        /// New members of `aps`, which replace members with the same name.
        ///
        /// Null removes a member.
        public var aps: [String: JSONValue]?
        /// New members of the payload beside `aps`, which replace members with the same name.
        ///
        /// Null removes a member.
        public var outside: [String: JSONValue]?
        /// Whether the token is signed with a foreign secret.
        public var isForged: Bool?
        /// The name of an earlier push whose message id this push has.
        public var messageIdOf: String?
    }

    /// The kind of answer.
    public enum AnswerKind: String, CaseIterable, Codable, Sendable {
        /// The approval of a push of type `default`.
        case approve
        /// The approval of a push of type `challenge`.
        case challenge
        /// The approval of a push of type `biometric`.
        case biometric
        /// The denial.
        case deny
    }

    /// An answer to a push.
    public struct Answer: Codable, Equatable, Sendable {
        /// The push that is answered.
        public var push: String
        /// The kind of answer.
        public var with: AnswerKind
        /// The selected number; 34 by default.
        public var number: String?
        /// The kind of a second answer that is given before the first answer is complete.
        public var meanwhile: AnswerKind?
    }
}

extension Step {
    /// A device token and the way in which it reaches the client.
    public struct Token: Codable, Equatable, Sendable {
        /// The way in which the token reaches the client.
        public enum Way: String, CaseIterable, Codable, Sendable {
            /// As bytes from the system, at the app's launch.
            case launch
            /// As text from the app, which receives the result.
            case text
        }

        /// The token in lower-case hexadecimal digits, or any other text that the app uses as a token.
        public var hex: String
        /// The way in which the token reaches the client; `launch` by default.
        public var way: Way?
        /// The only credential whose server receives the token; by default, all servers receive it.
        ///
        /// A credential may be named only if the way is `text`.
        public var credential: String?
    }

    /// A fault of requests.
    public struct FaultOrder: Codable, Equatable, Sendable {
        /// The kind of a fault.
        public enum Kind: String, CaseIterable, Codable, Sendable {
            /// The connection breaks before the server handles the request.
            case dropConnection
            /// The connection breaks after the server has handled the request.
            case loseResponse
            /// The server refuses the request with status 400.
            case refusal
            /// The server fails with status 500.
            case serverError
            /// The server accepts the request, but responds with a body that is not JSON.
            case garbageBody
            /// The server redirects to another address.
            case redirect
            /// The server responds late.
            case delay
        }

        /// The kind of fault.
        public var kind: Kind
        /// The number of requests with the fault; 1 by default.
        public var times: Int?
        /// The action of the requests with the fault: `register`, `authenticate` or `refresh`.
        ///
        /// By default, requests with any action have the fault.
        public var action: String?
        /// The credential whose token updates have the fault.
        ///
        /// By default, the requests of all credentials have the fault.
        public var credential: String?
    }

    /// Changes to the state of the device.
    ///
    /// If a member is missing, that part of the state does not change.
    public struct Device: Codable, Equatable, Sendable {
        /// Whether biometric authentication is available.
        public var biometrics: Bool?
        /// The probability that the device was tampered with, from 0 to 1.
        public var tampering: Double?
        /// Whether the device is locked.
        ///
        /// While the device is locked, its store can be neither read nor changed.
        public var isLocked: Bool?
        /// Whether the device fails to recognise its user when an app requests authentication.
        public var refusesFace: Bool?
    }

    /// A list that the app shows.
    public enum List: String, CaseIterable, Codable, Sendable {
        /// All push credentials.
        case credentials
        /// All one-time-password credentials.
        case oathCredentials
        /// All notifications.
        case notifications
        /// All pending notifications.
        case pending
    }
}

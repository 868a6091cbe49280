public import PushBridgeCore

extension Step {
    /// A registration URI of the server, and its changes.
    public struct Enrol: Codable, Equatable, Sendable {
        /// The credential's name in later steps.
        public var credential: String
        /// The issuer; `Example` by default.
        public var issuer: String?
        /// The account's name; the credential's name by default.
        public var account: String?
        /// The realm, `/` or `/alpha`; `/alpha` by default.
        public var realm: String?
        /// The policies as JSON text.
        public var policies: String?
        /// The URL of the issuer's logo.
        public var imageURL: String?
        /// The background colour.
        public var backgroundColor: String?
        /// The user's id at the server.
        public var userId: String?
        /// The device profile's id at the server.
        public var resourceId: String?
        /// Parameters of the code to replace verbatim; null removes a parameter.
        public var parameters: [String: String?]?
        /// Whether binary parameters use standard base64, as on older servers.
        public var standardBase64: Bool?
        /// The kind of one-time password, `totp` or `hotp`; makes the code one of the kind `mfauth`.
        public var oath: String?
        /// Uses the code of an earlier step, named by its credential.
        public var again: String?
        /// The whole code; the server does not know it.
        public var text: String?
    }

    /// A lock that the app sets.
    public struct Lock: Codable, Equatable, Sendable {
        /// The credential.
        public var credential: String
        /// The policy.
        public var policy: String
    }

    /// New names; absent names do not change.
    public struct Rename: Codable, Equatable, Sendable {
        /// The credential.
        public var credential: String
        /// The issuer's display name.
        public var issuer: String?
        /// The account's display name.
        public var account: String?
    }

    /// A legacy store with one account, whose device the server knows.
    public struct Migrate: Codable, Equatable, Sendable {
        /// The credential's name in later steps; also its id.
        public var credential: String
        /// The account's name; the credential's name by default.
        public var account: String?
        /// Whether the secret uses standard base64; url-safe by default.
        public var standardBase64: Bool?
        /// The device token in the legacy store, which the server knows.
        public var token: String?
        /// The issuer's display name, which the user changed.
        public var displayIssuer: String?
        /// The name of an unanswered push from before the migration, for later steps.
        public var push: String?
        /// A file in the scenario's folder, used instead of a store with one account.
        ///
        /// Its first credential gets the step's name, the others the same name with `-2`, `-3` and so on. The servers of its
        /// accounts are simulated.
        public var file: String?
    }
}

extension Step {
    /// A push of the server, and its changes.
    public struct Receive: Codable, Equatable, Sendable {
        /// The push's name in later steps.
        public var push: String
        /// The receiving credential.
        public var credential: String
        /// `default`, `challenge` or `biometric`.
        public var type: String?
        /// The displayed text.
        public var message: String?
        /// The numbers of a challenge; the first one is correct.
        public var numbers: String?
        /// The app-specific payload as JSON text.
        public var customPayload: String?
        /// The origin of the login as JSON text.
        public var contextInfo: String?
        /// The time in seconds that the login waits; 120 by default.
        public var ttl: Int?
        /// Claims to replace before the token is signed again; null removes a claim.
        public var claims: [String: JSONValue]?
        /// Members of `aps` to replace; null removes a member.
        public var aps: [String: JSONValue]?
        /// Members beside `aps`.
        public var outside: [String: JSONValue]?
        /// Whether the token has a foreign signature.
        public var isForged: Bool?
        /// The earlier push whose message id this push has.
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
        /// The push.
        public var push: String
        /// The kind of answer.
        public var with: AnswerKind
        /// The selected number; 34 by default.
        public var number: String?
        /// A second answer before the first one is complete.
        public var meanwhile: AnswerKind?
    }
}

extension Step {
    /// A device token, in hexadecimal.
    public struct Token: Codable, Equatable, Sendable {
        /// The way by which the token reaches the client.
        public enum Way: String, CaseIterable, Codable, Sendable {
            /// As bytes, from the system at the app's launch.
            case launch
            /// As text, from the app, which requires the outcome.
            case text
        }

        /// The token; lower-case hexadecimal digits, or any text that the app uses as a token.
        public var hex: String
        /// The way by which it reaches the client; `launch` by default.
        public var way: Way?
        /// The only credential whose server receives the token, for text only; all servers if absent.
        public var credential: String?
    }

    /// A fault of requests.
    public struct FaultOrder: Codable, Equatable, Sendable {
        /// The kinds of fault.
        public enum Kind: String, CaseIterable, Codable, Sendable {
            /// The connection breaks before the server handles the request.
            case dropConnection
            /// The connection breaks after the server handled the request.
            case loseResponse
            /// The server refuses with 400.
            case refusal
            /// The server fails with 500.
            case serverError
            /// The server accepts with a body that is not JSON.
            case garbageBody
            /// The server redirects elsewhere.
            case redirect
            /// The server responds late.
            case delay
        }

        /// The kind of fault.
        public var kind: Kind
        /// The number of affected requests; 1 by default.
        public var times: Int?
        /// The affected action: `register`, `authenticate` or `refresh`; all by default.
        public var action: String?
        /// The credential whose token updates are affected; all requests by default.
        public var credential: String?
    }

    /// Changes of the device; absent members do not change.
    public struct Device: Codable, Equatable, Sendable {
        /// Whether biometric authentication is available.
        public var biometrics: Bool?
        /// The probability that the device was tampered with, from 0 to 1.
        public var tampering: Double?
        /// Whether the device is locked, so that its store cannot be opened.
        public var isLocked: Bool?
        /// Whether the device does not recognize its user when an app requests authentication.
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
        /// The unanswered notifications.
        case pending
    }
}

public import PushBridgeCore

extension Step {
    /// A registration code of the server, and how it differs from what servers write.
    public struct Enrol: Codable, Equatable, Sendable {
        /// How later steps name the credential.
        public var credential: String
        /// The issuer; `Example` unless told otherwise.
        public var issuer: String?
        /// The account's name; the credential's name unless told otherwise.
        public var account: String?
        /// The realm, `/` or `/alpha`; the latter unless told otherwise.
        public var realm: String?
        /// The policies, JSON text.
        public var policies: String?
        /// Where the issuer's logo is.
        public var imageURL: String?
        /// The background colour.
        public var backgroundColor: String?
        /// The user's id at the server.
        public var userId: String?
        /// The device profile's id at the server.
        public var resourceId: String?
        /// Parameters of the code to replace, verbatim, or to leave out where null.
        public var parameters: [String: String?]?
        /// Whether binary parameters are spelled in standard base64, as older servers do.
        public var standardBase64: Bool?
        /// The code is of the kind `mfauth`, with a one-time password: `totp` or `hotp`.
        public var oath: String?
        /// The code is that of an earlier step, named by its credential.
        public var again: String?
        /// The whole code, which the server then knows nothing of.
        public var text: String?
    }

    /// A lock that the app sets.
    public struct Lock: Codable, Equatable, Sendable {
        /// The credential.
        public var credential: String
        /// The policy.
        public var policy: String
    }

    /// New names; what is absent stays.
    public struct Rename: Codable, Equatable, Sendable {
        /// The credential.
        public var credential: String
        /// The issuer's name to show.
        public var issuer: String?
        /// The account's name to show.
        public var account: String?
    }

    /// A legacy store with one account, whose device the server knows.
    public struct Migrate: Codable, Equatable, Sendable {
        /// How later steps name the credential; also its id.
        public var credential: String
        /// The account's name; the credential's name unless told otherwise.
        public var account: String?
        /// Whether the secret is spelled in standard base64; url-safe unless told so.
        public var standardBase64: Bool?
        /// Whether the legacy store holds a device token, which the server knows.
        public var token: String?
        /// The issuer's name as the user renamed it.
        public var displayIssuer: String?
        /// The name in later steps of a push that arrived before the migration and was not answered.
        public var push: String?
        /// The legacy store in place of the one with one account: the name of a file beside the scenario.
        ///
        /// Its first credential gets the step's name, others the same with `-2`, `-3` and so on. The servers of its
        /// accounts are simulated.
        public var file: String?
    }
}

extension Step {
    /// A push of the server, and how it differs from what servers send.
    public struct Receive: Codable, Equatable, Sendable {
        /// How later steps name the push.
        public var push: String
        /// The credential it is for.
        public var credential: String
        /// `default`, `challenge` or `biometric`.
        public var type: String?
        /// The text to show.
        public var message: String?
        /// The numbers of a challenge; the first is the right one.
        public var numbers: String?
        /// The app's own payload, JSON text.
        public var customPayload: String?
        /// Where the login comes from, JSON text.
        public var contextInfo: String?
        /// How many seconds the login waits; 120 unless told otherwise.
        public var ttl: Int?
        /// Claims to replace, or to leave out where null; the token is signed again.
        public var claims: [String: JSONValue]?
        /// Members of `aps` to replace, or to leave out where null.
        public var aps: [String: JSONValue]?
        /// Members beside `aps`.
        public var outside: [String: JSONValue]?
        /// Whether a stranger signed the token.
        public var isForged: Bool?
        /// The push has the message id of this earlier one.
        public var messageIdOf: String?
    }

    /// How the user answers.
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
        /// How the user answers.
        public var with: AnswerKind
        /// The number chosen; 34 unless told otherwise.
        public var number: String?
        /// A second answer, given while the first one is on its way.
        public var meanwhile: AnswerKind?
    }
}

extension Step {
    /// A device token, in hexadecimal.
    public struct Token: Codable, Equatable, Sendable {
        /// How the token reaches the client.
        public enum Way: String, CaseIterable, Codable, Sendable {
            /// As bytes, from the system at the app's launch.
            case launch
            /// As text, from the app, which wants to know the outcome.
            case text
        }

        /// The token; lower-case hexadecimal digits, or any text that the app uses as a token.
        public var hex: String
        /// How it reaches the client; at launch unless told otherwise.
        public var way: Way?
        /// Only the server of this credential receives it, all of them unless set; for text only.
        public var credential: String?
    }

    /// What goes wrong with requests.
    public struct FaultOrder: Codable, Equatable, Sendable {
        /// The kinds of fault.
        public enum Kind: String, CaseIterable, Codable, Sendable {
            /// The connection breaks before the server handled the request.
            case dropConnection
            /// The connection breaks after it.
            case loseResponse
            /// The server refuses with 400.
            case refusal
            /// The server fails with 500.
            case serverError
            /// The server accepts with a body that is not JSON.
            case garbageBody
            /// The server redirects elsewhere.
            case redirect
            /// The server takes its time.
            case delay
        }

        /// What goes wrong.
        public var kind: Kind
        /// With how many requests; 1 unless told otherwise.
        public var times: Int?
        /// Only with requests that `register`, `authenticate` or `refresh`.
        public var action: String?
        /// Only with token updates of this credential.
        public var credential: String?
    }

    /// What changes about the device; what is absent stays.
    public struct Device: Codable, Equatable, Sendable {
        /// Whether biometric authentication is available.
        public var biometrics: Bool?
        /// How likely the device was tampered with, from 0 to 1.
        public var tampering: Double?
        /// Whether the device is locked, so that its store cannot be opened.
        public var isLocked: Bool?
        /// Whether the device does not recognise its user, when an app asks for the face.
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
        /// The notifications that are not answered.
        case pending
    }
}

public import PushBridgeCore

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

        /// Creates a push as servers send it; everything optional is set afterwards.
        public init(_ push: String, to credential: String) {
            self.push = push
            self.credential = credential
        }
    }

    /// A payload that no server sent.
    public struct ReceiveRaw: Codable, Equatable, Sendable {
        /// The whole payload.
        public var payload: JSONValue
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

        /// Creates an answer.
        public init(_ push: String, with kind: AnswerKind) {
            self.push = push
            with = kind
        }
    }
}

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

        /// The token; lower-case hexadecimal digits, or whatever the app takes for a token.
        public var hex: String
        /// How it reaches the client; at launch unless told otherwise.
        public var way: Way?
        /// Only the server of this credential is told, of all unless told otherwise; for text only.
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

    /// Time that passes.
    public struct Advance: Codable, Equatable, Sendable {
        /// How much.
        public var seconds: Double
    }

    /// What changes about the device; what is absent stays.
    public struct Device: Codable, Equatable, Sendable {
        /// Whether biometric authentication is available.
        public var biometrics: Bool?
        /// How likely the device was tampered with, from 0 to 1.
        public var tampering: Double?

        /// Creates no change; what changes is set afterwards.
        public init() {}
    }

    /// What the app shows.
    public struct List: Codable, Equatable, Sendable {
        /// The lists there are.
        public enum Content: String, CaseIterable, Codable, Sendable {
            /// All push credentials.
            case credentials
            /// All one-time-password credentials.
            case oathCredentials
            /// All notifications.
            case notifications
            /// The notifications that are not answered.
            case pending
        }

        /// Which list.
        public var what: Content
    }
}

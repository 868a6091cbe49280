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

        /// Creates a code as servers write it; everything optional is set afterwards.
        public init(_ credential: String) {
            self.credential = credential
        }
    }

    /// A lock that the app sets by itself.
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
        /// How later steps name a push that came before the migration and was not answered.
        public var push: String?

        /// Creates a store; everything optional is set afterwards.
        public init(_ credential: String) {
            self.credential = credential
        }
    }
}

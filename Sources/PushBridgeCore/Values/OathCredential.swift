public import Foundation

/// A one-time-password credential.
public struct OathCredential: AccountBound, Codable, Equatable, Identifiable, Sendable {
    /// The credential's id.
    public let id: String
    /// The account of the credential.
    public var account: AccountProfile
    /// The user's id at the server, if the server sent it.
    public var userId: String?
    /// The device profile's id at the server, if the server sent it.
    public var resourceId: String?
    /// The generator of the one-time passwords, with the shared secret, the hash function and the number of digits.
    package private(set) var password: OneTimePassword
    /// The kind of one-time passwords: time-based or counter-based.
    public private(set) var oathType: OathType
    /// The time in seconds for which a one-time password is valid; ignored for HOTP.
    public package(set) var period: Int
    /// The counter of the next one-time password; ignored for TOTP.
    public var counter: Int
    /// The secret's text; `nil` if the text is the canonical spelling of the secret.
    private var secretText: SharedSecret?
    /// The date when the credential was enrolled.
    public let createdAt: Date
    /// The details that only the legacy model has; `nil` if the credential has none.
    package var legacy: LegacyDetails?
    /// The credential's own lock and policies; `nil` if those of its account apply.
    ///
    /// An app can save a credential unlocked, or with different policies, while the account keeps its lock.
    package var ownLock: AccountLock?

    /// Creates a credential from the required values; set the optional properties afterwards.
    package init(
        id: String,
        account: AccountProfile,
        password: OneTimePassword,
        movingFactor: OathMovingFactor,
        createdAt: Date
    ) {
        self.id = id
        self.account = account
        self.password = password
        self.createdAt = createdAt
        oathType = movingFactor.type
        (period, counter) = (Self.standardPeriod, 0)
        secretText = nil
        self.movingFactor = movingFactor
    }

    /// Creates a credential from the text of its secret, which is not validated, as in the successor SDK.
    ///
    /// If the text is not base32, the credential cannot make one-time passwords.
    package init(
        id: String,
        account: AccountProfile,
        type: OathType,
        secretText: String,
        algorithm: OathAlgorithm,
        digits: Int,
        createdAt: Date
    ) {
        self.id = id
        self.account = account
        self.createdAt = createdAt
        password = OneTimePassword(unchecked: .unusable, algorithm: algorithm, digits: digits)
        oathType = type
        (period, counter) = (Self.standardPeriod, 0)
        self.secretText = nil
        setSecret(secretText)
    }

    /// The default period, in seconds.
    package static let standardPeriod = 30

    /// The moving factor of the one-time passwords: time or a counter.
    public var movingFactor: OathMovingFactor {
        get { oathType == .totp ? .time(period: period) : .counter(counter) }
        set {
            oathType = newValue.type
            switch newValue {
            case .time(let period): self.period = period
            case .counter(let counter): self.counter = counter
            }
        }
    }
    /// The hash function.
    public var oathAlgorithm: OathAlgorithm { password.algorithm }
    /// The number of digits of a one-time password.
    public var digits: Int { password.digits }

    /// Sets the secret from its text; if the text is not base32, the credential can make no one-time passwords.
    package mutating func setSecret(_ text: String) {
        let secret = SharedSecret(base32: text) ?? .unusable
        password = OneTimePassword(unchecked: secret, algorithm: oathAlgorithm, digits: digits)
        secretText = SharedSecret(utf8: text)?.unless(spelled: secret.base32Spelling)
    }

    /// Whether there is a secret, even if it cannot make one-time passwords.
    package var hasSecret: Bool { password.secret.isUsable || secretText != nil }

    /// Copies the secret of another credential.
    package mutating func takeSecret(of other: OathCredential) {
        password = OneTimePassword(
            unchecked: other.password.secret,
            algorithm: oathAlgorithm,
            digits: digits
        )
        secretText = other.secretText
    }

    /// Calls `body` with the secret's text as it is stored: in the original spelling or in canonical base32.
    package func withSecret<Value>(_ body: (String) throws -> Value) rethrows -> Value {
        if let secretText { try secretText.withUTF8(body) } else { try password.secret.withBase32(body) }
    }
}

extension OathCredential: CustomStringConvertible, CustomReflectable {}

/// The kinds of one-time password.
public enum OathType: String, CaseIterable, Codable, Sendable {
    /// Time-based, RFC 6238.
    case totp
    /// Counter-based, RFC 4226.
    case hotp

    /// Decodes a kind, whose name may be in upper or lower case.
    ///
    /// - Throws: `DecodingError` if the name is unknown.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let known = OathType(rawValue: try container.decode(String.self).lowercased()) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "The kind is neither totp nor hotp."
            )
        }
        self = known
    }
}

/// The value that changes with each one-time password.
public enum OathMovingFactor: Equatable, Sendable {
    /// TOTP; the period is in seconds.
    case time(period: Int)
    /// HOTP; the associated value is the counter of the next one-time password.
    case counter(Int)

    /// The kind of one-time password.
    public var type: OathType {
        switch self {
        case .time: .totp
        case .counter: .hotp
        }
    }
}

// MARK: - Stored form

extension OathCredential: StoredRecord {
    package static var recordKind: RecordKind { .oath }
    package var recordIndex: RecordIndex {
        RecordIndex(id: id, owner: account.key.recordID, date: createdAt)
    }

    /// Decodes the stored form: the successor SDK's JSON, with this package's own values under one additional key.
    ///
    /// A keychain stores the secret separately, so the form may lack it. Without a secret, the credential
    /// cannot make one-time passwords.
    /// - Throws: `DecodingError` if a required member is missing, or if a member is invalid.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let extras = try members.decodeIfPresent(Extras.self, forKey: .pushBridge)
        let type = try members.decode(OathType.self, forKey: .oathType)
        let secret =
            try members.decodeIfPresent(String.self, forKey: .secret)
            ?? members.decodeIfPresent(String.self, forKey: .secretKey)
        self.init(
            id: try members.decode(String.self, forKey: .id),
            account: try AccountMembers(from: decoder).account,
            type: type,
            secretText: try secret ?? members.decodeIfPresent(String.self, forKey: .sharedSecret) ?? "",
            algorithm: try members.decode(OathAlgorithm.self, forKey: .oathAlgorithm),
            digits: try members.decode(Int.self, forKey: .digits),
            createdAt: try members.decode(StoredDate.self, forKey: .createdAt).date(with: extras?.createdAt)
        )
        // The member for the credential's kind is required: the period or the counter.
        period =
            try members.decodeIfPresent(Int.self, forKey: .period)
            ?? (type == .hotp ? Self.standardPeriod : members.decode(Int.self, forKey: .period))
        counter =
            try members.decodeIfPresent(Int.self, forKey: .counter)
            ?? (type == .totp ? 0 : members.decode(Int.self, forKey: .counter))
        userId = try members.decodeIfPresent(String.self, forKey: .userId)
        resourceId = try members.decodeIfPresent(String.self, forKey: .resourceId)
        legacy = extras?.legacy
        ownLock = extras?.ownLock
    }

    /// Encodes the form without the secret, as the successor SDK does, because apps show and log this JSON.
    ///
    /// A store's own coder also encodes the secret, because the store seals the form. An app's own storage
    /// encodes ``WithSecret`` instead.
    ///
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        try encode(to: encoder, encoder.isStoresOwn ? .whole : .none)
    }

    /// The stored form of a credential with its secret in plain text; the storage must protect it.
    ///
    /// The JSON of ``OathCredential`` itself contains no secret.
    public struct WithSecret: Codable, Equatable, Sendable {
        /// The credential.
        public let credential: OathCredential

        /// Creates the stored form of a credential.
        /// - Parameter credential: The credential.
        public init(_ credential: OathCredential) {
            self.credential = credential
        }

        /// Decodes a credential with its secret.
        /// - Parameter decoder: The decoder.
        /// - Throws: `DecodingError` if the form is not that of a credential, or contains no secret.
        public init(from decoder: any Decoder) throws {
            credential = try OathCredential(from: decoder)
            guard credential.hasSecret else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "The secret is missing.")
                )
            }
        }

        /// Encodes the form with the secret.
        /// - Parameter encoder: The encoder.
        /// - Throws: The encoder's error.
        public func encode(to encoder: any Encoder) throws {
            try credential.encode(to: encoder, .whole)
        }
    }

    /// The form for a store that saves the secret separately.
    ///
    /// The form can contain the legacy record's spelling of the secret, so the store protects the form like
    /// the secret.
    package struct BesideSecret: Encodable {
        private let credential: OathCredential

        package init(_ credential: OathCredential) {
            self.credential = credential
        }

        package func encode(to encoder: any Encoder) throws {
            try credential.encode(to: encoder, .spelling)
        }
    }

    /// The part of the secret in a form: nothing, only a spelling that is not canonical, or the whole secret.
    private enum SecretPart {
        case none, spelling, whole
    }

    private func encode(to encoder: any Encoder, _ part: SecretPart) throws {
        try AccountMembers(account).encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encodeIfPresent(userId, forKey: .userId)
        try members.encodeIfPresent(resourceId, forKey: .resourceId)
        try members.encode(oathType.rawValue, forKey: .oathType)
        try members.encode(oathAlgorithm.rawValue, forKey: .oathAlgorithm)
        try members.encode(digits, forKey: .digits)
        try members.encode(period, forKey: .period)
        try members.encode(counter, forKey: .counter)
        if part == .whole { try members.encode(self.withSecret { $0 }, forKey: .secret) }
        // The successor SDK encodes this date as a `Date`; in its other records, dates are text.
        try members.encode(createdAt, forKey: .createdAt)
        var legacy = legacy
        if part == .none { legacy?.secretSpelling = nil }
        guard legacy != nil || ownLock != nil else { return }
        try members.encode(Extras(createdAt: nil, legacy: legacy, ownLock: ownLock), forKey: .pushBridge)
    }

    /// The members of the stored form; names and numbers must not change.
    package enum CodingKeys: Int, CodingKey, CaseIterable {
        case id = 1
        case userId, resourceId, oathType, oathAlgorithm, digits, period, counter, secret, sharedSecret
        case createdAt, pushBridge, secretKey
    }

    private struct Extras: Codable {
        /// The exact date, if the form's own date is text in whole seconds.
        let createdAt: Double?
        let legacy: LegacyDetails?
        let ownLock: AccountLock?

        private enum CodingKeys: Int, CodingKey {
            case createdAt = 1
            case legacy, ownLock
        }
    }
}

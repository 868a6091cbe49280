public import Foundation

/// A one-time-password credential.
public struct OathCredential: AccountBound, Equatable, Identifiable, Sendable {
    /// The credential's id.
    public let id: String
    /// The account the credential belongs to.
    public var account: AccountProfile
    /// The user's id at the server, if the server told it.
    public var userId: String?
    /// The device profile's id at the server, if the server told it.
    public var resourceId: String?
    /// How codes are made: key, hash function and length.
    public let password: OneTimePassword
    /// What moves the code on: time or a counter.
    public var movingFactor: OathMovingFactor
    /// When the credential was enrolled.
    public let createdAt: Date
    /// What only the legacy model knows; `nil` for credentials enrolled through the new API.
    public var legacy: LegacyDetails?

    /// Creates a credential; everything optional is set afterwards.
    public init(
        id: String,
        account: AccountProfile,
        password: OneTimePassword,
        movingFactor: OathMovingFactor,
        createdAt: Date
    ) {
        self.id = id
        self.account = account
        self.password = password
        self.movingFactor = movingFactor
        self.createdAt = createdAt
    }

    /// Whether codes follow time or a counter.
    public var oathType: OathType { movingFactor.type }
    /// The hash function.
    public var oathAlgorithm: OathAlgorithm { password.algorithm }
    /// The length of a code.
    public var digits: Int { password.digits }
    /// Seconds per code; 0 for HOTP.
    public var period: Int {
        if case .time(let period) = movingFactor { period } else { 0 }
    }
    /// The next counter; 0 for TOTP.
    public var counter: Int {
        if case .counter(let counter) = movingFactor { counter } else { 0 }
    }
}

/// The kinds of one-time password.
public enum OathType: String, CaseIterable, Sendable {
    /// Time-based, RFC 6238.
    case totp
    /// Counter-based, RFC 4226.
    case hotp
}

/// What moves a one-time password on.
public enum OathMovingFactor: Equatable, Sendable {
    /// TOTP with a period in seconds.
    case time(period: Int)
    /// HOTP with the counter of the next code.
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

    /// Reads the form: the successor SDK's JSON and, under one more key, what only we know.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let extras = try members.decodeIfPresent(Extras.self, forKey: .pushBridge)
        let type = try members.decode(String.self, forKey: .oathType)
        let movingFactor: OathMovingFactor? =
            switch OathType(rawValue: type.lowercased()) {
            case .totp: .time(period: try members.decode(Int.self, forKey: .period))
            case .hotp: .counter(try members.decode(Int.self, forKey: .counter))
            case nil: nil
            }
        let algorithm = OathAlgorithm(name: try members.decode(String.self, forKey: .oathAlgorithm))
        let secret = try members.decodeIfPresent(String.self, forKey: .secret)
        let key = SharedSecret(
            base32: try secret ?? members.decode(String.self, forKey: .sharedSecret)
        )
        guard let movingFactor, let algorithm, let key else {
            throw DecodingError.dataCorruptedError(
                forKey: movingFactor == nil ? .oathType : algorithm == nil ? .oathAlgorithm : .secret,
                in: members,
                debugDescription: "Invalid."
            )
        }
        self.init(
            id: try members.decode(String.self, forKey: .id),
            account: try AccountMembers(from: decoder).account,
            password: try OneTimePassword(
                secret: key,
                algorithm: algorithm,
                digits: try members.decode(Int.self, forKey: .digits)
            ),
            movingFactor: movingFactor,
            createdAt: try members.decode(StoredDate.self, forKey: .createdAt).date(with: extras?.createdAt)
        )
        userId = try members.decodeIfPresent(String.self, forKey: .userId)
        resourceId = try members.decodeIfPresent(String.self, forKey: .resourceId)
        legacy = extras?.legacy
    }

    /// Writes the form, the secret included: a storage needs it.
    public func encode(to encoder: any Encoder) throws {
        try AccountMembers(account).encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        let date = StoredDate(createdAt)
        try members.encode(id, forKey: .id)
        try members.encodeIfPresent(userId, forKey: .userId)
        try members.encodeIfPresent(resourceId, forKey: .resourceId)
        try members.encode(oathType.rawValue, forKey: .oathType)
        try members.encode(oathAlgorithm.rawValue.uppercased(), forKey: .oathAlgorithm)
        try members.encode(digits, forKey: .digits)
        switch movingFactor {
        case .time(let period): try members.encode(period, forKey: .period)
        case .counter(let counter): try members.encode(counter, forKey: .counter)
        }
        try members.encode(password.secret.withBase32 { $0 }, forKey: .secret)
        try members.encode(date, forKey: .createdAt)
        let extras = Extras(createdAt: encoder.keepsExactDates ? nil : date.remainder, legacy: legacy)
        try members.encode(extras, forKey: .pushBridge)
    }

    private enum CodingKeys: Int, CodingKey {
        case id = 1
        case userId, resourceId, oathType, oathAlgorithm, digits, period, counter, secret, sharedSecret
        case createdAt, pushBridge
    }

    private struct Extras: Codable {
        let createdAt: Double?
        let legacy: LegacyDetails?

        private enum CodingKeys: Int, CodingKey {
            case createdAt = 1
            case legacy
        }
    }
}

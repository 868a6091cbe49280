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

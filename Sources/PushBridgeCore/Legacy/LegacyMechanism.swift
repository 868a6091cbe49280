public import Foundation

/// A push or one-time-password mechanism as the legacy SDK stores it, values unchecked.
public struct LegacyMechanism: Equatable, Sendable {
    /// The mechanism's id, under which the server knows a push device.
    public let mechanismUUID: String
    /// The account it belongs to.
    public let account: AccountKey
    /// The text of the secret as it stood in the QR code: base64 for push, base32 for one-time passwords.
    public let secret: SharedSecret
    /// When the mechanism was added.
    public let timeAdded: Date
    /// What kind of mechanism it is.
    public let factor: LegacyFactor
    /// The format version; `nil` if the record had none.
    public var version: Int?
    /// The user's id at the server.
    public var uid: String?
    /// The device profile's id at the server.
    public var resourceId: String?

    /// Creates a mechanism; everything optional is set afterwards.
    public init(
        mechanismUUID: String,
        account: AccountKey,
        secret: SharedSecret,
        timeAdded: Date,
        factor: LegacyFactor
    ) {
        self.mechanismUUID = mechanismUUID
        self.account = account
        self.secret = secret
        self.timeAdded = timeAdded
        self.factor = factor
    }

    /// The legacy key, `{issuer}-{accountName}-{push|totp|hotp}`.
    public var identifier: String { "\(account.legacyIdentifier)-\(kind.rawValue)" }

    /// The kind of record.
    public var kind: LegacyRecordKind {
        switch factor {
        case .push: .push
        case .totp: .totp
        case .hotp: .hotp
        }
    }
}

/// The parts of a legacy mechanism that depend on its kind.
public enum LegacyFactor: Equatable, Sendable {
    /// Push authentication.
    case push(LegacyPushParameters)
    /// Time-based codes with a period in seconds.
    case totp(LegacyOathParameters, period: Int)
    /// Counter-based codes with the counter of the next code.
    case hotp(LegacyOathParameters, counter: Int)
}

/// What a legacy push mechanism adds.
public struct LegacyPushParameters: Equatable, Sendable {
    /// Where registration answers went.
    public let registrationEndpoint: String
    /// Where login answers go.
    public let authenticationEndpoint: String
    /// What was left of the registration.
    public let registration: LegacyRegistration
    /// Whether the addresses were made of the server's, because the record knows no other.
    public var knowsServerOnly = false

    /// Creates parameters.
    public init(
        registrationEndpoint: String,
        authenticationEndpoint: String,
        registration: LegacyRegistration
    ) {
        self.registrationEndpoint = registrationEndpoint
        self.authenticationEndpoint = authenticationEndpoint
        self.registration = registration
    }
}

/// What both kinds of legacy one-time-password mechanism add.
public struct LegacyOathParameters: Equatable, Sendable {
    /// The hash function's name, in any case; may be one that the core does not know.
    public let algorithm: String
    /// The length of a code.
    public let digits: Int

    /// Creates parameters.
    public init(algorithm: String, digits: Int) {
        self.algorithm = algorithm
        self.digits = digits
    }
}

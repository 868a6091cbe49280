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
    public var factor: LegacyFactor
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
    public var digits: Int

    /// Creates parameters.
    public init(algorithm: String, digits: Int) {
        self.algorithm = algorithm
        self.digits = digits
    }
}

/// What the legacy model knows of a credential and the new one has no field for.
///
/// Kept beside the credential, so that a legacy object can be made from it again without loss.
public struct LegacyDetails: Codable, Equatable, Sendable {
    /// The mechanism's format version; `nil` if the legacy record had none.
    public var version: Int?
    /// The secret as the legacy record spelled it, where re-encoding would spell it otherwise.
    public var secretSpelling: SharedSecret?
    /// What was left of the registration; push only.
    ///
    /// `nil` where the source knew nothing but the server's address, from which the others were made.
    public var registration: LegacyRegistration?

    /// Creates details.
    public init(
        version: Int? = nil,
        secretSpelling: SharedSecret? = nil,
        registration: LegacyRegistration? = nil
    ) {
        self.version = version
        self.secretSpelling = secretSpelling
        self.registration = registration
    }

    /// Reads the details from the form of a credential.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        version = try members.decodeIfPresent(Int.self, forKey: .version)
        secretSpelling = try members.decodeIfPresent(SecretText.self, forKey: .secretSpelling)?.secret
        registration = try members.decodeIfPresent(LegacyRegistration.self, forKey: .registration)
    }

    /// Writes the details into the form of a credential.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(version, forKey: .version)
        try members.encodeIfPresent(secretSpelling.map(SecretText.init), forKey: .secretSpelling)
        try members.encodeIfPresent(registration, forKey: .registration)
    }

    private enum CodingKeys: Int, CodingKey {
        case version = 1
        case secretSpelling, registration
    }
}

/// The registration that made a push mechanism.
public struct LegacyRegistration: Codable, Equatable, Sendable {
    /// The registration's message id.
    public var messageId: String?
    /// The registration's challenge, as text.
    public var challenge: SharedSecret?
    /// The load balancer's cookie pair `name=value`; empty and absent are different.
    public var loadBalancer: String?

    /// Creates a registration.
    public init(messageId: String?, challenge: SharedSecret?, loadBalancer: String?) {
        self.messageId = messageId
        self.challenge = challenge
        self.loadBalancer = loadBalancer
    }

    /// Reads the registration from the form of a credential.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        messageId = try members.decodeIfPresent(String.self, forKey: .messageId)
        challenge = try members.decodeIfPresent(SecretText.self, forKey: .challenge)?.secret
        loadBalancer = try members.decodeIfPresent(String.self, forKey: .loadBalancer)
    }

    /// Writes the registration into the form of a credential.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(messageId, forKey: .messageId)
        try members.encodeIfPresent(challenge.map(SecretText.init), forKey: .challenge)
        try members.encodeIfPresent(loadBalancer, forKey: .loadBalancer)
    }

    private enum CodingKeys: Int, CodingKey {
        case messageId = 1
        case challenge, loadBalancer
    }
}

/// A secret that is text, as a stored form holds it.
private struct SecretText: Codable {
    let secret: SharedSecret

    init(_ secret: SharedSecret) {
        self.secret = secret
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let secret = SharedSecret(utf8: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Empty.")
        }
        self.secret = secret
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(secret.withUTF8 { $0 })
    }
}

extension LegacyMechanism {
    var bareProfile: AccountProfile { AccountProfile(account) }
}

extension LegacyRegistration {
    /// The registration of a credential that the legacy SDK never saw.
    static let none = LegacyRegistration(messageId: nil, challenge: nil, loadBalancer: nil)
}

extension SharedSecret {
    /// This spelling, or `nil` if it is the canonical one, which needs no keeping.
    func unless(spelled canonical: SharedSecret) -> SharedSecret? {
        self == canonical ? nil : self
    }
}

/// Why a legacy record that could be read does not become a credential.
public struct ConversionError: Error, Equatable, Sendable {
    /// What to do about it.
    public enum Code: Sendable {
        /// A required value is invalid.
        case damaged
        /// The record is sound, and the new model has no place for it.
        case unsupported
    }

    /// What to do about it.
    public let code: Code
    /// One sentence for a human; never holds a secret.
    public let reason: String

    static func damaged(_ reason: String) -> ConversionError { .init(code: .damaged, reason: reason) }
    static func unsupported(_ reason: String) -> ConversionError { .init(code: .unsupported, reason: reason) }
}

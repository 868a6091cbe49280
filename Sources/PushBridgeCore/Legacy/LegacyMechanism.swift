package import Foundation

/// A push or one-time-password mechanism as the legacy SDK stores it; its values are not validated.
package struct LegacyMechanism: Equatable, Sendable {
    /// The mechanism's id.
    ///
    /// The server identifies a push device by this id.
    package let mechanismUUID: String
    /// The account of the mechanism.
    package let account: AccountKey
    /// The text of the secret as in the QR code: base64 for push, base32 for one-time passwords.
    package var secret: SharedSecret
    /// The date when the mechanism was added.
    package let timeAdded: Date
    /// The kind of mechanism.
    package var factor: LegacyFactor
    /// The format version; `nil` if the record had no version.
    package var version: Int?
    /// The user's id at the server.
    package var uid: String?
    /// The device profile's id at the server.
    package var resourceId: String?

    /// Creates a mechanism; optional properties are set afterwards.
    package init(
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
    package var identifier: String { "\(account.legacyIdentifier)-\(kind.rawValue)" }

    /// The kind of record.
    package var kind: LegacyRecordKind {
        switch factor {
        case .push: .push
        case .totp: .totp
        case .hotp: .hotp
        }
    }
}

/// The parts of a legacy mechanism that depend on its kind.
package enum LegacyFactor: Equatable, Sendable {
    /// Push authentication.
    case push(LegacyPushParameters)
    /// Time-based one-time passwords; the period is in seconds.
    case totp(LegacyOathParameters, period: Int)
    /// Counter-based one-time passwords; `counter` is the counter of the next one.
    case hotp(LegacyOathParameters, counter: Int)
}

/// The fields that only a legacy push mechanism has.
package struct LegacyPushParameters: Equatable, Sendable {
    /// The address to which the device sends its registration.
    package let registrationEndpoint: String
    /// The address to which the device sends answers to pushes.
    package let authenticationEndpoint: String
    /// The registration's message id, challenge and load balancer; `nil` if the record contains only the server's
    /// address, from which both endpoints were made.
    package let registration: LegacyRegistration?
    /// The server's address, the only address in a record of the successor SDK; `nil` in legacy records.
    package let server: String?

    /// Creates parameters from the values of a record, without validation.
    package init(
        registrationEndpoint: String,
        authenticationEndpoint: String,
        registration: LegacyRegistration?,
        server: String? = nil
    ) {
        self.registrationEndpoint = registrationEndpoint
        self.authenticationEndpoint = authenticationEndpoint
        self.registration = registration
        self.server = server
    }
}

/// The fields that both kinds of legacy one-time-password mechanisms have.
package struct LegacyOathParameters: Equatable, Sendable {
    /// The name of the hash function, in upper or lower case; the hash function may be unsupported.
    package let algorithm: String
    /// The number of digits of a one-time password.
    package var digits: Int

    /// Creates parameters from the values of a record, without validation.
    package init(algorithm: String, digits: Int) {
        self.algorithm = algorithm
        self.digits = digits
    }
}

/// The fields of a legacy credential for which the successor SDK has none.
///
/// The fields are stored with the credential, so that the legacy object can be recreated without loss.
package struct LegacyDetails: Codable, Equatable, Sendable {
    /// The mechanism's format version; `nil` if the legacy record had no version.
    package var version: Int?
    /// The secret as the legacy record spelled it; `nil` if re-encoding produces the same spelling.
    @SecretText package var secretSpelling: SharedSecret?
    /// The registration's message id, challenge and load balancer, for push credentials only.
    ///
    /// `nil` if the source contained only the server's address, from which the endpoints were made.
    package var registration: LegacyRegistration?

    /// Creates details; by default, no field is set.
    package init(
        version: Int? = nil,
        secretSpelling: SharedSecret? = nil,
        registration: LegacyRegistration? = nil
    ) {
        self.version = version
        self.secretSpelling = secretSpelling
        self.registration = registration
    }

    private enum CodingKeys: Int, CodingKey {
        case version = 1
        case secretSpelling, registration
    }
}

/// A secret that is encoded as text; an absent secret is left out.
@propertyWrapper package struct SecretText: Codable, Equatable, Sendable {
    /// The secret.
    package var wrappedValue: SharedSecret?

    /// Wraps a secret.
    package init(wrappedValue: SharedSecret?) {
        self.wrappedValue = wrappedValue
    }

    /// Decodes the text.
    package init(from decoder: any Decoder) throws {
        wrappedValue = SharedSecret(utf8: try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the text.
    ///
    /// - Throws: The encoder's error.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue?.withUTF8 { $0 })
    }
}

extension KeyedDecodingContainer {
    func decode(_ type: SecretText.Type, forKey key: Key) throws -> SecretText {
        try decodeIfPresent(type, forKey: key) ?? SecretText(wrappedValue: nil)
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ text: SecretText, forKey key: Key) throws {
        try encodeIfPresent(text.wrappedValue.map { $0.withUTF8 { $0 } }, forKey: key)
    }
}

extension LegacyMechanism {
    var bareProfile: AccountProfile { AccountProfile(account) }
}

extension SharedSecret {
    /// Returns this spelling of a secret; `nil` if it is the canonical spelling, which need not be stored.
    func unless(spelled canonical: SharedSecret) -> SharedSecret? {
        self == canonical ? nil : self
    }
}

public import Foundation
public import PushBridgeCore

extension OathCredential {
    /// Creates a credential from the fields of the successor SDK's storages.
    ///
    /// The values are not validated. A credential cannot generate one-time passwords if its secret is not base32 or if
    /// its number of digits is not 1...9.
    /// - Parameters:
    ///   - id: The credential's id.
    ///   - userId: The user's id at the server.
    ///   - resourceId: The device profile's id at the server.
    ///   - issuer: The organisation that issued the credential.
    ///   - displayIssuer: The issuer's name to show; `nil` means `issuer`.
    ///   - accountName: The user's name at the issuer.
    ///   - displayAccountName: The account's name to show; `nil` means `accountName`.
    ///   - oathType: Whether one-time passwords depend on the time or on a counter.
    ///   - oathAlgorithm: The hash function.
    ///   - digits: The number of digits of a one-time password.
    ///   - period: The validity of a one-time password in seconds; has no effect for HOTP.
    ///   - counter: The counter of the next one-time password; has no effect for TOTP.
    ///   - createdAt: The date when the device was enrolled.
    ///   - imageURL: The URL of the issuer's logo.
    ///   - backgroundColor: The background colour.
    ///   - policies: The policies that the server attached, as JSON.
    ///   - lockingPolicy: The policy that locked the credential.
    ///   - isLocked: Whether the credential is locked.
    ///   - secretKey: The key in base32.
    public init(
        id: String = UUID().uuidString,
        userId: String? = nil,
        resourceId: String? = nil,
        issuer: String,
        displayIssuer: String? = nil,
        accountName: String,
        displayAccountName: String? = nil,
        oathType: OathType,
        oathAlgorithm: OathAlgorithm = .sha1,
        digits: Int = 6,
        period: Int = 30,
        counter: Int = 0,
        createdAt: Date = Date(),
        imageURL: String? = nil,
        backgroundColor: String? = nil,
        policies: String? = nil,
        lockingPolicy: String? = nil,
        isLocked: Bool = false,
        secretKey: String
    ) {
        var account = AccountProfile(issuer: issuer, accountName: accountName)
        account.name(displayIssuer, displayAccountName)
        account.imageURL = imageURL
        account.backgroundColor = backgroundColor
        account.policies = policies
        account.lockingPolicy = lockingPolicy
        account.isLocked = isLocked
        self.init(
            id: id,
            account: account,
            type: oathType,
            secretText: secretKey,
            algorithm: oathAlgorithm,
            digits: digits,
            createdAt: createdAt
        )
        self.userId = userId
        self.resourceId = resourceId
        self.period = period
        self.counter = counter
    }

    /// The name of ``oathAlgorithm``.
    public var algorithm: String { oathAlgorithm.rawValue }
    /// The name of ``oathType``.
    public var type: String { oathType.rawValue }

    /// Parses a registration URI into a credential with a new id, without storing the credential.
    ///
    /// Use ``OathClient/addCredentialFromUri(_:)`` to enrol.
    /// - Parameter uri: The registration URI.
    /// - Returns: The credential.
    /// - Throws: ``OathError/invalidUri(_:)`` and similar errors for an invalid registration URI.
    public static func fromUri(_ uri: String) async throws -> OathCredential {
        try OathRegistration(oathURI: uri).credential(id: UUID().uuidString, createdAt: Date())
    }

    /// Returns the credential as an `otpauth` URI, which contains the secret.
    /// - Returns: The registration URI.
    /// - Throws: ``OathError/uriFormatting(_:)`` for a credential that a registration URI cannot represent.
    public func toUri() async throws -> String {
        guard password.secret.isUsable else { throw OathError.uriFormatting("The secret is not base32.") }
        var registration = OathRegistration(
            account: account.scanned,
            password: password,
            movingFactor: movingFactor
        )
        registration.userId = userId?.nonEmpty
        registration.resourceId = resourceId?.nonEmpty
        if oathType == .hotp { registration.idlePeriod = period }
        guard let uri = registration.uriReadAsSame else {
            throw OathError.uriFormatting("The registration URI would describe a different credential.")
        }
        return uri
    }
}

extension OathType {
    /// Parses the name of a credential type.
    /// - Parameter string: `totp` or `hotp`, in upper or lower case.
    /// - Returns: The type.
    /// - Throws: ``OathError/invalidOathType(_:)`` for another name.
    public static func fromString(_ string: String) throws -> OathType {
        guard let type = OathType(rawValue: string.lowercased()) else {
            throw OathError.invalidOathType(string)
        }
        return type
    }
}

extension OathAlgorithm {
    /// Parses the name of a hash function.
    /// - Parameter string: The hash function's name, such as `SHA256`, in upper or lower case.
    /// - Returns: The hash function.
    /// - Throws: ``OathError/invalidAlgorithm(_:)`` for another name.
    public static func fromString(_ string: String) throws -> OathAlgorithm {
        guard let algorithm = OathAlgorithm(name: string) else { throw OathError.invalidAlgorithm(string) }
        return algorithm
    }
}

extension OathRegistration {
    /// Parses a registration URI, and throws the errors of the async API.
    init(oathURI uri: String) throws(OathError) {
        do {
            try self.init(uri: uri)
            account.backgroundColor = account.bareColor
        } catch {
            throw OathError(error)
        }
    }
}

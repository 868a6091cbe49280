package import Foundation

/// The content of a QR code for a one-time-password credential.
package struct OathRegistration: Equatable, Sendable {
    /// The account, with its image, colour and policies.
    package var account: AccountProfile
    /// The generator of the one-time passwords, with the shared secret, the hash function and the number of digits.
    package let password: OneTimePassword
    /// The moving factor of the one-time passwords: time or a counter.
    package let movingFactor: OathMovingFactor
    /// The user's id at the server, if the code contains it.
    package var userId: String?
    /// The device profile's id at the server, if the code contains it.
    package var resourceId: String?
    /// The period in the URI of a counter-based credential; this period is stored, but has no effect.
    package var idlePeriod: Int?
    private var spelling = ScannedSpelling()

    /// Creates a registration from the required values; set the optional properties afterwards.
    package init(account: AccountProfile, password: OneTimePassword, movingFactor: OathMovingFactor) {
        self.account = account
        self.password = password
        self.movingFactor = movingFactor
    }

    /// Returns the credential to store.
    package func credential(id: String, createdAt: Date) -> OathCredential {
        var credential = OathCredential(
            id: id,
            account: account,
            password: password,
            movingFactor: movingFactor,
            createdAt: createdAt
        )
        if let idlePeriod { credential.period = idlePeriod }
        if let text = spelling.text { credential.legacy = LegacyDetails(secretSpelling: text) }
        credential.userId = userId
        credential.resourceId = resourceId
        credential.account.addedAt = createdAt
        return credential
    }
}

extension OathRegistration {
    /// Parses `otpauth://totp/…` and `otpauth://hotp/…`, or the one-time-password part of an `mfauth` URI.
    ///
    /// - Throws: ``RegistrationURIError`` if the code is malformed or of another kind, or if a parameter is missing or
    ///   invalid.
    package init(uri: String) throws(RegistrationURIError) {
        try self.init(URIParts(uri))
    }

    /// Returns the `otpauth` URI of this registration.
    ///
    /// The issuer is in plain text; the policies and the ids are in base64url. The image's address is in plain text,
    /// unless it looks like base64.
    package func uri() -> String {
        var writer = URIWriter(
            scheme: "otpauth",
            kind: movingFactor.type.rawValue,
            issuer: account.issuer,
            account: account.accountName
        )
        write(to: &writer)
        writer.add("issuer", account.issuer)
        writer.add("b", account.bareColor)
        // An address that looks like base64 has to be encoded, because parsers would decode the plain address.
        let isPlain = account.imageURL.map { Base64.decodeText($0) == nil } ?? true
        isPlain ? writer.add("image", account.imageURL) : writer.add("image", base64: account.imageURL)
        writer.add("policies", base64: account.policies)
        writer.add("uid", base64: userId)
        return writer.text
    }

    /// The `otpauth` URI of this registration; `nil` if parsing this URI does not give an equal registration.
    package var uriReadAsSame: String? {
        let uri = uri()
        do throws(RegistrationURIError) {
            return try OathRegistration(uri: uri) == self ? uri : nil
        } catch {
            return nil
        }
    }

    init(_ parts: URIParts) throws(RegistrationURIError) {
        guard parts.scheme == "otpauth" || parts.scheme == "mfauth", let type = OathType(rawValue: parts.kind)
        else { throw .unsupported }
        self.init(
            account: try parts.oathAccount(),
            password: try parts.password(),
            movingFactor: try parts.movingFactor(type)
        )
        spelling = ScannedSpelling(try parts.secret("secret"), unless: password.secret.base32Spelling)
        if type == .hotp { idlePeriod = parts["period"].flatMap(Int.init) }
        if parts.scheme == "mfauth" {
            userId = parts.userId
            resourceId = parts.text("oid")
        } else {
            userId = parts.readsAsSuccessor ? parts.textInEitherForm("uid") : parts.text("uid")
            resourceId = parts.readsAsSuccessor ? parts.textInEitherForm("oid") : parts.text("oid")
        }
    }

    /// Writes the parameters that only the one-time-password part has.
    func write(to writer: inout URIWriter) {
        writer.add("secret", password.secret.withBase32 { $0 })
        writer.add("algorithm", password.algorithm.rawValue)
        writer.add("digits", String(password.digits))
        switch movingFactor {
        case .time(let period): writer.add("period", String(period))
        case .counter(let counter):
            writer.add("counter", String(counter))
            writer.add("period", idlePeriod.map(String.init))
        }
        writer.add("oid", base64: resourceId)
    }
}

extension URIParts {
    fileprivate func oathAccount() throws(RegistrationURIError) -> AccountProfile {
        guard scheme == "otpauth" else { return try encodedAccount() }
        var profile = try account(issuer: self["issuer"])
        profile.imageURL = textInEitherForm("image")
        profile.policies = try policies()
        return profile
    }

    fileprivate func password() throws(RegistrationURIError) -> OneTimePassword {
        guard let secret = SharedSecret(base32: try secret("secret")) else {
            throw .invalid(parameter: "secret")
        }
        guard let algorithm = OathAlgorithm(name: self["algorithm"] ?? "sha1") else {
            throw .invalid(parameter: "algorithm")
        }
        let digits = try number("digits", standard: 6)
        guard (4...8).contains(digits) else { throw .invalid(parameter: "digits") }
        do {
            return try OneTimePassword(secret: secret, algorithm: algorithm, digits: digits)
        } catch {
            throw .invalid(parameter: "digits")
        }
    }

    fileprivate func movingFactor(_ type: OathType) throws(RegistrationURIError) -> OathMovingFactor {
        switch type {
        case .totp:
            let period = try number("period", standard: 30)
            guard period > 0 else { throw .invalid(parameter: "period") }
            return .time(period: period)
        case .hotp:
            let counter = try number("counter", standard: 0)
            guard counter >= 0 else { throw .invalid(parameter: "counter") }
            return .counter(counter)
        }
    }
}

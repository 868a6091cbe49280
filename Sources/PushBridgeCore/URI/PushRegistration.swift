public import Foundation

/// The content of the QR code for a push registration.
///
/// The device proves to the server that it has the secret, and then stores a credential.
public struct PushRegistration: Equatable, Sendable {
    /// The account, with its image, colour and policies.
    public var account: AccountProfile
    /// The addresses of the push service, as the QR code contains them.
    public let endpoints: PushEndpoints
    /// The shared secret of the new credential.
    public let sharedSecret: SharedSecret
    /// The challenge for which the device computes the response at registration.
    public let challenge: Data
    /// The server's id of the registration; the server accepts one registration with this id.
    public let messageId: String
    /// The load balancer's cookie pair `name=value`, if the code contains it.
    public var loadBalancer: String?
    /// The user's id at the server, if the code contains it.
    public var userId: String?
    /// The device profile's id at the server, if the code contains it.
    public var deviceResourceId: String?
    private var spelling = ScannedSpelling()

    /// Creates a registration from the required values; set the optional properties afterwards.
    ///
    /// - Parameters:
    ///   - account: The account that the credential will belong to.
    ///   - endpoints: The addresses of the server's push service.
    ///   - sharedSecret: The shared secret of the new credential.
    ///   - challenge: The bytes of the challenge for which the device computes the response.
    ///   - messageId: The server's id of the registration; the server accepts one registration with this id.
    public init(
        account: AccountProfile,
        endpoints: PushEndpoints,
        sharedSecret: SharedSecret,
        challenge: Data,
        messageId: String
    ) {
        self.account = account
        self.endpoints = endpoints
        self.sharedSecret = sharedSecret
        self.challenge = challenge
        self.messageId = messageId
    }

    /// Returns the credential to store after the server has accepted the registration.
    ///
    /// The credential's legacy details contain the values for which the model has no field: the message id, the
    /// challenge and the load balancer. Later requests need the load balancer; a legacy record made from the
    /// credential needs all three.
    public func credential(id: String, createdAt: Date) -> PushCredential {
        var credential = PushCredential(
            id: id,
            account: account,
            endpoints: endpoints,
            sharedSecret: sharedSecret,
            createdAt: createdAt
        )
        credential.account.addedAt = createdAt
        credential.userId = userId
        credential.deviceResourceId = deviceResourceId
        credential.legacy = LegacyDetails(
            secretSpelling: spelling.text,
            registration: LegacyRegistration(
                messageId: messageId.isEmpty ? nil : messageId,
                challenge: SharedSecret(utf8: challenge.base64EncodedString()),
                loadBalancer: loadBalancer
            )
        )
        return credential
    }
}

extension PushRegistration {
    /// Parses `pushauth://push/…` and `mfauth://push/…`, or the push part of `mfauth://totp/…` and `mfauth://hotp/…`.
    ///
    /// - Throws: ``RegistrationURIError`` if the code is malformed or of another kind, or if a parameter is missing or
    ///   invalid.
    public init(uri: String) throws(RegistrationURIError) {
        try self.init(URIParts(uri))
    }

    /// Parses the URI of a credential, which may lack the message id, the challenge and the address for answers.
    ///
    /// - Throws: ``RegistrationURIError`` if the code is malformed or of another kind, or if any other parameter
    ///   is missing or invalid.
    package init(credentialURI uri: String) throws(RegistrationURIError) {
        try self.init(URIParts(uri), registers: false)
    }

    /// Returns the URI of this registration, in the form that PingAM writes.
    ///
    /// Nodes before AM 7.3 and authentication modules write `forgerock` as the issuer in the label.
    ///
    /// - Parameter labelIssuer: The issuer in the label; `nil` means the account's issuer.
    /// - Returns: The text of the QR code.
    public func uri(labelIssuer: String? = nil) -> String {
        writer(labelIssuer: labelIssuer ?? account.issuer).text
    }

    private func writer(labelIssuer: String) -> URIWriter {
        var writer = URIWriter(
            scheme: "pushauth",
            kind: "push",
            issuer: labelIssuer,
            account: account.accountName
        )
        write(to: &writer)
        writer.addShared(account, userId: userId)
        return writer
    }

    /// The URI of this registration in a form that the successor SDK can read; `nil` if parsing this URI does not give
    /// an equal registration.
    package var uriReadAsSame: String? {
        // The successor SDK reads the user's id only from `d`. In `d` and in `pid`, the SDK accepts only
        // standard base64.
        var registration = self
        registration.deviceResourceId = nil
        var writer = registration.writer(labelIssuer: account.issuer)
        writer.add("pid", deviceResourceId.map { Data($0.utf8).base64EncodedString() })
        writer.add("d", userId.map { Data($0.utf8).base64EncodedString() })
        let uri = writer.text
        do throws(RegistrationURIError) {
            return try PushRegistration(credentialURI: uri) == self ? uri : nil
        } catch {
            return nil
        }
    }

    init(_ parts: URIParts, registers: Bool = true) throws(RegistrationURIError) {
        switch (parts.scheme, parts.kind) {
        case ("pushauth", "push"), ("mfauth", "totp"), ("mfauth", "hotp"), ("mfauth", "push"): break
        default: throw .unsupported
        }
        let text = try parts.secret("s")
        guard let secret = SharedSecret(base64: text) else { throw .invalid(parameter: "s") }
        self.init(
            account: try parts.encodedAccount(),
            endpoints: try parts.endpoints(registers: registers),
            sharedSecret: secret,
            challenge: registers || parts["c"] != nil ? try parts.bytes("c") : Data(),
            messageId: registers ? try parts.required("m") : parts["m"] ?? ""
        )
        spelling = ScannedSpelling(text, unless: secret.base64Spelling)
        loadBalancer = parts.loadBalancer
        userId = parts.userId
        deviceResourceId = parts.text("pid")
    }

    /// Writes the parameters that only the push part has.
    func write(to writer: inout URIWriter) {
        writer.add("l", base64: loadBalancer)
        writer.add("m", messageId)
        writer.add("s", sharedSecret.withUnsafeBytes { Base64.encodeURLSafe($0) })
        writer.add("c", Base64.encodeURLSafe(challenge))
        writer.add("r", base64: endpoints.registration)
        writer.add("a", base64: endpoints.authentication)
        writer.add("pid", base64: deviceResourceId)
    }
}

extension URIParts {
    /// Returns the account of a `pushauth` or `mfauth` code.
    ///
    /// In these codes, all values of the account except its name and colour are usually base64.
    func encodedAccount() throws(RegistrationURIError) -> AccountProfile {
        var profile = try account(issuer: issuer)
        profile.imageURL = address("image")
        profile.policies = try policies()
        return profile
    }

    /// The issuer, which the code contains in plain text or in base64.
    ///
    /// A value that equals the label's issuer is plain text. `nil` if the code contains no issuer, or one without a
    /// letter or digit.
    private var issuer: String? {
        if let value = self["issuer"], value == label.issuer { return value }
        return textInEitherForm("issuer").flatMap { $0.contains { $0.isLetter || $0.isNumber } ? $0 : nil }
    }

    /// Returns the address of an image, which the code contains in base64 or in plain text; `nil` if there is none.
    private func address(_ name: String) -> String? {
        guard let value = self[name] else { return nil }
        return text(name) ?? (PushEndpoints.isWebAddress(value) ? value : nil)
    }

    /// The user's id, which a code contains as `uid` or, from some newer servers, as `d`.
    var userId: String? { text("uid") ?? text("d") }

    fileprivate func endpoints(registers: Bool) throws(RegistrationURIError) -> PushEndpoints {
        let registration = try endpoint("r")
        if !registers, self["a"] == nil, let endpoints = PushEndpoints(server: registration) {
            return endpoints
        }
        let authentication = try endpoint("a")
        guard let endpoints = PushEndpoints(registration: registration, authentication: authentication) else {
            throw .malformed
        }
        return endpoints
    }

    private func endpoint(_ name: String) throws(RegistrationURIError) -> String {
        guard let address = Base64.decodeText(try required(name)) else { throw .invalid(parameter: name) }
        guard PushEndpoints.isWebAddress(address) else { throw .notAnAddress(parameter: name) }
        return address
    }

    /// The load balancer's cookie pair; `nil` if the code contains no valid cookie pair.
    var loadBalancer: String? {
        text("l").flatMap { $0.isCookiePair ? $0 : nil }
    }
}

extension AccountProfile {
    /// The colour without `#`, as codes spell it.
    package var bareColor: String? {
        backgroundColor.map { String($0.hasPrefix("#") ? $0.dropFirst() : $0[...]) }
    }

    /// The account with only the values that a code contains; empty text counts as absent.
    package var scanned: AccountProfile {
        var profile = AccountProfile(key)
        profile.imageURL = imageURL?.nonEmpty
        profile.backgroundColor = bareColor?.nonEmpty
        profile.policies = policies?.nonEmpty
        return profile
    }
}

extension URIWriter {
    /// Writes the parameters that the push part and the one-time-password part share; all of them except the colour are
    /// in base64url.
    mutating func addShared(_ account: AccountProfile, userId: String?) {
        add("issuer", base64: account.issuer)
        add("b", account.bareColor)
        add("image", base64: account.imageURL)
        add("policies", base64: account.policies)
        add("uid", base64: userId)
    }
}

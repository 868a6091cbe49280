import Foundation
public import PushBridgeCore

/// Reads and writes the registration URIs of push credentials.
///
/// QR codes contain these URIs.
public enum PushUriParser {
    /// Parses a registration URI into a credential with a new id, without registering or storing the credential.
    ///
    /// The URI need not contain the parameters that only a registration needs.
    /// - Parameter uri: The registration URI, with the scheme `pushauth` or `mfauth`.
    /// - Returns: The credential.
    /// - Throws: ``PushError/invalidUri(_:)`` and similar errors for an invalid registration URI.
    public static func parse(_ uri: String) async throws -> PushCredential {
        try registration(uri).asSuccessor.credential(id: UUID().uuidString, createdAt: Date())
    }

    /// Returns the registration URI of a credential; see `PushBridgeCore/PushCredential/toUri()`.
    /// - Parameter credential: The credential.
    /// - Returns: The registration URI.
    /// - Throws: ``PushError/uriFormatting(_:)`` for a credential that a registration URI cannot represent.
    public static func format(_ credential: PushCredential) async throws -> String {
        guard credential.sharedSecret.isUsable else {
            throw PushError.uriFormatting("The secret is not base64.")
        }
        let (known, addresses) = (credential.legacy?.registration, credential.endpoints)
        let endpoints = PushEndpoints(
            registration: addresses.registration,
            authentication: addresses.authentication
        )
        var registration = PushRegistration(
            account: credential.account.scanned,
            endpoints: endpoints ?? addresses,
            sharedSecret: credential.sharedSecret,
            challenge: known?.challenge?.withUTF8 { Base64.decode($0) } ?? Data(count: 32),
            messageId: known?.messageId ?? "none"
        )
        registration.loadBalancer = known?.loadBalancer
        registration.userId = credential.userId?.nonEmpty
        registration.deviceResourceId = credential.deviceResourceId?.nonEmpty
        guard let uri = registration.uriReadAsSame else {
            throw PushError.uriFormatting("The registration URI would describe a different credential.")
        }
        return uri
    }

    /// Returns the parameters that a handler receives with a registration.
    ///
    /// The parameters are `messageId`, `challenge` and, if the URI names a load balancer, `amlbCookie`.
    /// - Parameter uri: The registration URI.
    /// - Returns: The parameters by name.
    /// - Throws: The errors of ``parse(_:)``, and ``PushError/invalidUri(_:)`` for a registration URI without `m` or
    ///   `c`.
    public static func registrationParameters(_ uri: String) async throws -> [String: String] {
        let registration = try registration(uri)
        guard !registration.messageId.isEmpty else { throw PushError(.missing(parameter: "m")) }
        guard !registration.challenge.isEmpty else { throw PushError(.missing(parameter: "c")) }
        return registration.parameters
    }

    private static func registration(_ uri: String) throws -> PushRegistration {
        do {
            return try PushRegistration(credentialURI: uri)
        } catch {
            throw PushError(error)
        }
    }
}

extension PushRegistration {
    /// The parameters that a handler receives with the registration.
    var parameters: [String: String] {
        var parameters = ["messageId": messageId, "challenge": challenge.base64EncodedString()]
        parameters["amlbCookie"] = loadBalancer
        return parameters
    }

    /// The registration in the successor SDK's form.
    ///
    /// The colour begins with `#`. If the registration lacks the id of the device profile, the id is an empty string.
    var asSuccessor: PushRegistration {
        var registration = self
        registration.account.backgroundColor = account.bareColor.map { "#\($0)" }
        registration.deviceResourceId = deviceResourceId ?? ""
        return registration
    }
}

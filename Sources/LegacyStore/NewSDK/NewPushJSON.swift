import PushBridgeCore

/// What push credentials of the new SDK add.
struct NewPushJSON: Decodable {
    let serverEndpoint: String
    let sharedSecret: JSONSecret
    @Nullable var platform: String?
    @Nullable var pushBridge: VerbatimAddresses?

    /// What our own keychain store keeps beside the members of the new SDK.
    struct VerbatimAddresses: Codable {
        let registrationEndpoint: String
        let authenticationEndpoint: String
    }

    /// The factor; the addresses are verbatim if our own store kept them, else those that the new SDK makes of the one
    /// that it kept.
    func factor() throws(LegacyRecordError) -> LegacyFactor {
        guard platform.map({ PushPlatform(rawValue: $0) != nil }) ?? true else {
            throw LegacyRecordError(
                .unsupported,
                reason: "Push credentials of this platform are not supported."
            )
        }
        guard let endpoints = PushEndpoints(server: serverEndpoint) else {
            throw .damaged("The field serverEndpoint is not a URL with a host.")
        }
        let registration = LegacyRegistration(messageId: nil, challenge: nil, loadBalancer: nil)
        if let pushBridge {
            return .push(
                LegacyPushParameters(
                    registrationEndpoint: pushBridge.registrationEndpoint,
                    authenticationEndpoint: pushBridge.authenticationEndpoint,
                    registration: registration
                )
            )
        }
        var parameters = LegacyPushParameters(
            registrationEndpoint: endpoints.registration,
            authenticationEndpoint: endpoints.authentication,
            registration: registration
        )
        parameters.knowsServerOnly = true
        return .push(parameters)
    }
}

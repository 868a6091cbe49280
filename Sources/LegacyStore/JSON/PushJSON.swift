import PushBridgeCore

/// What push mechanisms add.
struct PushJSON: Codable {
    let authenticationEndpoint: String
    let registrationEndpoint: String
    @Nullable var messageId: String?
    @Nullable var challenge: JSONSecret?
    @Nullable var loadBalancer: String?

    init(_ parameters: LegacyPushParameters) {
        authenticationEndpoint = parameters.authenticationEndpoint
        registrationEndpoint = parameters.registrationEndpoint
        messageId = parameters.registration.messageId
        challenge = parameters.registration.challenge.map { JSONSecret($0.withUTF8 { $0 }) }
        loadBalancer = parameters.registration.loadBalancer
    }

    var factor: LegacyFactor {
        let registration = LegacyRegistration(
            messageId: messageId.flatMap { $0.isEmpty ? nil : $0 },
            challenge: challenge.flatMap { SharedSecret(utf8: $0.text) },
            loadBalancer: loadBalancer
        )
        return .push(
            LegacyPushParameters(
                registrationEndpoint: registrationEndpoint,
                authenticationEndpoint: authenticationEndpoint,
                registration: registration
            )
        )
    }
}

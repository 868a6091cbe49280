import Foundation
import PushBridgeCore

extension PushCredential {
    static func sample(secret: String) -> PushCredential? {
        guard
            let secret = SharedSecret(base64: secret),
            let endpoints = PushEndpoints(
                registration: "https://am.example.com/push?_action=register",
                authentication: "https://am.example.com/push?_action=authenticate"
            )
        else { return nil }
        return PushCredential(
            id: "id",
            account: AccountProfile(issuer: "Issuer", accountName: "name"),
            endpoints: endpoints,
            sharedSecret: secret,
            createdAt: Date(timeIntervalSince1970: 1_700_000_000.125)
        )
    }
}

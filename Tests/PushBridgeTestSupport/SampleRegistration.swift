import Foundation
package import PushBridgeCore
import Testing

extension PushRegistration {
    /// Returns a registration as a server creates it.
    package static func sample(
        _ account: String = "babs",
        issuer: String = "Example",
        policies: String? = nil,
        service: String = "https://am.example.com/json/alpha/push/sns/message",
        secret: SharedSecret = .random()
    ) throws -> PushRegistration {
        var profile = AccountProfile(issuer: issuer, accountName: account)
        profile.policies = policies
        var registration = PushRegistration(
            account: profile,
            endpoints: try #require(
                PushEndpoints(
                    registration: "\(service)?_action=register",
                    authentication: "\(service)?_action=authenticate"
                )
            ),
            sharedSecret: secret,
            challenge: Data("challenge".utf8),
            messageId: "REGISTER:1"
        )
        registration.loadBalancer = "amlbcookie=01"
        return registration
    }
}

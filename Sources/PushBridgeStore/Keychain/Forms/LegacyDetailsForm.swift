import Foundation
import PushBridgeCore

/// What only the legacy model knows of a credential.
struct LegacyDetailsForm: Codable {
    private let version: Int?
    private let accountAddedAt: ExactDate?
    private let secretSpelling: Data?
    private let registration: Registration?

    init(_ details: LegacyDetails) {
        version = details.version
        accountAddedAt = details.accountAddedAt.map(ExactDate.init)
        secretSpelling = details.secretSpelling?.stored
        registration = details.registration.map(Registration.init)
    }

    var details: LegacyDetails {
        LegacyDetails(
            version: version,
            accountAddedAt: accountAddedAt?.date,
            secretSpelling: secretSpelling.flatMap { SharedSecret(bytes: $0) },
            registration: registration?.registration
        )
    }

    private struct Registration: Codable {
        private let messageId: String?
        private let challenge: Data?
        private let loadBalancer: String?

        init(_ registration: LegacyRegistration) {
            messageId = registration.messageId
            challenge = registration.challenge?.stored
            loadBalancer = registration.loadBalancer
        }

        var registration: LegacyRegistration {
            LegacyRegistration(
                messageId: messageId,
                challenge: challenge.flatMap { SharedSecret(bytes: $0) },
                loadBalancer: loadBalancer
            )
        }
    }
}

extension SharedSecret {
    /// The bytes for an item, which the keychain seals.
    var stored: Data { withUnsafeBytes { Data($0) } }
}

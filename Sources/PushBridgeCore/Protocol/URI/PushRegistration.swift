public import Foundation

/// What a registration QR code asks of the device: to prove that it holds the secret, and to become a credential.
public struct PushRegistration: Equatable, Sendable {
    /// The account, with image, colour and policies.
    public var account: AccountProfile
    /// The addresses of the push service, verbatim.
    public let endpoints: PushEndpoints
    /// The key of the new credential.
    public let sharedSecret: SharedSecret
    /// The challenge to sign.
    public let challenge: Data
    /// The server's id of the registration; single use.
    public let messageId: String
    /// The load balancer's cookie pair `name=value`.
    public var loadBalancer: String?
    /// The user's id at the server.
    public var userId: String?
    /// The device profile's id at the server.
    public var deviceResourceId: String?

    /// Creates a registration; everything optional is set afterwards.
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

    /// The credential to store once the server accepted the registration.
    ///
    /// What a later device-token update needs and the model has no field for, such as the load balancer, is kept
    /// in the legacy details; so the legacy projection is complete as well.
    public func credential(id: String, createdAt: Date) -> PushCredential {
        var credential = PushCredential(
            id: id,
            account: account,
            endpoints: endpoints,
            sharedSecret: sharedSecret,
            createdAt: createdAt
        )
        credential.userId = userId
        credential.deviceResourceId = deviceResourceId
        credential.legacy = LegacyDetails(
            accountAddedAt: createdAt,
            registration: LegacyRegistration(
                messageId: messageId,
                challenge: SharedSecret(utf8: challenge.base64EncodedString()),
                loadBalancer: loadBalancer
            )
        )
        return credential
    }
}

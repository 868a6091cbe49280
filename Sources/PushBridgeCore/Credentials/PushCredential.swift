public import Foundation

/// A push credential: what a device needs to answer logins for one account.
public struct PushCredential: AccountBound, Equatable, Identifiable, Sendable {
    /// The mechanism UID under which the server knows the device.
    public let id: String
    /// The account the credential belongs to.
    public var account: AccountProfile
    /// The user's id at the server, if the server told it.
    public var userId: String?
    /// The device profile's id at the server, if the server told it.
    public var deviceResourceId: String?
    /// The addresses of the push service.
    public let endpoints: PushEndpoints
    /// The key that signs answers and verifies pushes.
    public let sharedSecret: SharedSecret
    /// When the credential was enrolled.
    public let createdAt: Date
    /// The kind of server.
    public let platform: PushPlatform
    /// What only the legacy model knows; `nil` for credentials enrolled through the new API.
    public var legacy: LegacyDetails?

    /// Creates a credential; everything optional is set afterwards.
    public init(
        id: String,
        account: AccountProfile,
        endpoints: PushEndpoints,
        sharedSecret: SharedSecret,
        createdAt: Date
    ) {
        self.id = id
        self.account = account
        self.endpoints = endpoints
        self.sharedSecret = sharedSecret
        self.createdAt = createdAt
        platform = .pingAM
    }

    /// The device profile's id at the server; ``id`` where the server told none.
    public var resourceId: String { deviceResourceId ?? id }
    /// Scheme, host, port and path of the registration address.
    public var serverEndpoint: String { endpoints.server }
    /// Where registration answers go, verbatim.
    public var registrationEndpoint: String { endpoints.registration }
    /// Where login answers go, verbatim.
    public var authenticationEndpoint: String { endpoints.authentication }
    /// Where a new device token goes.
    public var updateEndpoint: String { endpoints.update }
}

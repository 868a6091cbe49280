public import PushBridgeCore

/// What a new registration QR code is to say.
public struct RegistrationOrder: Equatable, Sendable {
    /// The account; its image, colour and policies are passed on.
    public var account: AccountProfile
    /// The realm whose push service the device will use.
    public var realm: Realm
    /// The user's id at the server.
    public var userId: String?
    /// The device profile's id at the server.
    public var resourceId: String?

    /// Creates an order; everything optional is set afterwards.
    public init(issuer: String, account: String, realm: Realm = .root) {
        self.account = AccountProfile(issuer: issuer, accountName: account)
        self.realm = realm
    }
}

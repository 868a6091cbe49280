public import PushBridgeCore

/// A registered mechanism.
public struct SimulatedDevice: Equatable, Sendable {
    /// The id under which the device registered.
    public let mechanismUid: String
    /// The key of the mechanism.
    public let sharedSecret: SharedSecret
    /// The APNs token that the device told last.
    public var deviceToken: String
    /// The account the mechanism belongs to.
    public var account: AccountKey
    /// The realm the mechanism belongs to.
    public var realm: Realm
    /// The user's id at the server.
    public var userId: String?

    /// Creates a device, for credentials that were registered before the simulator started.
    public init(
        mechanismUid: String,
        sharedSecret: SharedSecret,
        deviceToken: String,
        account: AccountKey,
        realm: Realm = .root
    ) {
        self.mechanismUid = mechanismUid
        self.sharedSecret = sharedSecret
        self.deviceToken = deviceToken
        self.account = account
        self.realm = realm
    }

    /// The device as the control endpoint shows it; never the secret.
    public var json: JSONValue {
        [
            "mechanismUid": .string(mechanismUid),
            "deviceToken": .string(deviceToken),
            "issuer": .string(account.issuer),
            "account": .string(account.accountName),
            "realm": .string(realm.path),
        ]
    }
}

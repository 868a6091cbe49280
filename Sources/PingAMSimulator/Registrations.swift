public import Foundation
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

/// A registration that waits for its device.
struct WaitingRegistration: Sendable {
    let registration: PushRegistration
    let realm: Realm
    let sender: String?
    let expiry: Date
}

extension SimulatedService {
    /// Makes a registration QR code, whose text is `uri(labelIssuer: "forgerock")` as real servers write it.
    public mutating func createRegistration(
        _ order: RegistrationOrder,
        at now: Date
    ) throws(SimulatorError) -> PushRegistration {
        guard settings.realms.contains(order.realm) else {
            throw SimulatorError(
                code: .noPushService,
                reason: "The realm \(order.realm.path) has no push service."
            )
        }
        guard let endpoints = endpoints(of: order.realm) else {
            throw SimulatorError(code: .invalidOrder, reason: "The base is no address.")
        }
        var registration = PushRegistration(
            account: order.account,
            endpoints: endpoints,
            sharedSecret: chance.secret(),
            challenge: chance.bytes(),
            messageId: "REGISTER:\(chance.uuid())"
        )
        let sender = nextSender()
        registration.loadBalancer = sender.map(Topology.pair)
        registration.userId = order.userId
        registration.deviceResourceId = order.resourceId
        registrations[registration.messageId] = WaitingRegistration(
            registration: registration,
            realm: order.realm,
            sender: sender,
            expiry: now.addingTimeInterval(TimeInterval(settings.registrationTimeToLive))
        )
        return registration
    }

    private func endpoints(of realm: Realm) -> PushEndpoints? {
        let style = settings.realmStyle
        return PushEndpoints(
            registration: style.address(base: settings.base, realm: realm, action: "register"),
            authentication: style.address(base: settings.base, realm: realm, action: "authenticate")
        )
    }
}

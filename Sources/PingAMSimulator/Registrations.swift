public import Foundation
public import PushBridgeCore

/// What a new registration QR code is to say.
public struct RegistrationOrder: Equatable, Sendable {
    /// The account; its image, colour and policies are passed on.
    public var account: AccountProfile
    /// The realm whose push service the device will use.
    public var realm: Realm
    /// The name of the user's identity at the server; `nil` is the account's name, as by default.
    public var userId: String?
    /// The device profile's id at the server; `nil` draws one.
    public var resourceId: String?
    /// The one-time passwords of a combined code; `nil` for push alone.
    public var codes: OneTimeCodeOrder?

    /// Creates an order; everything optional is set afterwards.
    public init(issuer: String, account: String, realm: Realm = .root) {
        self.account = AccountProfile(issuer: issuer, accountName: account)
        self.realm = realm
    }

    /// The name of the user's identity.
    var user: String { userId ?? account.accountName }
}

/// The one-time passwords of a combined code.
public struct OneTimeCodeOrder: Equatable, Sendable {
    /// What moves the code on: time or a counter.
    public var movingFactor: OathMovingFactor
    /// The hash function; servers name it for time-based codes only, and not SHA-1.
    public var algorithm = OathAlgorithm.sha1
    /// The length of a code: 6 or 8.
    public var digits = 6

    /// Creates an order for six digits by SHA-1.
    /// - Parameter movingFactor: What moves the code on.
    public init(_ movingFactor: OathMovingFactor = .time(period: 30)) {
        self.movingFactor = movingFactor
    }
}

/// A registration QR code that waits for its device.
public struct RegistrationCode: Equatable, Sendable {
    /// The code's text, as the server's version writes it.
    public let uri: String
    /// What the code says about push.
    public let registration: PushRegistration
    /// What the secret of the one-time passwords is, in a combined code.
    public let oathSecret: SharedSecret?
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
    /// The name of the user's identity at the server; `nil` is the account's name, as by default.
    public var userId: String?
    /// The device profile's id at the server.
    public var resourceId: String
    /// The name of the device, which only a token update tells.
    public var deviceName = "Push Device"
    /// When a login was last approved; servers before 8.0.0 do not keep it.
    public internal(set) var lastAccess: Date?

    /// Creates a device, for credentials that were registered before the simulator started.
    public init(
        mechanismUid: String,
        sharedSecret: SharedSecret,
        deviceToken: String,
        account: AccountKey,
        realm: Realm = .root,
        resourceId: String? = nil
    ) {
        self.resourceId = resourceId ?? mechanismUid
        self.mechanismUid = mechanismUid
        self.sharedSecret = sharedSecret
        self.deviceToken = deviceToken
        self.account = account
        self.realm = realm
    }

    /// The name of the user's identity.
    public var user: String { userId ?? account.accountName }

    /// The device as the control endpoint shows it; never the secret.
    public var json: JSONValue {
        [
            "mechanismUid": .string(mechanismUid),
            "deviceToken": .string(deviceToken),
            "issuer": .string(account.issuer),
            "account": .string(account.accountName),
            "realm": .string(realm.path),
            "user": .string(user),
            "resourceId": .string(resourceId),
        ]
    }
}

/// A registration that waits for its device.
struct WaitingRegistration: Sendable {
    let registration: PushRegistration
    let user: String
    let resourceId: String
    let realm: Realm
    let sender: String
    let expiry: Date
}

extension SimulatedService {
    /// Makes a registration QR code.
    ///
    /// - Throws: ``SimulatorError``: with the code `alreadyRegistered` for a user who has a device, because servers keep
    ///   one profile a user and go on without a code.
    public mutating func createCode(
        _ order: RegistrationOrder,
        at now: Date
    ) throws(SimulatorError) -> RegistrationCode {
        guard settings.realms.contains(order.realm) else {
            throw SimulatorError(
                code: .noPushService,
                reason: "The realm \(order.realm.path) has no push service."
            )
        }
        guard let endpoints = endpoints(of: order.realm) else {
            throw SimulatorError(code: .invalidOrder, reason: "The base is no address.")
        }
        guard order.codes == nil || settings.version.hasCombinedCodes && settings.sender == .node else {
            throw SimulatorError(
                code: .invalidOrder,
                reason: "Combined codes come from nodes of AM 7.3 and later."
            )
        }
        guard settings.allowsSeveralDevices || devices(of: order.user, in: order.realm).isEmpty else {
            let reason = "\(order.user) has a device; delete its profile or reset, and ask again."
            throw SimulatorError(code: .alreadyRegistered, reason: reason)
        }
        var registration = PushRegistration(
            account: order.account,
            endpoints: endpoints,
            sharedSecret: chance.secret(),
            challenge: chance.bytes(),
            messageId: messageId("REGISTER", at: now)
        )
        let sender = nextSender()
        registration.loadBalancer = Topology.pair(sender)
        let resourceId = order.resourceId ?? chance.uuid()
        if settings.version.namesUser, !settings.makesModuleCodes {
            registration.userId = order.user
            registration.deviceResourceId = resourceId
        }
        let oath = order.codes.map { Oath(order: $0, secret: chance.secret(), resourceId: chance.uuid()) }
        registrations[registration.messageId] = WaitingRegistration(
            registration: registration,
            user: order.user,
            resourceId: resourceId,
            realm: order.realm,
            sender: sender,
            expiry: now.addingTimeInterval(settings.messageLifetime)
        )
        return RegistrationCode(
            uri: registration.uri(settings, oath),
            registration: registration,
            oathSecret: oath?.secret
        )
    }

    /// Makes a registration QR code, of which only the push half counts.
    ///
    /// - Throws: ``SimulatorError``, as ``createCode(_:at:)`` does.
    public mutating func createRegistration(
        _ order: RegistrationOrder,
        at now: Date
    ) throws(SimulatorError) -> PushRegistration {
        try createCode(order, at: now).registration
    }

    /// The devices of a user.
    func devices(of user: String, in realm: Realm) -> [SimulatedDevice] {
        devices.values.filter { $0.user == user && $0.realm == realm }
            .sorted { $0.mechanismUid < $1.mechanismUid }
    }

    /// An id as the server makes it: random, and the time in milliseconds with nothing between.
    mutating func messageId(_ kind: String, at now: Date) -> String {
        "\(kind):\(chance.uuid())\(now.millisecondsSince1970)"
    }

    private func endpoints(of realm: Realm) -> PushEndpoints? {
        let style = settings.realmStyle
        return PushEndpoints(
            registration: style.address(base: settings.base, realm: realm, action: "register"),
            authentication: style.address(base: settings.base, realm: realm, action: "authenticate")
        )
    }
}

// MARK: - The text of a code

/// The one-time passwords of one combined code.
private struct Oath {
    let order: OneTimeCodeOrder
    let secret: SharedSecret
    let resourceId: String
}

extension PushRegistration {
    /// The code as a server writes it: every parameter in its order and its encoding.
    ///
    /// A combined code is the push parameters with those of the one-time passwords laid over them: what both have keeps
    /// its place and takes the second value, so that the image stands there as plain text.
    fileprivate func uri(_ settings: ServiceSettings, _ oath: Oath?) -> String {
        let isModule = settings.makesModuleCodes
        let colour = ("b", account.backgroundColor.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 })
        let addresses = [
            ("r", Self.encoded(endpoints.registration)), ("a", Self.encoded(endpoints.authentication)),
        ]
        let secret = ("s", sharedSecret.withUnsafeBytes { Base64.encodeURLSafe($0) })
        let challenge = ("c", Base64.encodeURLSafe(challenge))
        let image = oath == nil ? account.imageURL.map(Self.encoded) : account.imageURL
        var parameters: [(String, String?)] = [
            ("l", loadBalancer.map(Self.encoded)), ("issuer", Self.encoded(account.issuer)), ("m", messageId),
        ]
        if isModule {
            parameters += [secret, colour, challenge] + addresses
        } else {
            parameters += [secret, challenge] + addresses
            parameters += [
                ("uid", userId.map(Self.encoded)), ("pid", deviceResourceId.map(Self.encoded)), colour,
            ]
        }
        parameters.append(("image", image ?? (isModule ? nil : "")))
        if let oath {
            let order = oath.order
            parameters.append(("secret", oath.secret.withBase32 { $0.paddedBase32 }))
            switch order.movingFactor {
            case .time(let period): parameters.append(("period", String(period)))
            case .counter(let counter): parameters.append(("counter", String(counter)))
            }
            parameters.append(("digits", String(order.digits)))
            if case .time = order.movingFactor, order.algorithm != .sha1 {
                parameters.append(("algorithm", order.algorithm.rawValue.uppercased()))
            }
            if settings.version.namesUser { parameters.append(("oid", Self.encoded(oath.resourceId))) }
            if let policies = account.policies { parameters.append(("policies", Self.encoded(policies))) }
        }
        let kind = oath.map { "mfauth://\($0.order.movingFactor.type.rawValue)" } ?? "pushauth://push"
        let label = settings.label(account, isModule: isModule)
        let query = parameters.compactMap { name, value in value.map { "\(name)=\($0)" } }
        return "\(kind)/\(label)?\(query.joined(separator: "&"))"
    }

    private static func encoded(_ text: String) -> String { Base64.encodeURLSafe(Data(text.utf8)) }
}

extension ServiceSettings {
    /// The label of a code: until 7.3, and from modules always, it names no issuer but the word `forgerock`.
    fileprivate func label(_ account: AccountProfile, isModule: Bool) -> String {
        guard !isModule else { return "forgerock:\(account.accountName)" }
        let issuer = version < .v7_3 ? "forgerock" : account.issuer.fragmentEscaped
        return "\(issuer):\(account.accountName.fragmentEscaped)"
    }
}

extension String {
    /// The text as a URL's fragment may hold it, which leaves `:`, `/`, `?`, `@`, `&`, `=` and `+` as they are.
    fileprivate var fragmentEscaped: String {
        let plain = CharacterSet(charactersIn: "-._~!$'()*,;&=@:+/?").union(.asciiAlphanumerics)
        return addingPercentEncoding(withAllowedCharacters: plain) ?? self
    }

    /// Base32 with the padding that servers write.
    fileprivate var paddedBase32: String {
        self + String(repeating: "=", count: (8 - utf8.count % 8) % 8)
    }
}

extension CharacterSet {
    fileprivate static let asciiAlphanumerics = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    )
}

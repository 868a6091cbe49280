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
    /// - Parameters:
    ///   - issuer: The issuer that the app shows.
    ///   - account: The account's name, which is the user's.
    ///   - realm: The user's realm.
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

/// A registration QR code for one-time passwords alone.
public struct OneTimeCode: Equatable, Sendable {
    /// The code's text, as the server's version writes it.
    public let uri: String
    /// What the secret of the one-time passwords is.
    public let secret: SharedSecret
}

/// A registered mechanism.
public struct SimulatedDevice: Equatable, Sendable {
    /// The id under which the device registered.
    public let mechanismUid: String
    /// The key of the mechanism.
    public let sharedSecret: SharedSecret
    /// The APNs token that the device told last.
    public var deviceToken: String
    /// When the device told it; `nil` of a device that was added without telling.
    public internal(set) var tokenTime: Date?
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
    /// What the device says it is: `ios` or `android`.
    public internal(set) var deviceType = "ios"
    /// What reaches the device: `apns`, or anything else for Google's service.
    public internal(set) var communicationType = "apns"
    /// Whether Amazon's service sends to the device; it stops when APNs refuses the token, and starts again when the
    /// device registers or tells a token, the same one too.
    public internal(set) var isEndpointEnabled = true
    /// When a login of a node was last approved; servers before 8.0.0 do not keep it.
    public internal(set) var lastAccess: Date?
    /// How many devices were registered before.
    var number = 0

    /// Creates a device, for credentials that were registered before the simulator started.
    /// - Parameters:
    ///   - mechanismUid: The id of the device's mechanism.
    ///   - sharedSecret: The secret that it signs with.
    ///   - deviceToken: The token that pushes go to.
    ///   - account: The issuer and the name of the account.
    ///   - realm: The user's realm.
    ///   - resourceId: The id of the profile; `nil` for that of the mechanism.
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
            "endpointEnabled": .bool(isEndpointEnabled),
        ]
    }
}

/// What became of a registration.
public enum RegistrationState: String, CaseIterable, Sendable {
    /// No device came yet.
    case waiting
    /// The device is the user's.
    case registered
    /// The device did not say all that its profile needs.
    case failed
    /// No device came in time.
    case expired
}

/// A registration that waits for its device, and then for its login page.
struct WaitingRegistration: Sendable {
    let registration: PushRegistration
    let user: String
    let resourceId: String
    let realm: Realm
    let sender: String
    /// The id of the profile of one-time passwords, if the code has them too.
    let oathId: String?
    let expiry: Date
    /// When the login page gives up.
    let pageEnd: Date
    /// What the device said, which takes the place of what its answer is checked with.
    var answer: JSONValue?
    var state = RegistrationState.waiting
}

extension SimulatedService {
    /// Makes a registration QR code.
    ///
    /// - Parameters:
    ///   - order: Whom the code is for.
    ///   - now: The time of the service.
    /// - Returns: The code, which one device can use.
    /// - Throws: ``SimulatorError``: with the code `alreadyRegistered` for a user who has a device, because servers
    ///   keep one profile a user and go on without a code; and for a combined code also if there are one-time
    ///   passwords.
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
            throw SimulatorError(code: .invalidOrder, reason: "The base is not an address.")
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
        if order.codes != nil { try checkOneTimePasswords(of: order) }
        var registration = PushRegistration(
            account: order.account,
            endpoints: endpoints,
            sharedSecret: chance.secret(),
            challenge: chance.bytes(settings.challengeSize),
            messageId: messageId("REGISTER", at: now)
        )
        let colour = order.account.backgroundColor ?? settings.colour
        registration.account.backgroundColor = colour.hasPrefix("#") ? String(colour.dropFirst()) : colour
        let sender = nextSender()
        registration.loadBalancer = Topology.pair(sender)
        let resourceId = order.resourceId ?? chance.uuid()
        if settings.version.namesUser, !settings.makesModuleCodes {
            registration.userId = order.user
            registration.deviceResourceId = resourceId
        }
        // Drawn for every code, so that the same seed says the same at versions that have no combined ones.
        let (oathSecret, oathId) = (chance.secret(), chance.uuid())
        let oath = order.codes.map { Oath(order: $0, secret: oathSecret, resourceId: oathId) }
        registrations[registration.messageId] = WaitingRegistration(
            registration: registration,
            user: order.user,
            resourceId: resourceId,
            realm: order.realm,
            sender: sender,
            oathId: oath?.resourceId,
            expiry: now + settings.messageLifetime,
            pageEnd: now + settings.pageLifetime
        )
        return RegistrationCode(
            uri: registration.uri(settings, oath),
            registration: registration,
            oathSecret: oath?.secret
        )
    }

    /// Makes a registration QR code for one-time passwords alone, of which the user has some from then on: no device
    /// answers to such a code.
    ///
    /// - Parameter order: Whom the code is for.
    /// - Returns: The code.
    /// - Throws: ``SimulatorError`` if the order is invalid, or the user has one-time passwords.
    public mutating func createOneTimeCode(_ order: RegistrationOrder) throws(SimulatorError) -> OneTimeCode {
        guard settings.realms.contains(order.realm) else {
            throw SimulatorError(code: .noPushService, reason: "The realm \(order.realm.path) is not known.")
        }
        guard let codes = order.codes else {
            let reason = "A code without push is one for one-time passwords: totp or hotp."
            throw SimulatorError(code: .invalidOrder, reason: reason)
        }
        guard !settings.makesModuleCodes || codes.algorithm == .sha1 else {
            throw SimulatorError(code: .invalidOrder, reason: "Codes of a module are of SHA-1.")
        }
        try checkOneTimePasswords(of: order)
        let oath = Oath(order: codes, secret: chance.secret(), resourceId: chance.uuid())
        let profile = SimulatedOathProfile(resourceId: oath.resourceId)
        oathProfiles[ProfileOwner(realm: order.realm, user: order.user)] = profile
        return OneTimeCode(uri: oath.uri(settings, order), secret: oath.secret)
    }

    /// A node offers no code to a user who has one-time passwords.
    private func checkOneTimePasswords(of order: RegistrationOrder) throws(SimulatorError) {
        let owner = ProfileOwner(realm: order.realm, user: order.user)
        guard settings.allowsSeveralDevices || oathProfiles[owner] == nil else {
            let reason = "\(order.user) has one-time passwords; reset them, and ask again."
            throw SimulatorError(code: .alreadyRegistered, reason: reason)
        }
    }

    /// What the login page sees when it looks after a registration; a device that came is stored only then.
    ///
    /// - Parameters:
    ///   - messageId: The message id of the code.
    ///   - now: The time of the service.
    /// - Returns: What became of the registration; `nil` if no code has this message id.
    @discardableResult
    public mutating func look(afterRegistration messageId: String, at now: Date) -> RegistrationState? {
        guard var waiting = registrations[messageId] else { return nil }
        if waiting.state == .waiting {
            if now >= min(waiting.pageEnd, waiting.expiry) {
                waiting.state = .expired
            } else if let claims = waiting.answer {
                waiting.state = store(waiting, claims, at: now) ? .registered : .failed
            }
        }
        registrations[messageId] = waiting
        return waiting.state
    }

    /// Stores the profile of a device, and returns whether it said what a profile needs.
    private mutating func store(_ waiting: WaitingRegistration, _ claims: JSONValue, at now: Date) -> Bool {
        let said = ["mechanismUid", "deviceId", "deviceType"].map { claims[$0]?.nonEmptyText ?? "" }
        guard settings.has(.blankProfiles) || !said.contains("") else { return false }
        if !settings.allowsSeveralDevices { resetDevices(of: waiting.user, in: waiting.realm) }
        var device = SimulatedDevice(
            mechanismUid: said[0],
            sharedSecret: waiting.registration.sharedSecret,
            deviceToken: said[1],
            account: waiting.registration.account.key,
            realm: waiting.realm,
            resourceId: waiting.resourceId
        )
        device.userId = waiting.user
        device.tokenTime = now
        device.take(claims)
        add(device)
        if let oathId = waiting.oathId {
            let owner = ProfileOwner(realm: waiting.realm, user: waiting.user)
            oathProfiles[owner] = SimulatedOathProfile(resourceId: oathId)
        }
        return true
    }

    /// The devices of a user, in the order of their registration; servers send to the first.
    /// - Parameters:
    ///   - user: The user's name.
    ///   - realm: The user's realm.
    /// - Returns: The devices; empty if there are none.
    public func devices(of user: String, in realm: Realm = .root) -> [SimulatedDevice] {
        devices.values.filter { $0.user == user && $0.realm == realm }.sorted { $0.number < $1.number }
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
        func encoded(_ bytes: Data) -> String { settings.encoded(bytes) }
        func encoded(_ text: String) -> String { settings.encoded(Data(text.utf8)) }
        let colour = ("b", account.backgroundColor)
        let addresses = [
            ("r", encoded(endpoints.registration)), ("a", encoded(endpoints.authentication)),
        ]
        let secret = ("s", sharedSecret.withUnsafeBytes { encoded(Data($0)) })
        let challenge = ("c", encoded(challenge))
        let image = oath == nil ? account.imageURL.map(encoded) : account.imageURL
        var parameters: [(name: String, value: String?)] = [
            ("l", loadBalancer.map(encoded)), ("issuer", encoded(account.issuer)), ("m", messageId),
        ]
        if isModule {
            parameters += [secret, colour, challenge] + addresses
        } else {
            parameters += [secret, challenge] + addresses
            parameters += [
                ("uid", userId.map(encoded)), ("pid", deviceResourceId.map(encoded)), colour,
            ]
        }
        parameters.append(("image", image ?? (isModule || settings.has(.absentImages) ? nil : "")))
        if let oath {
            parameters.append(("secret", oath.secret.withBase32 { $0.padded(to: 8) }))
            parameters += [oath.movingFactor, oath.digits, oath.algorithm]
            if settings.version.namesUser { parameters.append(("oid", encoded(oath.resourceId))) }
            if let policies = account.policies { parameters.append(("policies", encoded(policies))) }
        }
        if settings.has(.scannedOrder) { parameters = parameters.inScannedOrder(isModule: isModule) }
        let kind = oath.map { "mfauth://\($0.order.movingFactor.type.rawValue)" } ?? "pushauth://push"
        let label = settings.label(account, isModule: isModule)
        let query = parameters.compactMap { name, value in value.map { "\(name)=\($0)" } }
        return "\(kind)/\(label)?\(query.joined(separator: "&"))"
    }
}

extension Oath {
    var movingFactor: (name: String, value: String?) {
        switch order.movingFactor {
        case .time(let period): ("period", String(period))
        case .counter(let counter): ("counter", String(counter))
        }
    }
    var digits: (name: String, value: String?) { ("digits", String(order.digits)) }
    /// Servers name it for codes by time only, and not SHA-1.
    var algorithm: (name: String, value: String?) {
        guard case .time = order.movingFactor, order.algorithm != .sha1 else { return ("algorithm", nil) }
        return ("algorithm", order.algorithm.rawValue.uppercased())
    }

    /// The code for one-time passwords alone, as a server writes it: nothing in it is encoded as in codes for push.
    func uri(_ settings: ServiceSettings, _ code: RegistrationOrder) -> String {
        let account = code.account
        let issuer = ("issuer", settings.escaped(account.issuer) as String?)
        var parameters: [(name: String, value: String?)]
        if settings.makesModuleCodes {
            parameters = [("secret", secret.withBase32 { $0 }), issuer, digits, movingFactor]
        } else {
            let colour = account.backgroundColor ?? settings.colour
            let namesUser = settings.version.namesUser
            func encoded(_ text: String) -> String? {
                namesUser ? settings.encoded(Data(text.utf8)) : nil
            }
            parameters = [("secret", secret.withBase32 { $0.padded(to: 8) })]
            if settings.version < .v7_3 { parameters.append(issuer) }
            parameters += [
                movingFactor, digits, ("b", colour.hasPrefix("#") ? String(colour.dropFirst()) : colour),
                ("image", account.imageURL ?? (settings.has(.absentImages) ? nil : "")), algorithm,
                ("uid", encoded(code.user)), ("oid", encoded(resourceId)),
            ]
        }
        let label = "\(settings.escaped(account.issuer)):\(settings.labelled(account.accountName))"
        let query = parameters.compactMap { name, value in value.map { "\(name)=\($0)" } }
        return "otpauth://\(order.movingFactor.type.rawValue)/\(label)?\(query.joined(separator: "&"))"
    }
}

extension [(name: String, value: String?)] {
    /// The order in which the page's script has them, after a passage through a hash table.
    fileprivate func inScannedOrder(isModule: Bool) -> Self {
        let colour = isModule ? ["b", "r"] : ["r", "b"]
        let order = ["a", "uid", "image"] + colour + ["s", "c", "pid", "l", "m", "issuer"]
        return order.flatMap { name in filter { $0.name == name } } + filter { !order.contains($0.name) }
    }
}

extension ServiceSettings {
    /// Base64url, without padding unless the server pads.
    fileprivate func encoded(_ bytes: Data) -> String {
        let text = Base64.encodeURLSafe(bytes)
        return has(.paddedCodes) ? text.padded(to: 4) : text
    }

    /// The label of a code: until 7.3, and from modules always, it names no issuer but the word `forgerock`.
    fileprivate func label(_ account: AccountProfile, isModule: Bool) -> String {
        guard !isModule else { return "forgerock:\(account.accountName)" }
        let issuer = version < .v7_3 ? "forgerock" : account.issuer
        return "\(escaped(issuer)):\(labelled(account.accountName))"
    }

    /// An account's name in a label.
    fileprivate func labelled(_ account: String) -> String {
        version == .v7_1 && has(.rawLabels) ? account : escaped(account)
    }

    /// A text as it stands in an address: a URL's fragment may hold `:`, `/`, `?`, `@`, `&`, `=` and `+` as they are.
    fileprivate func escaped(_ text: String) -> String {
        let marks = has(.escapedLabels) ? "-._~" : "-._~!$'()*,;&=@:+/?"
        let plain = CharacterSet(charactersIn: marks).union(.asciiAlphanumerics)
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }
}

extension String {
    /// The text with the `=` that make its length a multiple.
    fileprivate func padded(to multiple: Int) -> String {
        self + String(repeating: "=", count: (multiple - utf8.count % multiple) % multiple)
    }
}

extension JSONValue {
    /// The text, if it is text and not empty.
    var nonEmptyText: String? { string?.nonEmpty }
}

extension CharacterSet {
    fileprivate static let asciiAlphanumerics = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    )
}

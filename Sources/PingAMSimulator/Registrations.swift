public import Foundation
public import PushBridgeCore

/// The content of a registration QR code to create.
public struct RegistrationOrder: Equatable, Sendable {
    /// The account; its image, colour and policies are included.
    public var account: AccountProfile
    /// The realm whose push service the device will use.
    public var realm: Realm
    /// The name of the user's identity at the server; `nil` means the account's name, which is the default.
    public var userId: String?
    /// The device profile's id at the server; `nil` means a random one.
    public var resourceId: String?
    /// The one-time passwords of a combined code; `nil` means push only.
    public var codes: OneTimeCodeOrder?

    /// Creates an order; set optional properties afterwards.
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
    /// The moving factor of the code: time or a counter.
    public var movingFactor: OathMovingFactor
    /// The hash function; servers include it for time-based codes only, and omit SHA-1.
    public var algorithm = OathAlgorithm.sha1
    /// The length of a code: 6 or 8.
    public var digits = 6

    /// Creates an order for six digits with SHA-1.
    /// - Parameter movingFactor: Time or a counter.
    public init(_ movingFactor: OathMovingFactor = .time(period: 30)) {
        self.movingFactor = movingFactor
    }
}

/// A registration QR code that no device has used yet.
public struct RegistrationCode: Equatable, Sendable {
    /// The code's text, as the server's version writes it.
    public let uri: String
    /// The push half of the code.
    public let registration: PushRegistration
    /// In a combined code, the secret of the one-time passwords.
    public let oathSecret: SharedSecret?
}

/// A registration QR code for one-time passwords only.
public struct OneTimeCode: Equatable, Sendable {
    /// The code's text, as the server's version writes it.
    public let uri: String
    /// The secret of the one-time passwords.
    public let secret: SharedSecret
}

/// A registered mechanism.
public struct SimulatedDevice: Equatable, Sendable {
    /// The id under which the device registered.
    public let mechanismUid: String
    /// The key of the mechanism.
    public let sharedSecret: SharedSecret
    /// The APNs token that the device sent last.
    public var deviceToken: String
    /// The date at which the device sent it; `nil` for a device that was added directly.
    public internal(set) var tokenTime: Date?
    /// The account the mechanism belongs to.
    public var account: AccountKey
    /// The realm the mechanism belongs to.
    public var realm: Realm
    /// The name of the user's identity at the server; `nil` means the account's name, which is the default.
    public var userId: String?
    /// The device profile's id at the server.
    public var resourceId: String
    /// The name of the device; only a token update contains it.
    public var deviceName = "Push Device"
    /// The device's type from its registration or update: `ios` or `android`.
    public internal(set) var deviceType = "ios"
    /// The push channel of the device: `apns`; any other value means Google's service.
    public internal(set) var communicationType = "apns"
    /// Whether Amazon's service sends to the device.
    ///
    /// It stops when APNs rejects the token, and resumes when the device registers or sends a token, even the same one.
    public internal(set) var isEndpointEnabled = true
    /// The date of the last approved login of a node; servers before 8.0.0 do not store it.
    public internal(set) var lastAccess: Date?
    /// The number of devices that were registered earlier.
    var number = 0

    /// Creates a device, for credentials that were registered before the simulator started.
    /// - Parameters:
    ///   - mechanismUid: The id of the device's mechanism.
    ///   - sharedSecret: The secret that it signs with.
    ///   - deviceToken: The token that pushes go to.
    ///   - account: The issuer and the name of the account.
    ///   - realm: The user's realm.
    ///   - resourceId: The id of the profile; `nil` means the mechanism's id.
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

/// The state of a registration.
public enum RegistrationState: String, CaseIterable, Sendable {
    /// No device has registered yet.
    case waiting
    /// The device belongs to the user.
    case registered
    /// The device did not send everything that its profile requires.
    case failed
    /// No device registered in time.
    case expired
}

/// A registration that waits for its device, and then for its login page.
struct WaitingRegistration: Sendable {
    let registration: PushRegistration
    let user: String
    let resourceId: String
    let realm: Realm
    let sender: String
    /// For a combined code, the id of the profile of one-time passwords.
    let oathId: String?
    let expiry: Date
    /// The date at which the login page stops waiting.
    let pageEnd: Date
    /// The claims of the device's answer; once it is set, the server accepts no other answer.
    var answer: JSONValue?
    var state = RegistrationState.waiting
}

extension SimulatedService {
    /// Creates a registration QR code.
    ///
    /// - Parameters:
    ///   - order: The account and the options of the code.
    ///   - now: The time of the service.
    /// - Returns: The code, which one device can use.
    /// - Throws: ``SimulatorError``: with the code `alreadyRegistered` for a user who has a device, because servers
    ///   store one profile per user and then show no code; for a combined code also if the user has one-time passwords.
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
        // Generated for every code, so that a seed has the same results at versions without combined codes.
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

    /// Creates a registration QR code for one-time passwords only.
    ///
    /// The user has one-time passwords from then on, because no device answers such a code.
    ///
    /// - Parameter order: The account and the options of the code.
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

    /// Throws if the user has one-time passwords, because a node then shows no code.
    private func checkOneTimePasswords(of order: RegistrationOrder) throws(SimulatorError) {
        let owner = ProfileOwner(realm: order.realm, user: order.user)
        guard settings.allowsSeveralDevices || oathProfiles[owner] == nil else {
            let reason = "\(order.user) has one-time passwords; reset them, and ask again."
            throw SimulatorError(code: .alreadyRegistered, reason: reason)
        }
    }

    /// Returns the state of a registration to a polling login page; this stores the device that registered.
    ///
    /// - Parameters:
    ///   - messageId: The message id of the code.
    ///   - now: The time of the service.
    /// - Returns: The state of the registration; `nil` if no code has this message id.
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

    /// Stores the profile of a device; returns whether its claims contain everything that a profile requires.
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

    /// The devices of a user, in the order of registration; servers send to the first.
    /// - Parameters:
    ///   - user: The user's name.
    ///   - realm: The user's realm.
    /// - Returns: The devices; empty if there are none.
    public func devices(of user: String, in realm: Realm = .root) -> [SimulatedDevice] {
        devices.values.filter { $0.user == user && $0.realm == realm }.sorted { $0.number < $1.number }
    }

    /// An id in the server's format: a random number directly followed by the time in milliseconds.
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
    /// The code in the server's format, with its order and encoding of parameters.
    ///
    /// A combined code contains the push parameters merged with those of the one-time passwords: a parameter of both
    /// keeps its position and has the second value, so that the image is plain text.
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
    /// Servers include it for time-based codes only, and omit SHA-1.
    var algorithm: (name: String, value: String?) {
        guard case .time = order.movingFactor, order.algorithm != .sha1 else { return ("algorithm", nil) }
        return ("algorithm", order.algorithm.rawValue.uppercased())
    }

    /// The code for one-time passwords only, in the server's format; its encoding differs from that of push codes.
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
    /// The order of the page's script, which passes the parameters through a hash table.
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

    /// The label of a code; before 7.3, and from modules in every version, it contains the word `forgerock` instead of
    /// the issuer.
    fileprivate func label(_ account: AccountProfile, isModule: Bool) -> String {
        guard !isModule else { return "forgerock:\(account.accountName)" }
        let issuer = version < .v7_3 ? "forgerock" : account.issuer
        return "\(escaped(issuer)):\(labelled(account.accountName))"
    }

    /// An account's name in a label.
    fileprivate func labelled(_ account: String) -> String {
        version == .v7_1 && has(.rawLabels) ? account : escaped(account)
    }

    /// The text with the encoding of an address: a URL's fragment may contain `:`, `/`, `?`, `@`, `&`, `=` and `+`
    /// unescaped.
    fileprivate func escaped(_ text: String) -> String {
        let marks = has(.escapedLabels) ? "-._~" : "-._~!$'()*,;&=@:+/?"
        let plain = CharacterSet(charactersIn: marks).union(.asciiAlphanumerics)
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }
}

extension String {
    /// The text, padded with `=` to a multiple of a length.
    fileprivate func padded(to multiple: Int) -> String {
        self + String(repeating: "=", count: (multiple - utf8.count % multiple) % multiple)
    }
}

extension JSONValue {
    /// The value if it is non-empty text.
    var nonEmptyText: String? { string?.nonEmpty }
}

extension CharacterSet {
    fileprivate static let asciiAlphanumerics = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    )
}

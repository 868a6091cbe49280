public import Foundation
public import PushBridgeCore

/// The content of a registration QR code to create.
public struct RegistrationOrder: Equatable, Sendable {
    /// The account, with its image, colour and policies.
    public var account: AccountProfile
    /// The realm whose push service the device will use.
    public var realm: Realm
    /// The user's name at the server; `nil`, the default, means the account's name.
    public var userId: String?
    /// The device profile's id at the server; `nil` means a random id.
    public var resourceId: String?
    /// The one-time passwords that the code enrols; `nil` means that the code is for push only.
    public var codes: OneTimeCodeOrder?

    /// Creates an order; the optional properties can be set afterwards.
    /// - Parameters:
    ///   - issuer: The issuer that the app shows.
    ///   - account: The account's name, which is also the user name unless ``userId`` is set.
    ///   - realm: The user's realm.
    public init(issuer: String, account: String, realm: Realm = .root) {
        self.account = AccountProfile(issuer: issuer, accountName: account)
        self.realm = realm
    }

    /// The user's name at the server.
    var user: String { userId ?? account.accountName }
}

/// The one-time passwords that a code enrols.
public struct OneTimeCodeOrder: Equatable, Sendable {
    /// The moving factor of the one-time passwords: time or a counter.
    public var movingFactor: OathMovingFactor
    /// The hash function.
    ///
    /// Servers write the hash function only into codes for TOTP, and never write SHA-1.
    public var algorithm = OathAlgorithm.sha1
    /// The number of digits of a one-time password: 6 or 8.
    public var digits = 6

    /// Creates an order for one-time passwords with six digits and SHA-1.
    /// - Parameter movingFactor: Time or a counter.
    public init(_ movingFactor: OathMovingFactor = .time(period: 30)) {
        self.movingFactor = movingFactor
    }
}

/// A registration QR code that no device has used yet.
public struct RegistrationCode: Equatable, Sendable {
    /// The registration URI, in the format of the server's version.
    public let uri: String
    /// The part of the code that is for push.
    public let registration: PushRegistration
    /// The secret of the one-time passwords of a combined code; `nil` if the code is for push only.
    public let oathSecret: SharedSecret?
}

/// A registration QR code that enrols only one-time passwords.
public struct OneTimeCode: Equatable, Sendable {
    /// The registration URI, in the format of the server's version.
    public let uri: String
    /// The secret of the one-time passwords.
    public let secret: SharedSecret
}

/// A device that is registered at the simulated service.
public struct SimulatedDevice: Equatable, Sendable {
    /// The id under which the device registered.
    public let mechanismUid: String
    /// The key of the mechanism.
    public let sharedSecret: SharedSecret
    /// The latest APNs token that the device sent; empty if APNs no longer accepts it.
    public var deviceToken: String
    /// The date when the device sent its latest token; `nil` for a device that was added directly and has sent none.
    public internal(set) var tokenTime: Date?
    /// The mechanism's account.
    public var account: AccountKey
    /// The mechanism's realm.
    public var realm: Realm
    /// The user's name at the server; `nil`, the default, means the account's name.
    public var userId: String?
    /// The device profile's id at the server.
    public var resourceId: String
    /// The name of the device in its profile.
    ///
    /// Servers ignore the name in a registration. A token update changes the name. In 8.1.0 and later, the owner
    /// of the profile can change it too.
    public var deviceName = "Push Device"
    /// The device's type from its registration or update: `ios` or `android`.
    public internal(set) var deviceType = "ios"
    /// The push channel of the device: `apns` means Apple's service, and any other value means Google's
    /// service.
    public internal(set) var communicationType = "apns"
    /// Whether Amazon's service sends to the device.
    ///
    /// Amazon's service stops sending when APNs rejects the token. The service sends again when the device
    /// registers or sends a token, even the same token.
    public internal(set) var isEndpointEnabled = true
    /// The date of the last approved login at a node; `nil` before the first one.
    ///
    /// Servers before 8.0.0 do not store this date.
    public internal(set) var lastAccess: Date?
    /// The number of devices that were added before this device.
    var number = 0

    /// Creates a device, for example for a credential that was registered before the simulator started.
    /// - Parameters:
    ///   - mechanismUid: The id of the device's mechanism.
    ///   - sharedSecret: The secret with which the device signs.
    ///   - deviceToken: The token to which pushes are sent.
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

    /// The user's name at the server.
    public var user: String { userId ?? account.accountName }

    /// The device as the control endpoint returns it, without the secret.
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
    /// The device is registered.
    case registered
    /// The device did not send all data that its profile requires.
    case failed
    /// No device registered in time.
    case expired
}

/// A registration that began with a code.
///
/// The registration is completed when the device has answered and the registration page then polls.
struct WaitingRegistration: Sendable {
    let registration: PushRegistration
    let user: String
    let resourceId: String
    let realm: Realm
    let sender: String
    /// For a combined code, the id of the one-time passwords' profile; `nil` for other codes.
    let oathId: String?
    let expiry: Date
    /// The date when the registration page stops polling.
    let pageEnd: Date
    /// The claims of the device's answer; `nil` before the answer.
    ///
    /// The server accepts only one answer.
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
    /// - Throws: ``SimulatorError``, for example with the code `alreadyRegistered` if the user has a device or, for
    ///   a combined code, if the user has one-time passwords. By default, servers store one profile for each user,
    ///   and show no code to a user who has a profile.
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
            throw SimulatorError(code: .invalidOrder, reason: "The base address is invalid.")
        }
        guard order.codes == nil || settings.version.hasCombinedCodes && settings.sender == .node else {
            throw SimulatorError(
                code: .invalidOrder,
                reason: "Only nodes of AM 7.3 and later create combined codes."
            )
        }
        guard settings.allowsSeveralDevices || devices(of: order.user, in: order.realm).isEmpty else {
            let reason = "\(order.user) has a device; delete or reset its profile, and try again."
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
        // The values are generated for every code, even if the version has no combined codes, so that all versions
        // generate the same values from the same seed.
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

    /// Creates a registration QR code that enrols only one-time passwords.
    ///
    /// The user's profile is stored immediately, because a device sends no request when it enrols such a code.
    ///
    /// - Parameter order: The account and the options of the code.
    /// - Returns: The code.
    /// - Throws: ``SimulatorError`` if the order is invalid, or if the user already has one-time passwords and the
    ///   settings do not allow several devices.
    public mutating func createOneTimeCode(_ order: RegistrationOrder) throws(SimulatorError) -> OneTimeCode {
        guard settings.realms.contains(order.realm) else {
            throw SimulatorError(code: .noPushService, reason: "There is no realm \(order.realm.path).")
        }
        guard let codes = order.codes else {
            let reason = "A code without push must be for one-time passwords: totp or hotp."
            throw SimulatorError(code: .invalidOrder, reason: reason)
        }
        guard !settings.makesModuleCodes || codes.algorithm == .sha1 else {
            throw SimulatorError(code: .invalidOrder, reason: "The codes of a module use only SHA-1.")
        }
        try checkOneTimePasswords(of: order)
        let oath = Oath(order: codes, secret: chance.secret(), resourceId: chance.uuid())
        let profile = SimulatedOathProfile(resourceId: oath.resourceId)
        oathProfiles[ProfileOwner(realm: order.realm, user: order.user)] = profile
        return OneTimeCode(uri: oath.uri(settings, order), secret: oath.secret)
    }

    /// Throws an error if the user already has one-time passwords and the settings do not allow several
    /// devices.
    ///
    /// A node of a real server shows no code to such a user.
    private func checkOneTimePasswords(of order: RegistrationOrder) throws(SimulatorError) {
        let owner = ProfileOwner(realm: order.realm, user: order.user)
        guard settings.allowsSeveralDevices || oathProfiles[owner] == nil else {
            let reason = "\(order.user) has one-time passwords; reset the one-time passwords, and try again."
            throw SimulatorError(code: .alreadyRegistered, reason: reason)
        }
    }

    /// Polls the state of a registration, as a registration page does.
    ///
    /// If the device has answered with all required data, and the registration has not expired, the poll stores the
    /// device.
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

    /// Stores the profile of a device if the claims contain all data that a profile requires, and returns whether
    /// it was stored.
    ///
    /// If the settings do not allow several devices, the user's earlier profiles are removed.
    private mutating func store(_ waiting: WaitingRegistration, _ claims: JSONValue, at now: Date) -> Bool {
        let identity = ["mechanismUid", "deviceId", "deviceType"].map { claims[$0]?.nonEmptyText ?? "" }
        guard settings.has(.blankProfiles) || !identity.contains("") else { return false }
        if !settings.allowsSeveralDevices { resetDevices(of: waiting.user, in: waiting.realm) }
        var device = SimulatedDevice(
            mechanismUid: identity[0],
            sharedSecret: waiting.registration.sharedSecret,
            deviceToken: identity[1],
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

    /// Returns the devices of a user, in the order of registration.
    ///
    /// Servers send pushes to the first device.
    /// - Parameters:
    ///   - user: The user's name.
    ///   - realm: The user's realm.
    /// - Returns: The devices; empty if the user has no device.
    public func devices(of user: String, in realm: Realm = .root) -> [SimulatedDevice] {
        devices.values.filter { $0.user == user && $0.realm == realm }.sorted { $0.number < $1.number }
    }

    /// Creates an id in the server's format: a kind, a random UUID and, without a separator, the time in
    /// milliseconds.
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

/// The data of a code's one-time passwords.
private struct Oath {
    let order: OneTimeCodeOrder
    let secret: SharedSecret
    let resourceId: String
}

extension PushRegistration {
    /// Returns the registration URI in the server's format, with the server's order and encoding of
    /// parameters.
    ///
    /// A combined code merges the parameters for push with the parameters for one-time passwords. A parameter that
    /// exists in both is at the position of the push parameter, but has the value for one-time passwords. So the
    /// address of the image is plain text, not base64url.
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
    /// The parameter for the hash function.
    ///
    /// Servers write the hash function only into codes for TOTP, and never write SHA-1.
    var algorithm: (name: String, value: String?) {
        guard case .time = order.movingFactor, order.algorithm != .sha1 else { return ("algorithm", nil) }
        return ("algorithm", order.algorithm.rawValue.uppercased())
    }

    /// Returns the registration URI that enrols only one-time passwords, in the server's format.
    ///
    /// The encoding differs from the encoding of codes for push.
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
    /// Returns the parameters in the order of the scanned QR code.
    ///
    /// A script in the registration page creates the QR code from a hash table, which determines this order.
    fileprivate func inScannedOrder(isModule: Bool) -> Self {
        let colour = isModule ? ["b", "r"] : ["r", "b"]
        let order = ["a", "uid", "image"] + colour + ["s", "c", "pid", "l", "m", "issuer"]
        return order.flatMap { name in filter { $0.name == name } } + filter { !order.contains($0.name) }
    }
}

extension ServiceSettings {
    /// Returns bytes as base64url, with padding only if ``ServerAlternative/paddedCodes`` is set.
    fileprivate func encoded(_ bytes: Data) -> String {
        let text = Base64.encodeURLSafe(bytes)
        return has(.paddedCodes) ? text.padded(to: 4) : text
    }

    /// Returns the label of a registration URI.
    ///
    /// Before 7.3, and in modules of every version, the label contains the word `forgerock` instead of the
    /// issuer.
    fileprivate func label(_ account: AccountProfile, isModule: Bool) -> String {
        guard !isModule else { return "forgerock:\(account.accountName)" }
        let issuer = version < .v7_3 ? "forgerock" : account.issuer
        return "\(escaped(issuer)):\(labelled(account.accountName))"
    }

    /// Returns the form that an account's name has in a label.
    fileprivate func labelled(_ account: String) -> String {
        version == .v7_1 && has(.rawLabels) ? account : escaped(account)
    }

    /// Returns the text with percent-encoding.
    ///
    /// By default, characters that a URL's fragment may contain, such as `:`, `/`, `?`, `@`, `&`, `=` and `+`, are
    /// not encoded.
    fileprivate func escaped(_ text: String) -> String {
        let marks = has(.escapedLabels) ? "-._~" : "-._~!$'()*,;&=@:+/?"
        let plain = CharacterSet(charactersIn: marks).union(.asciiAlphanumerics)
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }
}

extension String {
    /// Returns the text, padded with `=` until its length is a multiple of a number.
    fileprivate func padded(to multiple: Int) -> String {
        self + String(repeating: "=", count: (multiple - utf8.count % multiple) % multiple)
    }
}

extension JSONValue {
    /// The value if it is non-empty text; otherwise `nil`.
    var nonEmptyText: String? { string?.nonEmpty }
}

extension CharacterSet {
    fileprivate static let asciiAlphanumerics = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    )
}

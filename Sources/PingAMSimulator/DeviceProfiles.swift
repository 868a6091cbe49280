public import Foundation
import PushBridgeCore

/// The kinds of device profiles.
enum DeviceKind: String, Sendable {
    case push
    case oath
}

/// A request to a user's device profiles.
///
/// For push, the path is `/json…/users/{user}/devices/2fa/push[/{id}]`, or the same path without `2fa`. For
/// one-time passwords, the path ends with `/devices/2fa/oath[/{id}]`.
struct DeviceRequest {
    let kind: DeviceKind
    let realm: Realm
    let user: String
    /// The profile's id, if the path contains one.
    let resourceId: String?
    /// Whether the path has no `2fa`.
    let isOld: Bool

    /// Parses the path of a request; `nil` if the path does not belong to device profiles.
    init?(_ request: SimulatedRequest) {
        let parts = request.path.split(separator: "/")
        guard let json = parts.firstIndex(of: "json"), let users = parts.lastIndex(of: "users"), users > json,
            case let rest = parts[(users + 1)...], let user = rest.first,
            let realm = Realm(parts[(json + 1)..<users], query: request.query)
        else { return nil }
        isOld = rest.dropFirst(2).first == "push"
        let collection: [Substring] = isOld ? ["devices"] : ["devices", "2fa"]
        let name = rest.dropFirst(1 + collection.count)
        let id = name.dropFirst()
        guard rest.dropFirst().starts(with: collection), id.count <= 1,
            let kind = name.first.flatMap({ DeviceKind(rawValue: String($0)) })
        else { return nil }
        self.kind = kind
        self.realm = realm
        self.user = String(user)
        resourceId = id.first.map(String.init)
    }
}

/// The device profile for a user's one-time passwords.
struct SimulatedOathProfile: Sendable {
    let resourceId: String
}

/// A user's choice to skip the step of a login that uses one kind of device.
struct SkippedDevices: Hashable, Sendable {
    let owner: ProfileOwner
    let kind: DeviceKind
}

/// The owner and the rights of a session.
struct SimulatedSession: Sendable {
    let realm: Realm
    let user: String
    let isAdministrator: Bool
}

/// A user of a realm.
struct ProfileOwner: Hashable, Sendable {
    let realm: Realm
    let user: String
}

extension SimulatedService {
    /// The name of the cookie or header that contains a session.
    public static let sessionCookie = "iPlanetDirectoryPro"

    /// Creates a session for a user, without checking the user's credentials.
    /// - Parameters:
    ///   - user: The user name.
    ///   - realm: The user's realm.
    ///   - isAdministrator: Whether the session may read and change the profiles of other users.
    /// - Returns: The session, for the cookie ``sessionCookie``.
    public mutating func createSession(
        for user: String,
        in realm: Realm = .root,
        isAdministrator: Bool = false
    ) -> String {
        let token = chance.uuid()
        sessions[token] = SimulatedSession(realm: realm, user: user, isAdministrator: isAdministrator)
        return token
    }

    /// Removes a device token from the devices that have it, because APNs no longer accepts the token.
    ///
    /// Devices that lost the token receive no pushes until they send a token again.
    ///
    /// - Parameters:
    ///   - token: The device token.
    ///   - end: The date when the token became invalid, as APNs reports it. A device that sent the token
    ///     after this date keeps the token. `nil` removes the token from all devices.
    /// - Returns: The mechanism ids of the devices that lost the token.
    public mutating func forgetToken(_ token: String, goneAt end: Date? = nil) -> [String] {
        let gone = devices.values.filter { device in
            guard device.deviceToken == token else { return false }
            guard let end, let sentAt = device.tokenTime else { return true }
            return sentAt <= end
        }
        let known = gone.map(\.mechanismUid).sorted()
        for mechanismUid in known { devices[mechanismUid]?.deviceToken = "" }
        return known
    }

    /// Disables or enables the endpoint of a device at Amazon's Simple Notification Service.
    ///
    /// - Parameters:
    ///   - isEnabled: Whether the service sends pushes to the device from now on.
    ///   - mechanismUid: The id of the device's mechanism.
    /// - Returns: Whether the device exists.
    public mutating func enableEndpoint(_ isEnabled: Bool, of mechanismUid: String) -> Bool {
        devices[mechanismUid]?.isEndpointEnabled = isEnabled
        return devices[mechanismUid] != nil
    }

    /// Removes the profiles of all devices of a user.
    ///
    /// By default, pushes that were sent earlier can still be answered.
    /// - Parameters:
    ///   - user: The user's name.
    ///   - realm: The user's realm.
    public mutating func resetDevices(of user: String, in realm: Realm = .root) {
        for device in devices(of: user, in: realm) { removeDevice(device.mechanismUid) }
    }

    /// Removes the device profile for a user's one-time passwords.
    /// - Parameters:
    ///   - user: The user's name.
    ///   - realm: The user's realm.
    public mutating func resetOneTimePasswords(of user: String, in realm: Realm = .root) {
        oathProfiles[ProfileOwner(realm: realm, user: user)] = nil
    }

    mutating func answer(
        _ devices: DeviceRequest,
        _ request: SimulatedRequest
    ) throws(Refusal) -> SimulatedResponse {
        let isOld = settings.has(.oldProfilePath) && settings.version < .v7_5
        guard settings.realms.contains(devices.realm), devices.isOld == (isOld && devices.kind == .push)
        else {
            throw .notFound("There are no device profiles at this path.")
        }
        try checkSession(of: request, for: devices)
        let profiles = profiles(for: devices)
        switch (request.method, devices.resourceId) {
        case ("GET", nil):
            return SimulatedResponse(
                json: [
                    "result": .array(profiles.map(\.json)),
                    "resultCount": .integer(profiles.count),
                    "pagedResultsCookie": .null,
                    "totalPagedResultsPolicy": "NONE",
                    "totalPagedResults": -1,
                    "remainingPagedResults": -1,
                ]
            )
        case ("POST", nil):
            return SimulatedResponse(json: try act(on: devices, request))
        case ("DELETE", let id?):
            let profile = try Self.profile(id, among: profiles)
            remove(profile, devices)
            return SimulatedResponse(json: profile.json)
        case ("PUT", let id?) where devices.kind == .push && settings.version.updatesProfiles:
            let profile = try Self.profile(id, among: profiles)
            guard case .string(let name)? = JSONValue(message: request.body)?["deviceName"] else {
                throw .badRequest("The member \"deviceName\" is missing.")
            }
            self.devices[profile.mechanismUid]?.deviceName = name
            return SimulatedResponse(json: try Self.profile(id, among: self.profiles(for: devices)).json)
        default:
            throw Refusal(status: 501, message: "Not supported", isReported: true)
        }
    }

    /// Performs the `_action` of a request: removes a user's profiles of one kind, or reads or stores the user's choice
    /// to skip this kind.
    private mutating func act(
        on devices: DeviceRequest,
        _ request: SimulatedRequest
    ) throws(Refusal) -> JSONValue {
        let owner = ProfileOwner(realm: devices.realm, user: devices.user)
        let skip = SkippedDevices(owner: owner, kind: devices.kind)
        switch request.query["_action"] {
        case "reset":
            for profile in profiles(for: devices) { remove(profile, devices) }
            return ["result": true]
        case "check":
            return ["result": .bool(skips.contains(skip))]
        case "skip":
            guard case .bool(let isSkipped)? = JSONValue(message: request.body)?["value"] else {
                throw .uncaught("value is not a Boolean.")
            }
            if isSkipped { skips.insert(skip) } else { skips.remove(skip) }
            return [:]
        default:
            throw Refusal(status: 501, message: "Not supported", isReported: true)
        }
    }

    /// A profile in the form that its owner receives.
    ///
    /// If the profile is for one-time passwords, the mechanism id of the device is empty.
    private struct Profile {
        let resourceId: String
        let json: JSONValue
        var mechanismUid = ""
    }

    private func profiles(for request: DeviceRequest) -> [Profile] {
        switch request.kind {
        case .push:
            return devices(of: request.user, in: request.realm).map { device in
                Profile(
                    resourceId: device.resourceId,
                    json: device.profile,
                    mechanismUid: device.mechanismUid
                )
            }
        case .oath:
            let owner = ProfileOwner(realm: request.realm, user: request.user)
            guard let id = oathProfiles[owner]?.resourceId else { return [] }
            let json: JSONValue = ["_id": .string(id), "uuid": .string(id), "deviceName": "OATH Device"]
            return [Profile(resourceId: id, json: json)]
        }
    }

    private static func profile(_ id: String, among profiles: [Profile]) throws(Refusal) -> Profile {
        guard let profile = profiles.first(where: { $0.resourceId == id }) else {
            throw .notFound("User device, \(id), not found.")
        }
        return profile
    }

    private mutating func remove(_ profile: Profile, _ request: DeviceRequest) {
        switch request.kind {
        case .push: removeDevice(profile.mechanismUid)
        case .oath: resetOneTimePasswords(of: request.user, in: request.realm)
        }
    }

    private func checkSession(of request: SimulatedRequest, for devices: DeviceRequest) throws(Refusal) {
        let cookies = (request.headers["cookie"] ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        let cookie = cookies.first { $0.hasPrefix("\(Self.sessionCookie)=") }
            .map { String($0.dropFirst(Self.sessionCookie.count + 1)) }
        let token = cookie ?? request.headers[Self.sessionCookie.lowercased()] ?? ""
        guard let session = sessions[token] else {
            throw Refusal(status: 401, message: "Access Denied", isReported: true)
        }
        let isOwn = session.user == devices.user && session.realm == devices.realm
        guard isOwn || session.isAdministrator else {
            throw Refusal(status: 403, message: "User not permitted.", isReported: true)
        }
    }
}

extension SimulatedDevice {
    /// The device in the form that its owner receives.
    ///
    /// As on real servers, this form does not contain the secret.
    fileprivate var profile: JSONValue {
        var members: [String: JSONValue] = [
            "_id": .string(resourceId),
            "uuid": .string(resourceId),
            "deviceName": .string(deviceName),
            "deviceMechanismUID": .string(mechanismUid),
            "deviceId": .string(deviceToken),
            "deviceType": .string(deviceType),
            "communicationType": .string(communicationType),
            "communicationId": .string(communicationId),
            "issuer": .string(account.issuer),
        ]
        members["lastAccessDate"] = lastAccess.map { .integer(Int($0.millisecondsSince1970)) }
        return .object(members)
    }

    /// The name of the device's endpoint at Amazon's Simple Notification Service.
    ///
    /// The name depends only on the device token and the communication type.
    var communicationId: String {
        let application = communicationType == "apns" ? "APNS" : "GCM"
        var chance = Chance(seed: deviceToken.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        return "arn:aws:sns:us-east-1:000000000000:endpoint/\(application)/simulator/\(chance.uuid())"
    }

    /// Stores the device type and the communication type from a registration or a token update, and enables the
    /// endpoint.
    mutating func take(_ claims: JSONValue) {
        isEndpointEnabled = true
        deviceType = claims["deviceType"]?.nonEmptyText ?? ""
        communicationType = claims["communicationType"]?.nonEmptyText ?? ""
    }
}

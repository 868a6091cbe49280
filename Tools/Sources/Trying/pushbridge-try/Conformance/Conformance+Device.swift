import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals

/// The device that was enrolled with the registration URI.
struct EnrolledDevice {
    /// The device token if the user gave no token of a real device.
    static let noToken = String(repeating: "0", count: 64)
    static let name = "Conformance"

    let registration: PushRegistration
    let mechanismUid: String
    let token: String
    /// Whether the server accepted a token update.
    var wasUpdated = false
    /// Whether the login page has certainly received an approval by the device.
    var hasLoggedIn = false

    var secret: SharedSecret { registration.sharedSecret }
    /// The user's name; the account's name if the code does not contain the user's name.
    var user: String { registration.userId ?? registration.account.accountName }
    fileprivate var updateAddress: String {
        registration.endpoints.registration
            .replacingOccurrences(of: "_action=register", with: "_action=refresh")
    }
}

extension Conformance {
    /// Tries invalid enrolments, which the server must refuse, and then enrols a device.
    ///
    /// Returns `nil` if the server refuses even the valid enrolment.
    mutating func enrol(_ registration: PushRegistration) async throws -> EnrolledDevice? {
        let device = EnrolledDevice(
            registration: registration,
            mechanismUid: UUID().uuidString,
            token: deviceToken
        )
        func question(_ response: String, _ secret: SharedSecret) -> Question {
            let claims: JSONValue = [
                "response": .string(response), "mechanismUid": .string(device.mechanismUid),
                "deviceId": .string(device.token), "deviceName": .string(EnrolledDevice.name),
                "deviceType": "ios", "communicationType": "apns",
            ]
            var question = Question(
                registration.endpoints.registration,
                [
                    "messageId": .string(registration.messageId),
                    "jwt": .string(secret.signedToken(claims: claims.data)),
                ]
            )
            question.cookie = registration.loadBalancer
            return question
        }
        let response = device.secret.response(to: registration.challenge)
        try await ask(.enrolForeign, question(response, .random()))
        try await ask(.enrolWrong, question("AAAA", device.secret))
        try await ask(.enrolURLSafe, question(response.inURLSafeBase64, device.secret))
        let found = try await ask(.enrolment, question(response, device.secret))
        guard found.hasPrefix("200") else {
            untried.append("Token updates and answers need an enrolled device.")
            return nil
        }
        try await ask(.enrolTwice, question(response, device.secret))
        _ = try await supply?.look(afterRegistration: registration.messageId)
        return device
    }

    /// Updates the device's token, first correctly and, if the server accepts this update, with each kind of fault.
    mutating func update(_ device: inout EnrolledDevice, _ unknown: String) async throws {
        let (uid, address) = (device.mechanismUid, device.updateAddress)
        let usual: [String: JSONValue] = [
            "mechanismUid": .string(uid), "deviceId": .string(device.token),
            "deviceName": .string(EnrolledDevice.name), "deviceType": "ios", "communicationType": "apns",
        ]
        let (secret, user, cookie) = (device.secret, device.user, device.registration.loadBalancer)
        func question(
            without missing: String? = nil,
            claim: String? = nil,
            signedBy signer: SharedSecret? = nil,
            token: String? = nil,
            user other: String? = nil
        ) -> Question {
            let claims = JSONValue.object(usual.filter { $0.key != claim })
            var body: [String: JSONValue] = [
                "mechanismUid": .string(uid), "username": .string(other ?? user),
                "jwt": .string(token ?? (signer ?? secret).signedToken(claims: claims.data)),
            ]
            if let missing { body[missing] = nil }
            var question = Question(address, .object(body))
            question.cookie = cookie
            return question
        }
        let namesUser = device.registration.userId != nil
        var answer = try await environment.ask(question())
        // The server stores the device when the page of the code polls. Until then, the update is repeated.
        for second in 0..<Self.patience where answer.words == "400" {
            let left = Self.patience - second
            await environment.report("waiting until the registration page stores the device: \(left) s left")
            try await environment.pause(.seconds(1))
            answer = try await environment.ask(question())
        }
        record(.updateOfDevice(unknown, namesUser: namesUser), answer)
        guard answer.status == 200 else {
            if candidates.contains(where: \.version.takesNewTokens) {
                untried.append(
                    "Faulty token updates are tested only after the server has accepted a correct one."
                )
            }
            return
        }
        device.wasUpdated = true
        try await ask(.updateForeign(unknown), question(signedBy: .random()))
        try await ask(.updateWithoutMechanism(unknown), question(without: "mechanismUid"))
        try await ask(.updateWithoutUser(unknown), question(without: "username"))
        try await ask(.updateWithoutToken(unknown), question(without: "jwt"))
        try await ask(.updateWithGarbage(unknown), question(token: "none"))
        try await ask(.updateWithoutWay(unknown), question(claim: "communicationType"))
        try await ask(.updateWithoutDevice(unknown), question(claim: "deviceId"))
        // The server may have stored the profile without the type of the device. The second update restores
        // the type.
        if try await ask(.updateWithoutType(unknown), question(claim: "deviceType")) == "200" {
            _ = try await environment.ask(question())
        }
    }

    /// Reads the user's profiles, and updates the profile of the enrolled device.
    ///
    /// If pushes may be answered, the profile is removed at the end.
    mutating func lookAtProfiles(of user: String, session: String, _ device: EnrolledDevice?) async throws {
        guard let name = user.addingPercentEncoding(withAllowedCharacters: .inPathSegments) else {
            throw CommandFailure(status: .usage, sentence: "The user's name is not valid text.")
        }
        await environment.report("looking at the profiles of the user")
        let cookie = "\(SimulatedService.sessionCookie)=\(session)"
        func place(_ folder: String) -> String { "\(base)/users/\(name)/devices/\(folder)" }
        var folder = "2fa/push"
        var answer = try await environment.ask(
            Question("GET", "\(place(folder))?_queryFilter=true", cookie: cookie)
        )
        // The path is known for servers from 7.5 on. Earlier servers may have a different path.
        if answer.status == 404, candidates.contains(where: { $0.version < .v7_5 }) {
            folder = "push"
            answer = try await environment.ask(
                Question("GET", "\(place(folder))?_queryFilter=true", cookie: cookie)
            )
        }
        record(.profiles, answer.status == 200 ? "200 at devices/\(folder)" : "\(answer.status)")
        guard answer.status == 200, case .array(let profiles)? = answer.json?["result"] else {
            return untried.append(
                "The server returned no profiles: the session may be another user's, or expired."
            )
        }
        let stranger = try await environment.ask(Question("GET", "\(place(folder))?_queryFilter=true"))
        record(.profilesOfAnother, "\(stranger.status)")
        let check = try await environment.ask(
            Question("POST", "\(place(folder))?_action=check", cookie: cookie)
        )
        record(.checkOfProfiles, "\(check.status)")
        let unknown = UUID().uuidString.lowercased()
        try await remove("\(place(folder))/\(unknown)", cookie, .removalOfUnknown)

        let own = profiles.first { profile in
            device.map { profile["deviceMechanismUID"] == .string($0.mechanismUid) } ?? false
        }
        let isPresent = profiles.contains { if case .integer? = $0["lastAccessDate"] { true } else { false } }
        let wasApproved = own != nil && device?.hasLoggedIn == true
        // If a device approved no login, its profile contains no last login, so the absence of the value is not
        // informative.
        if !profiles.isEmpty {
            record(.lastLogin(wasApproved: wasApproved), isPresent ? "present" : "absent")
        }
        if isPresent || wasApproved { settled.insert(.profile) }
        guard let device, let own else { return }
        let isItsOwn = own["deviceName"] == .string(EnrolledDevice.name)
        let deviceName = own["deviceName"]?.plainText ?? "absent"
        record(.deviceName(wasUpdated: device.wasUpdated), isItsOwn ? "its own" : deviceName)
        guard let id = own["uuid"]?.plainText ?? own["_id"]?.plainText else { return }
        try await updateProfile("\(place(folder))/\(id)", cookie)
        guard let supply else { return }
        try await removeProfile("\(place(folder))/\(id)", cookie, of: device, supply)
        // A reset would also remove the other devices of the user.
        guard profiles.count == 1 else { return }
        let reset = try await environment.ask(
            Question("POST", "\(place(folder))?_action=reset", cookie: cookie)
        )
        record(.reset, "\(reset.status)\(reset.json?["result"] == true ? ", result true" : "")")
    }

    /// Updates the profile with the name that an earlier token update set.
    private mutating func updateProfile(_ address: String, _ cookie: String) async throws {
        var question = Question("PUT", address, cookie: cookie)
        question.body = ["deviceName": .string(EnrolledDevice.name)]
        let found = "\(try await environment.ask(question).status)"
        record(.updateOfProfile, found)
        if !ConformanceCheck.updateOfProfile.fitting(found).isEmpty { settled.insert(.update) }
    }

    private mutating func removeProfile(
        _ address: String,
        _ cookie: String,
        of device: EnrolledDevice,
        _ supply: any PushSupply
    ) async throws {
        let push = try await next(.default, for: device, from: supply)
        try await remove(address, cookie, .removal)
        try await remove(address, cookie, .secondRemoval)
        guard let push else {
            return untried.append("An answer after the removal of the profile needs one more push.")
        }
        try await ask(.orphan, device.answer(to: push))
    }

    private mutating func remove(_ address: String, _ cookie: String, _ check: ConformanceCheck) async throws
    {
        let answer = try await environment.ask(Question("DELETE", address, cookie: cookie))
        record(check, "\(answer.status)")
    }
}

extension String {
    /// The text, which is standard base64, in the URL-safe alphabet without padding.
    var inURLSafeBase64: String {
        replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}

extension CharacterSet {
    /// The characters that a path component may contain unescaped.
    fileprivate static let inPathSegments = CharacterSet.urlPathAllowed.subtracting(["/", ";"])
}

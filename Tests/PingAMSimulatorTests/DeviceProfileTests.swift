import Foundation
import PingAMSimulator
import PushBridgeCore
import Testing

@Suite("Device profiles")
struct DeviceProfileTests {
    @Test func ownerSeesAndRemovesTheProfile() async throws {
        let enrolment = try await Enrolment.start()
        let owner = Owner(enrolment)
        let list = try await owner.send("GET", "?_queryFilter=true")
        #expect(list.body?["resultCount"] == 1)
        #expect(!(list.body?.text.contains("sharedSecret") ?? true))
        guard case .array(let profiles)? = list.body?["result"] else { throw CocoaError(.coderInvalidValue) }
        let profile = try #require(profiles.first)
        #expect(profile["deviceType"] == "ios")
        #expect(profile["communicationType"] == "apns")
        guard case .string(let name)? = profile["communicationId"] else {
            throw CocoaError(.coderInvalidValue)
        }
        #expect(name.hasPrefix("arn:aws:sns:"))
        let id = try #require(enrolment.credential.deviceResourceId)
        #expect(try await owner.send("DELETE", "/\(id)").status == 200)
        let again = try await owner.send("DELETE", "/\(id)")
        #expect(again.status == 404)
        #expect(again.body?["message"] == .string("User device, \(id), not found."))
        #expect(enrolment.server.withService { $0.devices }.isEmpty)
    }

    @Test func resetRemovesAllProfiles() async throws {
        let enrolment = try await Enrolment.start()
        let answer = try await Owner(enrolment).send("POST", "?_action=reset")
        #expect(answer == Answer(status: 200, body: ["result": true]))
        #expect(enrolment.server.withService { $0.devices }.isEmpty)
    }

    @Test(arguments: [(nil, 401), ("another", 403), ("user-1", 200)] as [(String?, Int)])
    func onlyTheOwnerCanReadDeviceProfiles(_ user: String?, _ status: Int) async throws {
        let enrolment = try await Enrolment.start()
        #expect(try await Owner(enrolment, user: user).send("GET", "?_queryFilter=true").status == status)
    }

    @Test func anAdministratorCanResetTheDevicesOfAnotherUser() async throws {
        let enrolment = try await Enrolment.start()
        let owner = Owner(enrolment, user: "amadmin", isAdministrator: true)
        #expect(try await owner.send("POST", "?_action=reset").status == 200)
    }

    /// From 8.0.0 on, a node that finds an approval writes the date of the login into the profile; a module does not.
    @Test(arguments: [
        (ServerVersion.v7_5, PushSender.node, false), (.v8_0_0, .node, true), (.v8_0_0, .module, false),
    ])
    func profileContainsTheLastApprovedLogin(
        _ version: ServerVersion,
        _ sender: PushSender,
        _ isWritten: Bool
    ) async throws {
        var settings = ServiceSettings()
        settings.version = version
        settings.sender = sender
        let enrolment = try await Enrolment.start(settings: settings)
        let push = try enrolment.push()
        #expect(try await enrolment.answer(.approve, to: push) == .accepted)
        #expect(enrolment.server.look(afterPush: push.messageId) == .approved)
        let list = try await Owner(enrolment).send("GET", "?_queryFilter=true")
        guard case .array(let profiles)? = list.body?["result"] else { throw CocoaError(.coderInvalidValue) }
        #expect(profiles.first?["lastAccessDate"] == (isWritten ? 1_700_000_000_125 : nil))
    }

    // MARK: - Skipping a kind of device

    @Test(arguments: ["push", "oath"])
    func aKindOfDeviceIsSkippedOnceTheUserSkipsIt(_ kind: String) async throws {
        let owner = Owner(try await Enrolment.start())
        #expect(try await owner.act("check", kind) == Answer(status: 200, body: ["result": false]))
        #expect(try await owner.act("skip", kind, ["value": true]) == .accepted)
        #expect(try await owner.act("check", kind) == Answer(status: 200, body: ["result": true]))
    }

    @Test(arguments: [("push", "oath"), ("oath", "push")])
    func skippingOneKindOfDeviceDoesNotSkipTheOtherKind(_ kind: String, _ other: String) async throws {
        let owner = Owner(try await Enrolment.start())
        #expect(try await owner.act("skip", kind, ["value": true]) == .accepted)
        #expect(try await owner.act("check", other).body == ["result": false])
    }

    @Test(arguments: ["push", "oath"])
    func theUserCanStopSkippingAKindOfDevice(_ kind: String) async throws {
        let owner = Owner(try await Enrolment.start())
        #expect(try await owner.act("skip", kind, ["value": true]) == .accepted)
        #expect(try await owner.act("skip", kind, ["value": false]) == .accepted)
        #expect(try await owner.act("check", kind).body == ["result": false])
    }

    @Test(arguments: ["push", "oath"])
    func skippingWithoutAValueIsAnsweredWithStatus500(_ kind: String) async throws {
        let owner = Owner(try await Enrolment.start())
        #expect(try await owner.act("skip", kind).status == 500)
        #expect(try await owner.act("check", kind).body == ["result": false])
    }

    @Test(arguments: ["push", "oath"])
    func anUnknownActionOnDeviceProfilesIsAnsweredWithStatus501(_ kind: String) async throws {
        let owner = Owner(try await Enrolment.start())
        #expect(try await owner.act("dance", kind).status == 501)
    }

    // MARK: - The profile of one-time passwords

    @Test func theListOfOneTimePasswordsContainsOnlyTheirOwnProfile() async throws {
        let enrolment = try await Enrolment.start()
        let owner = Owner(enrolment)
        try enrolment.createOneTimePasswords()
        let id = try await owner.oneTimePasswordID
        let profile: JSONValue = ["_id": .string(id), "uuid": .string(id), "deviceName": "OATH Device"]
        let list = try await owner.send("GET", "?_queryFilter=true", of: "oath")
        #expect(list.body?["result"] == .array([profile]))
    }

    @Test func removingTheOneTimePasswordsPreservesTheProfileOfPush() async throws {
        let enrolment = try await Enrolment.start()
        let owner = Owner(enrolment)
        try enrolment.createOneTimePasswords()
        let id = try await owner.oneTimePasswordID
        #expect(try await owner.send("DELETE", "/\(id)", of: "oath").status == 200)
        #expect(try await owner.send("GET", "?_queryFilter=true", of: "oath").body?["resultCount"] == 0)
        #expect(try await owner.send("GET", "?_queryFilter=true").body?["resultCount"] == 1)
    }

    @Test func removingUnknownOneTimePasswordsIsAnsweredWithStatus404() async throws {
        let enrolment = try await Enrolment.start()
        let owner = Owner(enrolment)
        try enrolment.createOneTimePasswords()
        #expect(try await owner.send("DELETE", "/other", of: "oath").status == 404)
        #expect(try await owner.send("GET", "?_queryFilter=true", of: "oath").body?["resultCount"] == 1)
    }

    @Test func theUserCanCreateOneTimePasswordsAgainAfterTheirRemoval() async throws {
        let enrolment = try await Enrolment.start()
        let owner = Owner(enrolment)
        try enrolment.createOneTimePasswords()
        let id = try await owner.oneTimePasswordID
        #expect(throws: SimulatorError.self) { try enrolment.createOneTimePasswords() }
        #expect(try await owner.send("DELETE", "/\(id)", of: "oath").status == 200)
        try enrolment.createOneTimePasswords()
    }

    @Test func theUserCanCreateOneTimePasswordsAgainAfterAReset() async throws {
        let enrolment = try await Enrolment.start()
        let owner = Owner(enrolment)
        try enrolment.createOneTimePasswords()
        #expect(throws: SimulatorError.self) { try enrolment.createOneTimePasswords() }
        #expect(try await owner.act("reset", "oath").body == ["result": true])
        try enrolment.createOneTimePasswords()
    }

    // MARK: - Changes of a profile

    /// PingAM 8.1.0 can change a push profile with `PUT`; earlier versions respond with status 501.
    @Test(arguments: [(ServerVersion.v8_0_2, 501), (.v8_1_0, 200)])
    func theNameOfADeviceCanBeChangedSinceVersion81(_ version: ServerVersion, _ status: Int) async throws {
        var settings = ServiceSettings()
        settings.version = version
        let enrolment = try await Enrolment.start(settings: settings)
        let owner = Owner(enrolment)
        let id = try #require(enrolment.credential.deviceResourceId)
        let answer = try await owner.send("PUT", "/\(id)", of: "push", ["deviceName": "Snake"])
        #expect(answer.status == status)
        guard status == 200 else { return }
        #expect(answer.body?["deviceName"] == "Snake")
        #expect(try await owner.send("PUT", "/\(id)", of: "push", [:]).status == 400)
        #expect(try await owner.send("PUT", "/other", of: "push", ["deviceName": "Snake"]).status == 404)
    }

    @Test func sentPushIsAnsweredAfterTheProfileWasRemoved() async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        _ = try await Owner(enrolment).send("POST", "?_action=reset")
        #expect(try await enrolment.answer(.approve, to: push) == .accepted)
        let error = #expect(throws: SimulatorError.self) { try enrolment.push() }
        #expect(error?.code == .unknownMechanism)
    }
}

extension Enrolment {
    /// Creates a one-time-password profile for the user of this enrolment.
    fileprivate func createOneTimePasswords() throws {
        var order = RegistrationOrder(issuer: "Forge", account: "demo", realm: "/alpha")
        order.userId = "user-1"
        order.codes = OneTimeCodeOrder()
        _ = try server.createOneTimeCode(order)
    }
}

/// A caller of the profile endpoints, with or without a session.
private struct Owner {
    let enrolment: Enrolment
    let session: String?

    init(_ enrolment: Enrolment, user: String? = "user-1", isAdministrator: Bool = false) {
        self.enrolment = enrolment
        session = user.map { user in
            enrolment.server.withService {
                $0.createSession(for: user, in: "/alpha", isAdministrator: isAdministrator)
            }
        }
    }

    /// The id of the user's one-time-password profile.
    var oneTimePasswordID: String {
        get async throws {
            let list = try await send("GET", "?_queryFilter=true", of: "oath")
            guard case .array(let profiles)? = list.body?["result"],
                case .string(let id)? = profiles.first?["uuid"]
            else {
                throw CocoaError(.coderInvalidValue)
            }
            return id
        }
    }

    /// Sends an action for the user's profiles of one kind: `push` or `oath`.
    func act(_ action: String, _ kind: String, _ body: JSONValue? = nil) async throws -> Answer {
        try await send("POST", "?_action=\(action)", of: kind, body)
    }

    func send(
        _ method: String,
        _ rest: String,
        of kind: String = "push",
        _ body: JSONValue? = nil
    ) async throws -> Answer {
        let address =
            "\(enrolment.server.base)/json/realms/root/realms/alpha/users/user-1/devices/2fa/\(kind)\(rest)"
        let cookie = session.map { PushRequest.Header("Cookie", "iPlanetDirectoryPro=\($0)") }
        return try await enrolment.wire.send(
            method,
            address,
            headers: cookie.map { [$0] } ?? [],
            body: body?.data
        )
    }
}

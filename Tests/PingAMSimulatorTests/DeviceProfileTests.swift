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
    func profilesAreTheirOwnersOnly(_ user: String?, _ status: Int) async throws {
        let enrolment = try await Enrolment.start()
        #expect(try await Owner(enrolment, user: user).send("GET", "?_queryFilter=true").status == status)
    }

    @Test func administratorMayRemoveWhatBelongsToOthers() async throws {
        let enrolment = try await Enrolment.start()
        let owner = Owner(enrolment, user: "amadmin", isAdministrator: true)
        #expect(try await owner.send("POST", "?_action=reset").status == 200)
    }

    /// The node's check writes it, since 8.0.0; a module does not.
    @Test(arguments: [
        (ServerVersion.v7_5, PushSender.node, false), (.v8_0_0, .node, true), (.v8_0_0, .module, false),
    ])
    func profileTellsTheLastApprovedLogin(
        _ version: ServerVersion,
        _ sender: PushSender,
        _ isTold: Bool
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
        #expect(profiles.first?["lastAccessDate"] == (isTold ? 1_700_000_000_125 : nil))
    }

    @Test func pushOnItsWayIsAnsweredAfterTheProfileIsGone() async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        _ = try await Owner(enrolment).send("POST", "?_action=reset")
        #expect(try await enrolment.answer(.approve, to: push) == .accepted)
        let error = #expect(throws: SimulatorError.self) { try enrolment.push() }
        #expect(error?.code == .unknownMechanism)
    }
}

/// A caller with a session, or without.
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

    func send(_ method: String, _ rest: String) async throws -> Answer {
        let address =
            "\(enrolment.server.base)/json/realms/root/realms/alpha/users/user-1/devices/2fa/push\(rest)"
        let cookie = session.map { PushRequest.Header("Cookie", "iPlanetDirectoryPro=\($0)") }
        return try await enrolment.wire.send(method, address, headers: cookie.map { [$0] } ?? [])
    }
}

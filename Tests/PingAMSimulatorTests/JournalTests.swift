import Foundation
@_spi(PushBridgeTools) import PingAMSimulator
import PushBridgeCore
import PushBridgeTestSupport
import Testing

struct JournalTests {
    @Test func journalShowsClaimsAndNoSecret() async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        _ = try await enrolment.answer(.deny, to: push)
        _ = try await enrolment.wire.send(
            "POST",
            enrolment.credential.authenticationEndpoint,
            body: Data("?".utf8)
        )
        let journal = enrolment.server.journal
        #expect(journal.map(\.action) == ["register", "authenticate", "authenticate"])
        #expect(journal.map(\.status) == [200, 200, 400])
        #expect(journal[0].claims?["communicationType"] == "apns")
        #expect(journal[1].claims == ["response": try enrolment.response(to: push), "deny": true])
        #expect(journal[1].headers["accept-api-version"] == "resource=1.0, protocol=1.0")
        #expect(journal[2].body == "?")
        let everything = JSONValue.array(journal.map(\.json)).text + "\(enrolment.server.withService { $0 })"
        for secret in enrolment.credential.sharedSecret.spellings {
            #expect(!everything.contains(secret))
        }
    }

    /// The registration page of a node times out after one minute; the registration message times out after two
    /// minutes.
    ///
    /// In the second minute, the device still receives status 200, but the server does not store the device.
    @Test(arguments: [(59.0, true, 1), (60, false, 0), (119, false, 0)])
    func lateRegistrationIsReported(_ seconds: TimeInterval, _ isWaited: Bool, _ devices: Int) async throws {
        let clock = StoppedClock()
        let notes = Guarded<[String?]>([])
        let server = Simulator(
            now: { clock.now },
            observe: { entry in notes.withValue { $0.append(entry.note) } }
        )
        let code = try server.createCode(RegistrationOrder(issuer: "Forge", account: "demo"))
        clock.advance(seconds)
        #expect(try await code.registration.send() == .accepted)
        #expect(server.withService { $0.devices.count } == devices)
        let note =
            "The registration page of this code stopped polling after 60 seconds, so the device is not stored."
        #expect(notes.withValue { $0 } == [isWaited ? nil : note])
        #expect(server.journal.last?.json["note"] == (isWaited ? nil : .string(note)))
    }

    @Test(arguments: [(1.0, "1 second"), (2, "2 seconds")])
    func theNoteContainsTheWaitingTimeOfTheLoginPage(_ patience: TimeInterval, _ words: String) async throws {
        let clock = StoppedClock()
        var settings = ServiceSettings()
        settings.registrationPatience = patience
        let server = Simulator(settings: settings, now: { clock.now })
        let code = try server.createCode(RegistrationOrder(issuer: "Forge", account: "demo"))
        clock.advance(3)
        #expect(try await code.registration.send() == .accepted)
        let note =
            "The registration page of this code stopped polling after \(words), so the device is not stored."
        #expect(server.journal.last?.note == note)
    }

    /// The journal reports an answer that arrives after the login page has timed out.
    ///
    /// From 7.3 on, a login page can time out before its message expires.
    @Test func answerAfterThePageTimedOutIsReported() async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push { $0.timeToLive = 30 }
        _ = enrolment.server.look(afterPush: push.messageId)
        enrolment.clock.advance(31)
        #expect(try await enrolment.answer(.approve, to: push) == .accepted)
        #expect(
            enrolment.server.journal.last?.note == "The login page stopped polling, so the answer is ignored."
        )
        let other = try enrolment.push()
        _ = try await enrolment.answer(.approve, to: other)
        #expect(enrolment.server.journal.last?.note == nil)
    }

    /// The number of members in a body is limited, because decoding thousands of members would delay all other clients.
    @Test(arguments: [(90, 200), (3_500, 400)])
    func aBodyWithTooManyMembersIsRefused(_ count: Int, _ status: Int) async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        let claims: JSONValue = ["response": try enrolment.response(to: push)]
        let jwt = enrolment.credential.sharedSecret.signedToken(claims: claims.data)
        var members: [String: JSONValue] = ["messageId": .string(push.messageId), "jwt": .string(jwt)]
        for index in 0..<count { members["k\(index)"] = .integer(index) }
        let body = JSONValue.object(members)
        let address = enrolment.credential.authenticationEndpoint
        let answer = try await enrolment.wire.send("POST", address, json: body)
        #expect(answer.status == status)
        // The journal contains a refused body as text.
        #expect(enrolment.server.journal.last?.body == (status == 200 ? body : .string(body.text)))
    }

    /// The limit for the number of members also applies to claims; commas in strings are not counted as members.
    @Test(arguments: [(0, 3_500, 200), (90, 0, 200), (3_500, 0, 500)])
    func claimsWithTooManyMembersAreRefused(_ count: Int, _ commas: Int, _ status: Int) async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        var claims: [String: JSONValue] = ["response": try enrolment.response(to: push)]
        claims["text"] = .string("\"" + String(repeating: ",", count: commas))
        for index in 0..<count { claims["k\(index)"] = .integer(index) }
        let all = JSONValue.object(claims)
        #expect(try await enrolment.answer(to: push, claims: all).status == status)
        #expect(enrolment.server.journal.last?.claims == (status == 200 ? all : nil))
    }

    @Test func journalKeepsABoundedNumberOfBytes() {
        var service = SimulatedService()
        let body = Data(repeating: 0x61, count: 1 << 20)
        for index in 0..<20 {
            let path = "/json/\(index)/push/sns/message"
            _ = service.handle(SimulatedRequest("POST", path: path, body: body), at: Date())
        }
        let bytes = service.journal.reduce(0) { $0 + $1.body.text.utf8.count }
        #expect(bytes <= 4 << 20)
        #expect(service.journal.last?.target == "/json/19/push/sns/message")
        #expect(!service.journal.isEmpty)
    }

    @Test func theCountIncludesRequestsThatTheJournalNoLongerContains() async throws {
        let simulator = Simulator()
        let body = Data(repeating: 0x61, count: 1 << 20)
        for index in 0..<20 {
            let path = "/json/\(index)/push/sns/message"
            _ = try await simulator.respond(to: SimulatedRequest("POST", path: path, body: body))
        }
        #expect(simulator.requests(after: 0).count == 20)
        #expect(simulator.requests(after: 0).entries.count < 5)
        #expect(simulator.requests(after: 19).entries.map(\.target) == ["/json/19/push/sns/message"])
        #expect(simulator.requests(after: 20).entries.isEmpty)
    }

    @Test func requestLargerThanTheJournalIsNotKept() {
        var service = SimulatedService()
        let body = Data(repeating: 0x61, count: 5 << 20)
        _ = service.handle(SimulatedRequest("POST", path: "/json", body: body), at: Date())
        #expect(service.journal.isEmpty)
    }
}

extension SharedSecret {
    fileprivate var spellings: [String] {
        [withBase64 { $0 }, withUnsafeBytes { Base64.encodeURLSafe($0) }]
    }
}

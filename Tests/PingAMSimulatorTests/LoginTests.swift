import Foundation
import PingAMSimulator
import PushBridgeCore
import Testing

struct LoginOverHTTP {
    @Test(arguments: [
        (PushType.default, PushAnswer.approve, PushState.approved),
        (.default, .deny, .denied),
        (.biometric, .approveBiometric, .approved),
        (.biometric, .deny, .denied),
        (.challenge, .approveChallenge("34"), .approved),
        (.challenge, .approveChallenge("43"), .denied),
        (.challenge, .deny, .denied),
    ])
    func answerDecidesTheLogin(_ type: PushType, _ answer: PushAnswer, _ state: PushState) async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push(type) { $0.numbers = type == .challenge ? "34, 43,57" : nil }
        #expect(enrolment.server.state(ofPush: push.messageId) == .waiting)
        #expect(try await enrolment.answer(answer, to: push) == .accepted)
        #expect(enrolment.server.state(ofPush: push.messageId) == state)
        #expect(try await enrolment.answer(answer, to: push) == unknownMessage)
    }

    @Test func pushCarriesEverythingThatWasOrdered() async throws {
        let enrolment = try await Enrolment.start()
        let context = #"{"location":{"latitude":1.5,"longitude":2.5},"remoteIp":"10.0.0.1"}"#
        let push = try enrolment.push(.challenge) {
            $0.message = "Is it you?"
            $0.numbers = "34,43,57"
            $0.customPayload = #"{"order":7}"#
            $0.contextInfo = context
            $0.timeToLive = 45
        }
        let notification = try enrolment.notification(push)
        #expect(notification.pushType == .challenge)
        #expect(notification.messageText == "Is it you?")
        #expect(notification.numbersChallenge == "34,43,57")
        #expect(notification.customPayload == #"{"order":7}"#)
        #expect(notification.contextInfo == context)
        #expect(notification.ttl == 45)
        #expect(notification.sentAt == enrolment.clock.now)
        #expect(push.payload["aps"]?["alert"] == "Is it you?")
        #expect(push.payload["aps"]?["content-available"] == "1")
    }

    @Test func loginExpires() async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push { $0.timeToLive = 30 }
        enrolment.clock.advance(29.9)
        #expect(enrolment.server.state(ofPush: push.messageId) == .waiting)
        enrolment.clock.advance(0.1)
        #expect(enrolment.server.state(ofPush: push.messageId) == .expired)
        #expect(try await enrolment.answer(.approve, to: push) == unknownMessage)
    }

    @Test func oneOfManyConcurrentAnswersCounts() async throws {
        let enrolment = try await Enrolment.start()
        let request = try enrolment.request(.approve, to: try enrolment.push())
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await enrolment.wire.send(request).status } }
            return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [200: 1, 400: 49])
    }

    @Test(arguments: ["messageId", "jwt"])
    func bothPartsOfABodyAreRequired(_ absent: String) async throws {
        let enrolment = try await Enrolment.start()
        let complete: [String: JSONValue] = ["messageId": "m", "jwt": "a.b.c"]
        let body = JSONValue.object(complete.filter { $0.key != absent })
        let answer = try await enrolment.wire.send(
            "POST",
            enrolment.credential.authenticationEndpoint,
            json: body
        )
        #expect(answer == .refused("\(absent) is missing."))
    }

    @Test func forgedAnswersLeaveTheLoginWaiting() async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        let claims: JSONValue = ["response": try enrolment.response(to: push)]
        let forged = try await enrolment.answer(to: push, claims: claims, secret: .random())
        #expect(forged == .refused("The signature of the jwt is wrong."))
        let wrong = try await enrolment.answer(to: push, claims: ["response": "AAAA"])
        #expect(wrong == .refused("The response to the challenge is wrong."))
        #expect(enrolment.server.state(ofPush: push.messageId) == .waiting)
        #expect(try await enrolment.answer(.approve, to: push) == .accepted)
    }

    @Test(arguments: [
        (NodeMode.local, JSONValue.bool(true), PushState.denied),
        (.local, .bool(false), .approved),
        (.local, .string("true"), .approved),
        (.local, .null, .approved),
        (.tokenStore, .bool(true), .denied),
        (.tokenStore, .bool(false), .denied),
        (.tokenStore, .null, .denied),
    ])
    func denyClaimDependsOnTheNode(_ mode: NodeMode, _ deny: JSONValue, _ state: PushState) async throws {
        var settings = ServiceSettings()
        settings.topology = .single(mode)
        let enrolment = try await Enrolment.start(settings: settings)
        let push = try enrolment.push()
        let claims: JSONValue = ["response": try enrolment.response(to: push), "deny": deny]
        #expect(try await enrolment.answer(to: push, claims: claims) == .accepted)
        #expect(enrolment.server.state(ofPush: push.messageId) == state)
    }

    @Test func cookieLeadsToTheSender() async throws {
        var settings = ServiceSettings()
        settings.topology = .balanced(nodes: ["01", "02"], tokenStore: false)
        let enrolment = try await Enrolment.start(settings: settings)
        let pushes = [try enrolment.push(), try enrolment.push()]
        for push in pushes {
            #expect(try await enrolment.answer(.approve, to: push) == .accepted)
        }
        let cookies = enrolment.server.journal.map { $0.headers["cookie"] }
        #expect(cookies == ["amlbcookie=01", "amlbcookie=02", "amlbcookie=01"])
        let lost = try enrolment.push()
        let claims: JSONValue = ["response": try enrolment.response(to: lost)]
        #expect(try await enrolment.answer(to: lost, claims: claims) == unknownMessage)
    }

    @Test func withoutItsCookieAnAnswerComesFromTheTokenStore() async throws {
        var settings = ServiceSettings()
        settings.topology = .balanced(nodes: ["01", "02"], tokenStore: true)
        let enrolment = try await Enrolment.start(settings: settings)
        let push = try enrolment.push()
        let claims: JSONValue = ["response": try enrolment.response(to: push), "deny": false]
        #expect(try await enrolment.answer(to: push, claims: claims) == .accepted)
        #expect(enrolment.server.state(ofPush: push.messageId) == .denied)
    }

    @Test func deviceThatRegisteredElsewhereAnswers() async throws {
        let server = Simulator()
        let clock = StoppedClock()
        let secret = SharedSecret.random()
        let account = AccountProfile(issuer: "Old", accountName: "demo")
        let address = "\(server.base)/old/json/alpha/push/sns/message?x=1&_action="
        let credential = PushCredential(
            id: "legacy",
            account: account,
            endpoints: try #require(
                PushEndpoints(registration: address + "register", authentication: address + "authenticate")
            ),
            sharedSecret: secret,
            createdAt: clock.now
        )
        server.withService {
            $0.add(
                SimulatedDevice(
                    mechanismUid: "legacy",
                    sharedSecret: secret,
                    deviceToken: "t",
                    account: account.key,
                    realm: "/alpha"
                )
            )
        }
        let enrolment = Enrolment(server: server, clock: clock, credential: credential)
        let push = try enrolment.push()
        #expect(try await enrolment.answer(.approve, to: push) == .accepted)
        #expect(server.state(ofPush: push.messageId) == .approved)
    }
}

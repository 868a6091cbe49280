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
        #expect(enrolment.server.look(afterPush: push.messageId) == state)
        #expect(try await enrolment.answer(answer, to: push) == refused)
    }

    @Test func theLoginPageReadsTheLastOfSeveralAnswers() async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        #expect(try await enrolment.answer(.deny, to: push) == .accepted)
        #expect(try await enrolment.answer(.approve, to: push) == .accepted)
        #expect(enrolment.server.look(afterPush: push.messageId) == .approved)
        #expect(try await enrolment.answer(.deny, to: push) == refused)
        #expect(enrolment.server.look(afterPush: push.messageId) == .approved)
    }

    @Test func aModuleAcceptsOnlyTheFirstAnswer() async throws {
        var settings = ServiceSettings()
        settings.sender = .module
        let enrolment = try await Enrolment.start(settings: settings)
        let push = try enrolment.push()
        #expect(try await enrolment.answer(.approve, to: push) == .accepted)
        #expect(try await enrolment.answer(.deny, to: push) == refused)
        #expect(enrolment.server.state(ofPush: push.messageId) == .approved)
    }

    @Test func aChallengeAcceptsAnAnswerWithoutANumber() async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push(.challenge)
        let claims: JSONValue = ["response": try enrolment.response(to: push)]
        #expect(try await enrolment.answer(to: push, claims: claims) == .accepted)
        #expect(enrolment.server.state(ofPush: push.messageId) == .approved)
    }

    @Test func anActionDoesNotDetermineTheKindOfMessage() async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        let request = try enrolment.request(.approve, to: push)
        let address = request.url.replacingOccurrences(of: "=authenticate", with: "=register")
        #expect(try await enrolment.wire.send("POST", address, body: request.body) == .accepted)
        #expect(enrolment.server.state(ofPush: push.messageId) == .approved)
    }

    @Test func aPushContainsEachFieldOfItsOrder() async throws {
        let enrolment = try await Enrolment.start()
        let context = #"{"location":{"latitude":1.5,"longitude":2.5},"remoteIp":"10.0.0.1"}"#
        let push = try enrolment.push(.challenge) {
            $0.message = "Is it you?"
            $0.numbers = "43,57,34"
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
        #expect(push.payload["aps"]?["content-available"] == 1)
    }

    @Test func theServiceDeterminesWhenAMessageExpires() async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push { $0.timeToLive = 30 }
        enrolment.clock.advance(119.9)
        #expect(enrolment.server.state(ofPush: push.messageId) == .waiting)
        enrolment.clock.advance(0.1)
        #expect(enrolment.server.state(ofPush: push.messageId) == .expired)
        #expect(try await enrolment.answer(.approve, to: push) == refused)
    }

    /// From 7.3 on, the login page of a node times out before the message expires.
    ///
    /// An answer after this time-out still gets status 200, but the login has failed.
    @Test(arguments: [
        (ServerVersion.v7_2, PushSender.node, PushState.waiting), (.v7_2, .module, .waiting),
        (.v7_3, .node, .expired), (.v7_3, .module, .waiting),
    ])
    func aLoginPageOfANodeTimesOutBeforeItsMessageExpires(
        _ version: ServerVersion,
        _ sender: PushSender,
        _ state: PushState
    ) async throws {
        var settings = ServiceSettings()
        settings.version = version
        settings.sender = sender
        let enrolment = try await Enrolment.start(settings: settings)
        let push = try enrolment.push { $0.timeToLive = 30 }
        enrolment.clock.advance(10)
        #expect(enrolment.server.look(afterPush: push.messageId) == .waiting)
        enrolment.clock.advance(30)
        #expect(enrolment.server.look(afterPush: push.messageId) == state)
        #expect(try await enrolment.answer(.approve, to: push) == .accepted)
        let final = enrolment.server.look(afterPush: push.messageId)
        #expect(final == (state == .expired ? .expired : .approved))
        #expect(enrolment.server.state(ofPush: push.messageId) == final)
    }

    /// The server accepts only tokens that are signed with the HMAC algorithm that their header names.
    @Test(arguments: [
        ("HS256", OathAlgorithm.sha256, 200), ("HS384", .sha384, 200), ("HS512", .sha512, 200),
        ("HS512", .sha256, 400), ("none", .sha256, 400), ("RS256", .sha256, 400),
    ])
    func tokenMayBeSignedWithAnyHMAC(_ name: String, _ algorithm: OathAlgorithm, _ status: Int) async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        let claims: JSONValue = ["response": try enrolment.response(to: push)]
        let parts = [Data(#"{"alg":"\#(name)"}"#.utf8), claims.data].map { Base64.encodeURLSafe($0) }
        let input = parts.joined(separator: ".")
        let secret = enrolment.credential.sharedSecret
        let signature = algorithm.authenticationCode(for: Data(input.utf8), secret: secret)
        let jwt = JSONValue.string("\(input).\(Base64.encodeURLSafe(Data(signature)))")
        let body: JSONValue = ["messageId": .string(push.messageId), "jwt": jwt]
        let address = enrolment.credential.authenticationEndpoint
        #expect(try await enrolment.wire.send("POST", address, json: body).status == status)
    }

    @Test func lateAnswerIsAcceptedIfTheServerKeepsExpiredMessages() async throws {
        var settings = ServiceSettings()
        settings.alternatives = [.lateAnswers]
        let enrolment = try await Enrolment.start(settings: settings)
        let push = try enrolment.push()
        enrolment.clock.advance(121)
        #expect(try await enrolment.answer(.approve, to: push) == .accepted)
        #expect(enrolment.server.look(afterPush: push.messageId) == .expired)
    }

    @Test func aModuleAcceptsOneOfManyConcurrentAnswers() async throws {
        var settings = ServiceSettings()
        settings.sender = .module
        let enrolment = try await Enrolment.start(settings: settings)
        let request = try enrolment.request(.approve, to: try enrolment.push())
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await enrolment.wire.send(request).status } }
            return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [200: 1, 400: 49])
    }

    @Test(arguments: [
        (#"{"jwt":"a.b.c"}"#, 400), (#"{"messageId":7,"jwt":"a.b.c"}"#, 500), (#"{"messageId":"m"}"#, 500),
        (#"{"messageId":"OTHER:1","jwt":"a.b.c"}"#, 500),
        (#"{"messageId":"AUTHENTICATE:1","jwt":"a.b.c"}"#, 400), ("[]", 400), ("{", 400),
    ])
    func anInvalidBodyIsRejectedOrCausesAServerError(_ body: String, _ status: Int) async throws {
        let enrolment = try await Enrolment.start()
        let address = enrolment.credential.authenticationEndpoint
        let answer = try await enrolment.wire.send("POST", address, body: Data(body.utf8))
        #expect(answer.status == status)
        if status == 400 { #expect(answer == refused) }
    }

    @Test(
        arguments: [
            (["response": nil], 500), (["challengeResponse": "x"], 500), (["challengeResponse": true], 500),
            (["challengeResponse": "2147483648"], 500), (["challengeResponse": 2_147_483_648], 500),
            (["challengeResponse": 34], 200), (["challengeResponse": "34"], 200),
        ] as [([String: JSONValue?], Int)]
    )
    func invalidClaimsCauseAServerError(
        _ changes: [String: JSONValue?],
        _ status: Int
    ) async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push(.challenge) { $0.numbers = "34,43,57" }
        var claims = ["response": try enrolment.response(to: push)]
        for (name, value) in changes { claims[name] = value }
        #expect(try await enrolment.answer(to: push, claims: .object(claims)).status == status)
        #expect(enrolment.server.state(ofPush: push.messageId) == (status == 200 ? .approved : .waiting))
    }

    /// From 7.2 on, nodes read the number that the user chose; modules never read it.
    ///
    /// From 8.1.0 on, nodes reject a wrong number.
    @Test(arguments: ServerVersion.allCases, PushSender.allCases)
    func onlyVersionsWithNumbersReadTheChosenNumber(
        _ version: ServerVersion,
        _ sender: PushSender
    ) async throws {
        var settings = ServiceSettings()
        settings.version = version
        settings.sender = sender
        let enrolment = try await Enrolment.start(settings: settings)
        let isRead = sender == .node && version >= .v7_2
        for (number, state) in [("57", isRead ? PushState.denied : .approved), ("many", .approved)] {
            let push = try enrolment.push(.challenge) { $0.numbers = "34,43,57" }
            let claims: JSONValue = [
                "response": try enrolment.response(to: push), "challengeResponse": .string(number),
            ]
            let status = try await enrolment.answer(to: push, claims: claims).status
            let refusal = number == "many" ? 500 : version >= .v8_1_0 ? 400 : 200
            #expect(status == (isRead ? refusal : 200))
            if status == 400 { #expect(enrolment.server.look(afterPush: push.messageId) == .waiting) }
            if status == 200 { #expect(enrolment.server.look(afterPush: push.messageId) == state) }
        }
    }

    /// A forged answer without the claim `response` causes a server error.
    ///
    /// The server reads this claim before it checks the signature.
    @Test func forgedAnswerWithoutAResponseCausesAServerError() async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        let answer = try await enrolment.answer(to: push, claims: [:], secret: .random())
        #expect(answer.status == 500)
    }

    @Test func unknownActionIsNotImplemented() async throws {
        let enrolment = try await Enrolment.start()
        let address = enrolment.credential.authenticationEndpoint
        let unknown = address.replacingOccurrences(of: "=authenticate", with: "=dance")
        #expect(try await enrolment.wire.send("POST", unknown, json: [:]).status == 501)
    }

    /// A request may name a resource version; the server checks only the major part of this version.
    @Test(arguments: [
        ("resource=2.0", 404), ("resource=2.1, protocol=1.0", 404), ("protocol=1.0,resource=10.0", 404),
        ("resource=1.0, protocol=1.0", 400), ("resource=1", 400), ("protocol=1.0,resource=1.1", 400),
        ("protocol=2.0", 400),
    ])
    func anotherMajorVersionOfTheResourceReturnsStatus404(_ version: String, _ status: Int) async throws {
        let enrolment = try await Enrolment.start()
        let address = enrolment.credential.authenticationEndpoint
        let headers = [PushRequest.Header("Accept-API-Version", version)]
        let answer = try await enrolment.wire.send("POST", address, headers: headers, body: Data("{}".utf8))
        #expect(answer.status == status)
    }

    @Test func forgedAnswersLeaveTheLoginWaiting() async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        let claims: JSONValue = ["response": try enrolment.response(to: push)]
        let forged = try await enrolment.answer(to: push, claims: claims, secret: .random())
        #expect(forged == refused)
        let wrong = try await enrolment.answer(to: push, claims: ["response": "AAAA"])
        #expect(wrong == refused)
        #expect(
            enrolment.server.journal.suffix(2).map(\.refusal) == [
                "The signature of the jwt is wrong.", "The response to the challenge is wrong.",
            ]
        )
        #expect(enrolment.server.state(ofPush: push.messageId) == .waiting)
        #expect(try await enrolment.answer(.approve, to: push) == .accepted)
    }

    @Test(arguments: [
        (PushSender.module, JSONValue.bool(true), PushState.denied),
        (.module, .bool(false), .approved),
        (.module, .null, .approved),
        (.module, .string("true"), .denied),
        (.node, .bool(true), .denied),
        (.node, .bool(false), .denied),
        (.node, .string("no"), .denied),
        (.node, .null, .approved),
    ])
    func denyClaimDependsOnTheSender(
        _ sender: PushSender,
        _ deny: JSONValue,
        _ state: PushState
    ) async throws {
        var settings = ServiceSettings()
        settings.sender = sender
        let enrolment = try await Enrolment.start(settings: settings)
        let push = try enrolment.push()
        let claims: JSONValue = ["response": try enrolment.response(to: push), "deny": deny]
        #expect(try await enrolment.answer(to: push, claims: claims) == .accepted)
        #expect(enrolment.server.state(ofPush: push.messageId) == state)
    }

    @Test func theCookieRoutesAnAnswerToTheServerOfItsPush() async throws {
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
        #expect(try await enrolment.answer(to: lost, claims: claims) == refused)
    }

    @Test func anAnswerWithoutItsCookieIsReadFromTheTokenStore() async throws {
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

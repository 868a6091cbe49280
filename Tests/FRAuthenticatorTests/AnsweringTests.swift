import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

@Suite("Answering pushes through the legacy API")
struct AnsweringTests {
    @Test(arguments: StoreKind.allCases)
    func anAcceptedPushIsShownAsApproved(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let push = try #require(try fixture.deliver(to: await fixture.enrol()))
        let (report, recorder) = await call { push.accept(onSuccess: $0, onError: $1) }
        #expect(report.error == nil)
        #expect(!report.isAtOnce && !report.isOnMainQueue)
        #expect(push.isApproved && !push.isPending && !push.isDenied)
        #expect(fixture.client.getAllNotifications().map(\.isApproved) == [true])
        #expect(fixture.server.requests.last?.claims?["deny"] == nil)
        #expect(recorder.count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func aDeniedPushIsShownAsDenied(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let push = try #require(try fixture.deliver(["k": "challenge"], to: await fixture.enrol()))
        #expect(await outcome { push.deny(onSuccess: $0, onError: $1) }.error == nil)
        #expect(push.isDenied)
        #expect(fixture.server.requests.last?.claims?["deny"] == .bool(true))
    }

    @Test func aChallengeIsAnsweredWithItsNumber() async throws {
        let fixture = try ClientFixture()
        let push = try #require(
            try fixture.deliver(["k": "challenge", "n": "34, 43,57"], to: await fixture.enrol())
        )
        #expect(push.numbersChallengeArray == [34, 43, 57])
        let report = await outcome { push.accept(challengeResponse: "43", onSuccess: $0, onError: $1) }
        #expect(report.error == nil)
        #expect(fixture.server.requests.last?.claims?["challengeResponse"] == "43")
    }

    @Test func aBiometricPushAsksTheUserFirst() async throws {
        let fixture = try ClientFixture()
        let push = try #require(try fixture.deliver(["k": "biometric"], to: await fixture.enrol()))
        let report = await outcome {
            push.accept(title: "Login", allowDeviceCredentials: true, onSuccess: $0, onError: $1)
        }
        #expect(report.error == nil && push.isApproved)
        let prompt = AuthenticationPrompt(title: "Login", allowsDeviceCredentials: true)
        #expect(fixture.authentication.prompts == [prompt])
    }

    @Test func failedLocalAuthenticationSendsNothing() async throws {
        let fixture = try ClientFixture(authentication: FakeAuthentication(passes: false))
        let push = try #require(try fixture.deliver(["k": "biometric"], to: await fixture.enrol()))
        let report = await outcome {
            push.accept(title: "Login", allowDeviceCredentials: false, onSuccess: $0, onError: $1)
        }
        #expect(report.code == 6_000_003)
        let error = try #require(report.error)
        #expect(error is MechanismError)
        #expect(error.localizedDescription.contains(FakeAuthentication.refusal))
        #expect((error as NSError).userInfo[NSUnderlyingErrorKey] is FakeAuthentication.Refusal)
        #expect(push.isPending)
        #expect(fixture.server.requests.map(\.action) == [.register])
    }

    /// As in the SDK, the type of an answer is checked before the push's state.
    @Test func anAnswerOfAnotherTypeIsRefusedAlsoForAnAnsweredPush() async throws {
        let fixture = try ClientFixture()
        let push = try #require(try fixture.deliver(to: await fixture.enrol()))
        #expect(await outcome { push.accept(onSuccess: $0, onError: $1) }.error == nil)
        let errors = [
            await outcome { push.accept(challengeResponse: "34", onSuccess: $0, onError: $1) }.error,
            await outcome {
                push.accept(title: "Login", allowDeviceCredentials: true, onSuccess: $0, onError: $1)
            }.error,
            await outcome { push.accept(onSuccess: $0, onError: $1) }.error,
        ]
        #expect(errors.map { $0.map { ($0 as NSError).code } } == [6_000_003, 6_000_003, 1_100_001])
        #expect(fixture.authentication.prompts.isEmpty)
    }

    @Test(arguments: ["default", "challenge", "biometric"])
    func anAnswerOfTheWrongKindFailsAtOnce(_ type: String) async throws {
        let fixture = try ClientFixture()
        let push = try #require(try fixture.deliver(["k": .string(type)], to: await fixture.enrol()))
        let wrong: [(@escaping SuccessCallback, @escaping ErrorCallback) -> Void] = [
            { push.accept(onSuccess: $0, onError: $1) },
            { push.accept(challengeResponse: "1", onSuccess: $0, onError: $1) },
            { push.accept(title: "", allowDeviceCredentials: true, onSuccess: $0, onError: $1) },
        ].enumerated().filter { ["default", "challenge", "biometric"][$0.offset] != type }.map(\.element)
        for accept in wrong {
            let report = await outcome(accept)
            #expect(report.code == 6_000_003)
            #expect(report.isAtOnce)
        }
        #expect(push.isPending)
        #expect(fixture.authentication.prompts == [])
        #expect(fixture.server.requests.map(\.action) == [.register])
    }

    @Test(arguments: StoreKind.allCases)
    func aSecondAnswerIsRefusedWhileTheFirstIsBeingSent(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let push = try #require(try fixture.deliver(to: await fixture.enrol()))
        let isReleased = Lock(false)
        fixture.server.willAnswer { _ in
            try await waitFor("the answer to be released") { isReleased.withValue { $0 } }
            return .ok
        }
        let first = Recorder()
        push.accept(onSuccess: { first.record(nil) }, onError: { first.record($0) })
        first.callReturned()
        try await waitFor("the first answer to arrive") {
            fixture.server.requests.last?.action == .authenticate
        }
        let second = await outcome { push.deny(onSuccess: $0, onError: $1) }
        #expect(second.code == 1_100_001)
        #expect(second.isAtOnce)
        #expect(push.isPending)
        isReleased.withValue { $0 = true }
        #expect(await first.first().error == nil)
        #expect(push.isApproved)
        #expect(fixture.server.requests.map(\.action) == [.register, .authenticate])
        let third = await outcome { push.accept(onSuccess: $0, onError: $1) }
        #expect(third.code == 1_100_001)
        #expect(first.count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func aPushStaysPendingAfterAFailureAndCanBeAnsweredAgain(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let push = try #require(try fixture.deliver(to: await fixture.enrol()))
        fixture.server.willAnswer { _ in throw PushTransportError.offline }
        let failed = await outcome { push.accept(onSuccess: $0, onError: $1) }
        #expect((failed.error as? URLError)?.code == .notConnectedToInternet)
        #expect(!failed.isAtOnce)
        fixture.server.willAnswer { _ in .refusal }
        let refused = await outcome { push.accept(onSuccess: $0, onError: $1) }
        #expect(refused.code == 5_000_010)
        #expect(push.isPending)
        #expect(fixture.client.getAllNotifications().map(\.isPending) == [true])
        fixture.server.willAnswer { _ in .ok }
        #expect(await outcome { push.accept(onSuccess: $0, onError: $1) }.error == nil)
        #expect(push.isApproved)
    }

    @Test(arguments: StoreKind.allCases)
    func aLockedAccountAnswersNothing(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let push = try #require(
            try fixture.deliver(to: await fixture.enrol(policies: #"{"switch":{}}"#))
        )
        let account = try #require(fixture.client.getAllAccounts().first)
        try fixture.client.lockAccount(account: account, policy: SwitchPolicy(fixture.complies))
        let report = await outcome { push.accept(onSuccess: $0, onError: $1) }
        #expect(report.code == 6_100_000)
        #expect(report.isAtOnce)
        guard case AccountError.accountLocked("switch")? = report.error else {
            Issue.record("The error is \(String(describing: report.error)) instead of accountLocked.")
            return
        }
        #expect(push.isPending)
    }

    @Test func aDeviceThatStopsComplyingAnswersNothing() async throws {
        let fixture = try ClientFixture()
        let push = try #require(
            try fixture.deliver(to: await fixture.enrol(policies: #"{"switch":{}}"#))
        )
        fixture.complies.withValue { $0 = false }
        #expect(await outcome { push.deny(onSuccess: $0, onError: $1) }.code == 6_100_000)
        #expect(fixture.client.getAllAccounts().map(\.lockingPolicy) == ["switch"])
    }

    @Test(arguments: StoreKind.allCases)
    func aPushOfARemovedMechanismCannotBeAnswered(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let mechanism = try await fixture.enrol()
        let push = try #require(try fixture.deliver(to: mechanism))
        #expect(fixture.client.removeMechanism(mechanism: mechanism))
        let report = await outcome { push.accept(onSuccess: $0, onError: $1) }
        #expect(report.code == 1_100_002)
        #expect(report.isAtOnce)
        #expect(fixture.client.getAllNotifications() == [])
        #expect(fixture.client.getAllAccounts().map(\.mechanisms.count) == [0])
    }

    @Test func aPushIsDecodedFromItsJSONUnchanged() async throws {
        let fixture = try ClientFixture()
        let push = try #require(try fixture.deliver(to: await fixture.enrol()))
        let json = try #require(push.toJson())
        let decoded = try JSONDecoder().decode(FRAuthenticator.PushNotification.self, from: Data(json.utf8))
        #expect(decoded.toJson() == json)
        #expect(decoded.identifier == push.identifier)
    }

    @Test(arguments: StoreKind.allCases)
    func onlyOneOfManySimultaneousAnswersIsSent(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let push = try #require(try fixture.deliver(to: await fixture.enrol()))
        let codes = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 {
                group.addTask { await outcome { push.accept(onSuccess: $0, onError: $1) }.code }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.filter { $0 == nil }.count == 1)
        #expect(codes.filter { $0 == 1_100_001 }.count == 19)
        #expect(fixture.server.requests.map(\.action) == [.register, .authenticate])
    }
}

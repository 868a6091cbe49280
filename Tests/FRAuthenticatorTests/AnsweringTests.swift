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
        let bench = try Bench(kind)
        let push = try #require(try bench.deliver(to: await bench.enrol()))
        let (report, recorder) = await call { push.accept(onSuccess: $0, onError: $1) }
        #expect(report.error == nil)
        #expect(!report.isAtOnce && !report.isOnMainQueue)
        #expect(push.isApproved && !push.isPending && !push.isDenied)
        #expect(bench.client.getAllNotifications().map(\.isApproved) == [true])
        #expect(bench.server.requests.last?.claims?["deny"] == nil)
        #expect(recorder.count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func aDeniedPushIsShownAsDenied(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let push = try #require(try bench.deliver(["k": "challenge"], to: await bench.enrol()))
        #expect(await outcome { push.deny(onSuccess: $0, onError: $1) }.error == nil)
        #expect(push.isDenied)
        #expect(bench.server.requests.last?.claims?["deny"] == .bool(true))
    }

    @Test func aChallengeIsAnsweredWithItsNumber() async throws {
        let bench = try Bench()
        let push = try #require(
            try bench.deliver(["k": "challenge", "n": "34, 43,57"], to: await bench.enrol())
        )
        #expect(push.numbersChallengeArray == [34, 43, 57])
        let report = await outcome { push.accept(challengeResponse: "43", onSuccess: $0, onError: $1) }
        #expect(report.error == nil)
        #expect(bench.server.requests.last?.claims?["challengeResponse"] == "43")
    }

    @Test func aBiometricPushAsksTheUserFirst() async throws {
        let bench = try Bench()
        let push = try #require(try bench.deliver(["k": "biometric"], to: await bench.enrol()))
        let report = await outcome {
            push.accept(title: "Login", allowDeviceCredentials: true, onSuccess: $0, onError: $1)
        }
        #expect(report.error == nil && push.isApproved)
        let prompt = AuthenticationPrompt(title: "Login", allowsDeviceCredentials: true)
        #expect(bench.authentication.prompts == [prompt])
    }

    @Test func failedLocalAuthenticationSendsNothing() async throws {
        let bench = try Bench(authentication: FakeAuthentication(passes: false))
        let push = try #require(try bench.deliver(["k": "biometric"], to: await bench.enrol()))
        let report = await outcome {
            push.accept(title: "Login", allowDeviceCredentials: false, onSuccess: $0, onError: $1)
        }
        #expect(report.code == 6_000_003)
        let error = try #require(report.error)
        #expect(error is MechanismError)
        #expect(error.localizedDescription.contains(FakeAuthentication.refusal))
        #expect((error as NSError).userInfo[NSUnderlyingErrorKey] == nil)
        #expect(push.isPending)
        #expect(bench.server.requests.map(\.action) == [.register])
    }

    /// Row 48 of the SDK's behaviour: an answer checks the push's type before its state.
    @Test func anAnswerOfAnotherTypeIsRefusedAlsoForAnAnsweredPush() async throws {
        let bench = try Bench()
        let push = try #require(try bench.deliver(to: await bench.enrol()))
        #expect(await outcome { push.accept(onSuccess: $0, onError: $1) }.error == nil)
        let errors = [
            await outcome { push.accept(challengeResponse: "34", onSuccess: $0, onError: $1) }.error,
            await outcome {
                push.accept(title: "Login", allowDeviceCredentials: true, onSuccess: $0, onError: $1)
            }.error,
            await outcome { push.accept(onSuccess: $0, onError: $1) }.error,
        ]
        #expect(errors.map { $0.map { ($0 as NSError).code } } == [6_000_003, 6_000_003, 1_100_001])
        #expect(bench.authentication.prompts.isEmpty)
    }

    @Test(arguments: ["default", "challenge", "biometric"])
    func anAcceptOfTheWrongKindFailsAtOnce(_ type: String) async throws {
        let bench = try Bench()
        let push = try #require(try bench.deliver(["k": .string(type)], to: await bench.enrol()))
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
        #expect(bench.authentication.prompts == [])
        #expect(bench.server.requests.map(\.action) == [.register])
    }

    @Test(arguments: StoreKind.allCases)
    func aSecondAnswerIsRefusedWhileOneIsOnItsWay(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let push = try #require(try bench.deliver(to: await bench.enrol()))
        let isReleased = Lock(false)
        bench.server.willAnswer { _ in
            try await waitFor("the answer to be released") { isReleased.withValue { $0 } }
            return .ok
        }
        let first = Recorder()
        push.accept(onSuccess: { first.record(nil) }, onError: { first.record($0) })
        first.callReturned()
        try await waitFor("the first answer to arrive") {
            bench.server.requests.last?.action == .authenticate
        }
        let second = await outcome { push.deny(onSuccess: $0, onError: $1) }
        #expect(second.code == 1_100_001)
        #expect(second.isAtOnce)
        #expect(push.isPending)
        isReleased.withValue { $0 = true }
        #expect(await first.first().error == nil)
        #expect(push.isApproved)
        #expect(bench.server.requests.map(\.action) == [.register, .authenticate])
        let third = await outcome { push.accept(onSuccess: $0, onError: $1) }
        #expect(third.code == 1_100_001)
        #expect(first.count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func aPushStaysPendingAfterAFailureAndCanBeAnsweredAgain(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let push = try #require(try bench.deliver(to: await bench.enrol()))
        bench.server.willAnswer { _ in throw PushTransportError.offline }
        let failed = await outcome { push.accept(onSuccess: $0, onError: $1) }
        #expect((failed.error as? URLError)?.code == .notConnectedToInternet)
        #expect(!failed.isAtOnce)
        bench.server.willAnswer { _ in .refusal }
        let refused = await outcome { push.accept(onSuccess: $0, onError: $1) }
        #expect(refused.code == 5_000_010)
        #expect(push.isPending)
        #expect(bench.client.getAllNotifications().map(\.isPending) == [true])
        bench.server.willAnswer { _ in .ok }
        #expect(await outcome { push.accept(onSuccess: $0, onError: $1) }.error == nil)
        #expect(push.isApproved)
    }

    @Test(arguments: StoreKind.allCases)
    func aLockedAccountAnswersNothing(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let push = try #require(
            try bench.deliver(to: await bench.enrol(policies: #"{"switch":{}}"#))
        )
        let account = try #require(bench.client.getAllAccounts().first)
        try bench.client.lockAccount(account: account, policy: SwitchPolicy(bench.complies))
        let report = await outcome { push.accept(onSuccess: $0, onError: $1) }
        #expect(report.code == 6_100_000)
        #expect(report.isAtOnce)
        guard case AccountError.accountLocked("switch")? = report.error else {
            Issue.record("\(String(describing: report.error))")
            return
        }
        #expect(push.isPending)
    }

    @Test func aDeviceThatStopsComplyingAnswersNothing() async throws {
        let bench = try Bench()
        let push = try #require(
            try bench.deliver(to: await bench.enrol(policies: #"{"switch":{}}"#))
        )
        bench.complies.withValue { $0 = false }
        #expect(await outcome { push.deny(onSuccess: $0, onError: $1) }.code == 6_100_000)
        #expect(bench.client.getAllAccounts().map(\.lockingPolicy) == ["switch"])
    }

    @Test(arguments: StoreKind.allCases)
    func aPushOfARemovedMechanismCannotBeAnswered(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let mechanism = try await bench.enrol()
        let push = try #require(try bench.deliver(to: mechanism))
        #expect(bench.client.removeMechanism(mechanism: mechanism))
        let report = await outcome { push.accept(onSuccess: $0, onError: $1) }
        #expect(report.code == 1_100_002)
        #expect(report.isAtOnce)
        #expect(bench.client.getAllNotifications() == [])
        #expect(bench.client.getAllAccounts().map(\.mechanisms.count) == [0])
    }

    @Test func aPushIsDecodedFromItsJSONUnchanged() async throws {
        let bench = try Bench()
        let push = try #require(try bench.deliver(to: await bench.enrol()))
        let json = try #require(push.toJson())
        let decoded = try JSONDecoder().decode(FRAuthenticator.PushNotification.self, from: Data(json.utf8))
        #expect(decoded.toJson() == json)
        #expect(decoded.identifier == push.identifier)
    }

    @Test(arguments: StoreKind.allCases)
    func onlyOneOfManySimultaneousAnswersIsSent(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let push = try #require(try bench.deliver(to: await bench.enrol()))
        let codes = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 {
                group.addTask { await outcome { push.accept(onSuccess: $0, onError: $1) }.code }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.filter { $0 == nil }.count == 1)
        #expect(codes.filter { $0 == 1_100_001 }.count == 19)
        #expect(bench.server.requests.map(\.action) == [.register, .authenticate])
    }
}

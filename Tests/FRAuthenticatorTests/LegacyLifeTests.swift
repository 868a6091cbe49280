import FRAuthenticator
import FRCore
import Foundation
import PingAMSimulator
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import Testing

/// The life of a device whose requests go over URLSession.
@Suite("Life of a device with the legacy API")
struct LegacyLifeTests {
    /// A client and two servers.
    private struct Life {
        let store = MemoryCredentialStore()
        let complies = Lock(true)
        let client: FRAClient
        let handler: FRAPushHandler
        let first: Simulator
        let second: Simulator

        init() async throws {
            first = Simulator()
            second = Simulator()
            var configuration = Authenticator.Configuration()
            configuration.store = { [store] in store }
            configuration.localAuthentication = FakeAuthentication()
            configuration.deviceName = { "Phone" }
            let hooks = NetworkHooks()
            hooks.setSession(configuration: { Simulator.sessionConfiguration })
            configuration.transport = URLSessionTransport(hooks: hooks)
            try configuration.policyEvaluator.registerPolicies(policies: [SwitchPolicy(complies)])
            let authenticator = Authenticator(configuration)
            client = FRAClient(authenticator)
            handler = FRAPushHandler(authenticator)
            handler.application(
                .shared,
                didRegisterForRemoteNotificationsWithDeviceToken: Data([0x00, 0xFF])
            )
        }

        func register(_ account: String, at server: Simulator, policies: String? = nil) async throws {
            var order = RegistrationOrder(issuer: "Forge", account: account)
            order.account.policies = policies
            let uri = try server.createRegistration(order).uri(labelIssuer: "forgerock")
            let url = try #require(URL(string: uri))
            let report = await outcome { succeed, fail in
                client.createMechanismFromUri(uri: url, onSuccess: { _ in succeed() }, onError: fail)
            }
            #expect(report.error == nil)
            #expect(!report.isAtOnce && !report.isOnMainQueue)
        }

        func mechanism(_ account: String) throws -> PushMechanism {
            let account = try #require(client.getAccount(identifier: "Forge-\(account)"))
            return try #require(account.mechanisms.first as? PushMechanism)
        }

        func push(
            _ type: PushBridgeCore.PushType,
            to account: String,
            from server: Simulator
        ) throws -> FRAuthenticator.PushNotification {
            var order = PushOrder(mechanismUid: try mechanism(account).mechanismUUID, type: type)
            if type == .challenge { order.numbers = "34,43,57" }
            let payload = try server.createPush(order).foundationPayload
            return try #require(handler.application(.shared, didReceiveRemoteNotification: payload))
        }
    }

    @Test func everyKindOfPushIsAcceptedAndDenied() async throws {
        let life = try await Life()
        try await life.register("demo", at: life.first)
        for type in PushBridgeCore.PushType.allCases {
            let accepted = try life.push(type, to: "demo", from: life.first)
            let (report, recorder) = await call { succeed, fail in
                switch accepted.pushType {
                case .default: accepted.accept(onSuccess: succeed, onError: fail)
                case .challenge: accepted.accept(challengeResponse: "34", onSuccess: succeed, onError: fail)
                case .biometric:
                    accepted.accept(
                        title: "Login",
                        allowDeviceCredentials: false,
                        onSuccess: succeed,
                        onError: fail
                    )
                }
            }
            #expect(report.error == nil)
            #expect(!report.isAtOnce && !report.isOnMainQueue)
            #expect(life.first.state(ofPush: accepted.messageId) == .approved)
            let denied = try life.push(type, to: "demo", from: life.first)
            #expect(await outcome { denied.deny(onSuccess: $0, onError: $1) }.error == nil)
            #expect(life.first.state(ofPush: denied.messageId) == .denied)
            #expect(recorder.count == 1)
        }
        #expect(try life.mechanism("demo").pendingNotifications == [])
        let sent = life.first.journal
        #expect(Set(sent.map(\.headers["x-requested-platform"])) == ["ios"])
        #expect(Set(sent.map(\.headers["accept"])) == ["application/json"])
    }

    @Test func aFailedAnswerCanBeSentAgain() async throws {
        let life = try await Life()
        try await life.register("demo", at: life.first)
        let push = try life.push(.default, to: "demo", from: life.first)
        let faults = [
            (Fault.dropConnection, URLError.Code.networkConnectionLost.rawValue), (.serverError, 5_000_010),
            (.redirect(to: "http://127.0.0.1:9/"), 5_000_010),
        ]
        for (fault, code) in faults {
            life.first.withService { $0.arm(fault, action: .authenticate) }
            let (report, recorder) = await call { push.accept(onSuccess: $0, onError: $1) }
            #expect(report.code == code)
            #expect(!report.isAtOnce)
            #expect(push.isPending)
            #expect(recorder.count == 1)
        }
        life.first.withService { $0.arm(.garbageBody, action: .authenticate) }
        #expect(await outcome { push.accept(onSuccess: $0, onError: $1) }.error == nil)
        #expect(push.isApproved)
        #expect(await outcome { push.accept(onSuccess: $0, onError: $1) }.code == 1_100_001)
    }

    @Test func aRetrySendsTheTokenToTheServerThatRejectedIt() async throws {
        let life = try await Life()
        try await life.register("one", at: life.first)
        try await life.register("two", at: life.second)
        life.second.withService { $0.arm(.serverError, action: .refresh) }
        let report = await outcome {
            life.handler.updateDeviceToken(deviceToken: "ab12", onSuccess: $0, onFailure: $1)
        }
        #expect(report.code == 1_100_003)
        #expect(report.isOnMainQueue)
        func tokens(_ server: Simulator) -> [String] {
            server.withService { $0.devices.values.map(\.deviceToken) }
        }
        #expect(tokens(life.first) == ["ab12"])
        #expect(tokens(life.second) == ["00FF"])
        let retried = await outcome {
            life.handler.updateDeviceToken(deviceToken: "ab12", onSuccess: $0, onFailure: $1)
        }
        #expect(retried.error == nil)
        #expect(tokens(life.second) == ["ab12"])
        #expect(try life.store.read { try $0.deviceToken()?.unconfirmedCredentialIds } == [])
    }

    @Test func anInvalidAnswerFailsAtOnce() async throws {
        let life = try await Life()
        try await life.register("demo", at: life.first, policies: #"{"switch":{}}"#)
        let push = try life.push(.challenge, to: "demo", from: life.first)
        let wrong = await outcome { push.accept(onSuccess: $0, onError: $1) }
        #expect(wrong.code == 6_000_003 && wrong.isAtOnce)
        life.complies.withValue { $0 = false }
        let locked = await outcome {
            push.accept(challengeResponse: "34", onSuccess: $0, onError: $1)
        }
        #expect(locked.code == 6_100_000 && locked.isAtOnce)
        #expect(life.client.removeMechanism(mechanism: try life.mechanism("demo")))
        let gone = await outcome { push.deny(onSuccess: $0, onError: $1) }
        #expect(gone.code == 1_100_002 && gone.isAtOnce)
        #expect(life.first.journal.map(\.action) == ["register"])
    }
}

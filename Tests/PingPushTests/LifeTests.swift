import Foundation
import PingAMSimulator
import PingPush
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

/// The life of a credential over real HTTP, with every storage.
@Suite("Life of a credential")
struct LifeTests {
    @Test(arguments: StoreKind.allCases)
    func aCredentialIsEnrolledUsedAndDeleted(_ kind: StoreKind) async throws {
        let fixture = try await SimulatedServiceFixture(kind)
        try await fixture.client.setDeviceToken(Data([0xAB, 0xCD]))
        let credential = try await fixture.enrol()
        #expect(fixture.server.withService { $0.devices[credential.id]?.deviceToken } == "abcd")

        try await fixture.client.setDeviceToken("ef01")
        #expect(fixture.server.withService { $0.devices[credential.id]?.deviceToken } == "ef01")

        let login = try await fixture.receive(for: credential)
        #expect(try await fixture.client.approveNotification(login.id))
        #expect(fixture.state(of: login) == .approved)
        #expect(try await fixture.client.getNotification(login.id)?.approved == true)

        #expect(try await fixture.client.deleteCredential(credential.id))
        #expect(try await fixture.client.getAllNotifications() == [])
        #expect(try await fixture.client.getCredentials() == [])
        #expect(fixture.actions == ["register 200", "refresh 200", "authenticate 200"])
    }

    @Test(arguments: StoreKind.allCases, PushType.allCases)
    func aPushIsApprovedAndDenied(_ kind: StoreKind, _ type: PushType) async throws {
        let fixture = try await SimulatedServiceFixture(kind)
        try await fixture.client.setDeviceToken("abcd")
        let credential = try await fixture.enrol()
        let first = try await fixture.receive(type, for: credential) {
            $0.message = "Sign in?"
            $0.customPayload = #"{"amount":7}"#
            $0.contextInfo = #"{"remoteIp":"10.0.0.1"}"#
        }
        #expect(first.pushType == type)
        #expect(first.messageText == "Sign in?")
        #expect(first.customPayload == #"{"amount":7}"#)
        #expect(first.contextInfo == #"{"remoteIp":"10.0.0.1"}"#)
        #expect(try await fixture.approve(first))
        let second = try await fixture.receive(type, for: credential)
        #expect(try await fixture.client.denyNotification(second.id))
        #expect(fixture.state(of: first) == .approved)
        #expect(fixture.state(of: second) == .denied)
        #expect(try await fixture.client.denyNotification(first.id) == false)
        #expect(try await fixture.client.getPendingNotifications() == [])
        #expect(fixture.actions == ["register 200", "authenticate 200", "authenticate 200"])
    }

    @Test(arguments: StoreKind.allCases)
    func aPolicyLocksAndUnlocksACredential(_ kind: StoreKind) async throws {
        let isAvailable = Lock(true)
        let policy = BiometricAvailablePolicy(isAvailable: { isAvailable.withValue { $0 } })
        let fixture = try await SimulatedServiceFixture(kind) {
            $0.policyEvaluator = MfaPolicyEvaluator(policies: [policy])
        }
        try await fixture.client.setDeviceToken("abcd")
        let credential = try await fixture.enrol(policies: #"{"biometricAvailable":{}}"#)
        let login = try await fixture.receive(for: credential)
        isAvailable.withValue { $0 = false }
        await #expect(throws: PushError.credentialLocked(credential.id)) {
            try await fixture.client.approveNotification(login.id)
        }
        #expect(try await fixture.client.getCredentials().map(\.isLocked) == [true])
        #expect(fixture.state(of: login) == .waiting)
        isAvailable.withValue { $0 = true }
        #expect(try await fixture.client.getCredentials().map(\.isLocked) == [false])
        #expect(try await fixture.client.approveNotification(login.id))
        #expect(fixture.state(of: login) == .approved)
    }

    @Test(arguments: StoreKind.allCases)
    func aFailedAnswerLeavesThePushPending(_ kind: StoreKind) async throws {
        let fixture = try await SimulatedServiceFixture(kind)
        try await fixture.client.setDeviceToken("abcd")
        let credential = try await fixture.enrol()
        let login = try await fixture.receive(for: credential)
        let faults: [(Fault, reason: String)] = [
            (.dropConnection, "The server could not be reached."),
            (
                .serverError,
                "The server failed (HTTP 500): Exception from invocation expected to be handled by promise"
            ),
            (
                .redirect(to: "http://127.0.0.1:9/"),
                "The server redirected (HTTP 307); redirects are not followed."
            ),
        ]
        for (fault, reason) in faults {
            fixture.server.withService { $0.arm(fault) }
            await #expect(throws: PushError.networkFailure(reason)) {
                try await fixture.client.approveNotification(login.id)
            }
            #expect(try await fixture.client.getPendingNotifications() == [login])
        }
        fixture.server.withService { $0.arm(.garbageBody) }
        #expect(try await fixture.client.approveNotification(login.id))
        #expect(fixture.state(of: login) == .approved)
    }

    @Test(arguments: StoreKind.allCases)
    func oldNotificationsAreCleanedUp(_ kind: StoreKind) async throws {
        let fixture = try await SimulatedServiceFixture(kind) {
            $0.notificationCleanupConfig = NotificationCleanupConfig(maxStoredNotifications: 2)
        }
        try await fixture.client.setDeviceToken("abcd")
        let credential = try await fixture.enrol()
        var received: [PushNotification] = []
        for _ in 0..<4 { received.append(try await fixture.receive(for: credential)) }
        let stored = Set(try await fixture.client.getAllNotifications().map(\.id))
        #expect(stored.count == 2)
        #expect(stored.isSubset(of: received.map(\.id)))
        #expect(try await fixture.client.cleanupNotifications() == 0)
    }

    /// An answer reaches the right server only with the load balancer's cookie from the push.
    ///
    /// The servers do not share their messages, because they have no token store (PingAM's CTS).
    @Test(arguments: StoreKind.allCases)
    func eachAnswerIsRoutedByTheLoadBalancersCookie(_ kind: StoreKind) async throws {
        var settings = ServiceSettings()
        settings.topology = .balanced(nodes: ["01", "02"], tokenStore: false)
        let fixture = try await SimulatedServiceFixture(kind, settings: settings)
        try await fixture.client.setDeviceToken("abcd")
        let credential = try await fixture.enrol()
        for _ in 0..<3 {
            let login = try await fixture.receive(for: credential)
            #expect(try await fixture.client.approveNotification(login.id))
            #expect(fixture.state(of: login) == .approved)
        }
    }

    @Test(.processState) func theErrorContainsTheMessageOfTheServer() async throws {
        NetworkHooks.shared.setSession(configuration: { Simulator.sessionConfiguration })
        defer { NetworkHooks.shared.setSession(configuration: nil) }
        let fixture = try await SimulatedServiceFixture(.memory)
        try await fixture.client.setDeviceToken("abcd")
        let credential = try await fixture.enrol()
        let login = try await fixture.receive(for: credential)
        try await fixture.client.approveNotification(login.id)
        let other = try await PushClient.createClient { config in
            config.storage = OwnStorage()
            config.timeout = SimulatedServiceFixture.timeout
            config.logger = LogManager.none
        }
        try await other.setDeviceToken("abcd")
        // The code was already used, so the service rejects it for another device.
        let used = try await credential.toUri()
        do {
            _ = try await other.addCredentialFromUri(used)
            Issue.record("A used code was accepted.")
        } catch PushError.registrationFailed(let reason) {
            #expect(reason.contains("may be too old or already used. The server refused (HTTP 400): "))
        }
        #expect(try await other.getCredentials() == [])
    }
}

extension SimulatedServiceFixture {
    fileprivate func approve(_ push: PushNotification) async throws -> Bool {
        switch push.pushType {
        case .default: return try await client.approveNotification(push.id)
        case .biometric:
            return try await client.approveBiometricNotification(push.id, authenticationMethod: "face")
        case .challenge:
            let shown = try #require(push.getNumbersChallenge().first)
            return try await client.approveChallengeNotification(push.id, challengeResponse: "\(shown)")
        }
    }
}

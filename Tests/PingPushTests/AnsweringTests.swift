import Foundation
import PingPush
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

@Suite("Answering")
struct AnsweringTests {
    @Test(arguments: PushType.allCases, StoreKind.allCases)
    func eachKindOfPushCanBeApproved(_ type: PushType, _ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        let credential = try await fixture.enrol()
        let push = try await fixture.deliver(["k": .string(type.rawValue)], to: credential)
        #expect(try await fixture.approve(push))
        let request = try #require(fixture.server.requests.last)
        let claims = try request.claims(signedWith: credential.sharedSecret)
        #expect(request.action == .authenticate)
        #expect(request["messageId"] == "AUTHENTICATE:1")
        #expect(claims?["deny"] == nil)
        #expect(claims?["challengeResponse"] == (type == .challenge ? "22" : nil))
        let stored = try await fixture.client.getNotification(notificationId: push.id)
        #expect(stored?.approved == true)
        #expect(stored?.pending == false)
        #expect(try await fixture.client.getPendingNotifications() == [])
    }

    @Test(arguments: PushType.allCases, StoreKind.allCases)
    func eachKindOfPushCanBeDenied(_ type: PushType, _ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        let credential = try await fixture.enrol()
        let push = try await fixture.deliver(["k": .string(type.rawValue)], to: credential)
        #expect(try await fixture.client.denyNotification(push.id))
        let claims = try fixture.server.requests.last?.claims(signedWith: credential.sharedSecret)
        #expect(claims?["deny"] == true)
        #expect(try await fixture.client.getNotification(push.id)?.isDenied == true)
    }

    @Test func theWrongMethodSendsNothing() async throws {
        let fixture = try await PushClientFixture()
        let push = try await fixture.deliver(["k": "biometric"], to: fixture.enrol())
        let error = PushError.invalidPushType("The push is of the type biometric.")
        await #expect(throws: error) { try await fixture.client.approveNotification(push.id) }
        await #expect(throws: error) {
            try await fixture.client.approveChallengeNotification(push.id, challengeResponse: "1")
        }
        #expect(fixture.server.requests.count == 1)
        #expect(try await fixture.client.getPendingNotifications() == [push])
    }

    @Test(arguments: StoreKind.allCases)
    func manyAnswersAtOnceAreOneRequest(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        let push = try await fixture.deliver(to: fixture.enrol())
        let ended = Lock(0)
        fixture.server.willAnswer { _ in
            try await waitFor("the other answers to end") { ended.withValue { $0 } == 49 }
            return .ok
        }
        let client = fixture.client
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    defer { ended.withValue { $0 += 1 } }
                    return try await client.approveNotification(push.id)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.filter { $0 }.count == 1)
        #expect(fixture.server.requests.filter { $0.action == .authenticate }.count == 1)
        #expect(try await client.denyNotification(push.id) == false)
    }

    @Test(arguments: [
        (PushResponse.refusal, "The server refused (HTTP 400): Too late"),
        (.fault, "The server failed (HTTP 500)."),
        (
            PushResponse(status: 302, body: Data()),
            "The server redirected (HTTP 302); redirects are not followed."
        ),
    ])
    func aRefusedAnswerLeavesThePushPending(_ response: PushResponse, _ reason: String) async throws {
        let fixture = try await PushClientFixture()
        let push = try await fixture.deliver(to: fixture.enrol())
        fixture.server.willAnswer { _ in response }
        await #expect(throws: PushError.networkFailure(reason, nil)) {
            try await fixture.client.approveNotification(push.id)
        }
        #expect(try await fixture.client.getPendingNotifications() == [push])
        fixture.server.willAnswer { _ in .ok }
        #expect(try await fixture.client.approveNotification(push.id))
    }

    @Test(arguments: [
        (PushTransportError.hostNotFound, "The server could not be reached: its name could not be resolved."),
        (.connectionFailed, "The server could not be reached."),
        (.tls, "The server could not be reached: no secure connection could be made."),
        (.timedOut, "The server could not be reached: it did not respond in time."),
    ])
    func anAnswerThatDoesNotReachTheServerLeavesThePushPending(
        _ failure: PushTransportError,
        _ reason: String
    ) async throws {
        let fixture = try await PushClientFixture(.sqlite)
        let push = try await fixture.deliver(to: fixture.enrol())
        fixture.server.willAnswer { _ in throw failure }
        await #expect(throws: PushError.networkFailure(reason, nil)) {
            try await fixture.client.denyNotification(push.id)
        }
        #expect(try await fixture.client.getPendingNotifications() == [push])
    }

    @Test(arguments: StoreKind.allCases)
    func aCancelledAnswerLeavesThePushPending(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        let push = try await fixture.deliver(to: fixture.enrol())
        fixture.server.willAnswer { _ in
            try await Task.sleep(for: .seconds(60))
            return .ok
        }
        let client = fixture.client
        let answer = Task { try await client.approveNotification(push.id) }
        try await waitFor("the answer to arrive") { fixture.server.requests.last?.action == .authenticate }
        answer.cancel()
        let error = await #expect(throws: PushError.self) { try await answer.value }
        #expect(error?.networkCause == .cancelled)
        #expect(try await client.getPendingNotifications() == [push])
    }

    @Test func aTaskCancelledBeforehandSendsNothing() async throws {
        let fixture = try await PushClientFixture()
        let push = try await fixture.deliver(to: fixture.enrol())
        let client = fixture.client
        let answer = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.approveNotification(push.id)
        }
        let error = await #expect(throws: PushError.self) { try await answer.value }
        #expect(error?.networkCause == .cancelled)
        #expect(fixture.server.requests.count == 1)
        #expect(try await client.getPendingNotifications() == [push])
    }

    @Test(arguments: StoreKind.allCases)
    func aPolicyLocksAndUnlocksACredential(_ kind: StoreKind) async throws {
        let isAvailable = Lock(true)
        let policy = BiometricAvailablePolicy(isAvailable: { isAvailable.withValue { $0 } })
        let fixture = try await PushClientFixture(kind) {
            $0.policyEvaluator = MfaPolicyEvaluator(policies: [policy])
        }
        let credential = try await fixture.enrol(policies: #"{"biometricAvailable":{}}"#)
        let push = try await fixture.deliver(to: credential)
        isAvailable.withValue { $0 = false }
        await #expect(throws: PushError.credentialLocked(credential.id)) {
            try await fixture.client.approveNotification(push.id)
        }
        #expect(try await fixture.client.getCredential(credential.id)?.lockingPolicy == policy.name)
        isAvailable.withValue { $0 = true }
        #expect(try await fixture.client.getCredentials() == [credential])
        #expect(try await fixture.client.approveNotification(push.id))
    }

    @Test(arguments: ["", " \n"])
    func aBlankMethodOfAuthenticationSendsNothing(_ method: String) async throws {
        let fixture = try await PushClientFixture()
        let push = try await fixture.deliver(["k": "biometric"], to: fixture.enrol())
        let sent = fixture.server.requests.count
        await #expect(throws: PushError.invalidParameterValue("The authentication method is empty.")) {
            try await fixture.client.approveBiometricNotification(push.id, authenticationMethod: method)
        }
        #expect(fixture.server.requests.count == sent)
        #expect(try await fixture.client.getPendingNotifications().map(\.id) == [push.id])
    }

    /// As in the SDK, the cause of a network failure is the system's error.
    ///
    /// If the server responds with an error status, there is no cause.
    @Test(arguments: [
        URLError.Code.timedOut, .cannotFindHost, .notConnectedToInternet, .serverCertificateUntrusted,
    ])
    func theCauseOfANetworkFailureIsTheSystemsError(_ code: URLError.Code) async throws {
        let fixture = try await PushClientFixture()
        let push = try await fixture.deliver(to: fixture.enrol())
        fixture.server.willAnswer { _ in throw URLError(code) }
        let error = await #expect(throws: PushError.self) {
            try await fixture.client.approveNotification(push.id)
        }
        #expect(error?.networkCause == code)
        fixture.server.willAnswer { _ in .fault }
        let refused = await #expect(throws: PushError.self) {
            try await fixture.client.approveNotification(push.id)
        }
        guard case .networkFailure(_, nil)? = refused else {
            Issue.record("\(String(describing: refused)) is not networkFailure without a cause.")
            return
        }
    }

    /// The time-out of an answer is at most 130 seconds.
    ///
    /// The claim of the answer lasts at most 300 seconds, and an interceptor may double the time-out.
    @Test func aTimeOutOfTenMinutesEndsBeforeTheClaim() async throws {
        let fixture = try await PushClientFixture { $0.timeout = 600 }
        let push = try await fixture.deliver(to: fixture.enrol())
        #expect(try await fixture.client.approveNotification(push.id))
        let timeout = try #require(fixture.server.sent.last).timeout
        #expect(timeout >= 60 && 2 * timeout < 300)
    }

    @Test func theErrorContainsTheIdOfAnUnknownPush() async throws {
        let fixture = try await PushClientFixture()
        await #expect(throws: PushError.notificationNotFound("nothing")) {
            try await fixture.client.denyNotification("nothing")
        }
    }

    @Test func closingRemovesOldNotificationsAsConfigured() async throws {
        let store = MemoryCredentialStore()
        func client(_ mode: NotificationCleanupConfig.CleanupMode) async throws -> PushClient {
            try await PushClient.createClient { configuration in
                configuration.storage = CredentialStoreStorage(store)
                configuration.notificationCleanupConfig = NotificationCleanupConfig(
                    cleanupMode: mode,
                    maxStoredNotifications: 2
                )
            }
        }
        try store.write { view in
            for number in 1...5 {
                try view.put(
                    PushNotification(
                        credentialId: "none",
                        ttl: 120,
                        messageId: "AUTHENTICATE:\(number)",
                        pushType: .default,
                        sentAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number))
                    )
                )
            }
        }
        try await client(.none).close()
        #expect(try store.read { try $0.count(of: .notification, where: .all) } == 5)
        try await client(.countBased).close()
        #expect(try store.read { try $0.count(of: .notification, where: .all) } == 2)
    }

    @Test func aClosedClientThrowsAnError() async throws {
        let fixture = try await PushClientFixture()
        await fixture.client.close()
        await fixture.client.close()
        await #expect(throws: PushError.notInitialized) { try await fixture.client.getCredentials() }
        await #expect(throws: PushError.notInitialized) { try await fixture.client.setDeviceToken("00") }
        await #expect(throws: PushError.notInitialized) { try await fixture.client.denyNotification("id") }
        await #expect(throws: PushError.notInitialized) {
            try await fixture.client.processNotification(message: "")
        }
    }
}

extension PushClientFixture {
    fileprivate func approve(_ push: PushNotification) async throws -> Bool {
        switch push.pushType {
        case .default: try await client.approveNotification(push.id)
        case .challenge: try await client.approveChallengeNotification(push.id, challengeResponse: "22")
        case .biometric: try await client.approveBiometricNotification(push.id, authenticationMethod: "face")
        }
    }
}

extension PushError {
    fileprivate var networkCause: URLError.Code? {
        if case .networkFailure(_, let cause as URLError) = self { cause.code } else { nil }
    }
}

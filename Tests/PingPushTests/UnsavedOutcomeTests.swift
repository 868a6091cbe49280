import Foundation
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// If the server accepts an answer or an enrolment but the storage fails to save it, the call does not throw.
///
/// The call throws only if a restart would lose the enrolment.
@Suite("Outcomes that a storage fails to save")
struct UnsavedOutcomeTests {
    private let storage = OwnStorage()
    private let server = FakeTransport()
    private let client: PushClient

    init() async throws {
        let (storage, server) = (storage, server)
        client = try await PushClient.createClient { config in
            config.storage = storage
            config.transport = server
            config.logger = LogManager.none
        }
        try await client.setDeviceToken("00ff")
    }

    /// Makes the storage fail as soon as the first request reaches the server.
    private func failOnceTheServerIsAsked() {
        let storage = storage
        server.willAnswer { _ in
            await storage.fail(with: CocoaError(.fileWriteOutOfSpace))
            return .ok
        }
    }

    @Test(arguments: [true, false])
    func anAnswerIsSavedLaterIfTheStorageFailsAfterTheRequest(_ isApproval: Bool) async throws {
        let credential = try await client.addCredentialFromUri(PushClientFixture.uri())
        let payload = PushClientFixture.payload(for: credential).text
        let push = try #require(try await client.processNotification(message: payload))
        failOnceTheServerIsAsked()
        let isAnswered =
            isApproval
            ? try await client.approveNotification(push.id) : try await client.denyNotification(push.id)
        #expect(isAnswered)
        let sent = server.requests.count
        #expect(try await !client.approveNotification(push.id))
        await storage.fail(with: nil)
        #expect(try await client.getPendingNotifications() == [])
        #expect(try await !client.denyNotification(push.id))
        #expect(server.requests.count == sent)
        let stored = try #require(try await storage.retrievePushNotification(notificationId: push.id))
        #expect((stored.pending, stored.approved) == (false, isApproval))
    }

    /// If the storage fails to save an enrolment, the client stores the enrolment in the keychain.
    ///
    /// The call succeeds. The next process saves the enrolment in the storage.
    @Test func aRegistrationIsSavedLaterIfTheStorageFails() async throws {
        let waiting = KeychainPendingEnrolments(InMemoryKeychain())
        func process() async throws -> PushClient {
            try await PushClient.createClient { config in
                config.storage = storage
                config.transport = server
                config.logger = LogManager.none
                config.pendingEnrolments = waiting
            }
        }
        let first = try await process()
        failOnceTheServerIsAsked()
        let credential = try await first.addCredentialFromUri(PushClientFixture.uri())
        #expect(try waiting.waiting().map(\.id) == [credential.id])
        await storage.fail(with: nil)
        let next = try await process()
        #expect(try await next.getCredentials().map(\.id) == [credential.id])
        #expect(try await storage.retrievePushCredential(credentialId: credential.id) != nil)
        #expect(try waiting.waiting().isEmpty)
    }

    /// If an app has two storages of one type, each pending enrolment is saved in the storage for which it was made.
    ///
    /// Each storage belongs to one of two users.
    @Test func anEnrolmentIsFinishedInItsOwnStorage() async throws {
        let waiting = KeychainPendingEnrolments(InMemoryKeychain())
        let (server, other) = (server, OwnStorage())
        func process(_ storage: OwnStorage) async throws -> PushClient {
            try await PushClient.createClient { config in
                config.storage = storage
                config.transport = server
                config.logger = LogManager.none
                config.pendingEnrolments = waiting
            }
        }
        try await process(other).setDeviceToken("00ff")
        let ofOther = try await process(other).addCredentialFromUri(PushClientFixture.uri())
        let first = try await process(storage)
        let older = try await first.addCredentialFromUri(PushClientFixture.uri())
        failOnceTheServerIsAsked()
        let newer = try await first.addCredentialFromUri(PushClientFixture.uri())
        await storage.fail(with: nil)
        #expect(try await process(other).getCredentials().map(\.id) == [ofOther.id])
        #expect(try await process(OwnStorage()).getCredentials() == [])
        #expect(try waiting.waiting().map(\.id) == [newer.id])
        #expect(Set(try await process(storage).getCredentials().map(\.id)) == [older.id, newer.id])
        #expect(try waiting.waiting().isEmpty)
    }

    /// A pending enrolment is stored beside the account's older credential, which the server has already replaced.
    @Test func aRegistrationIsStoredLaterBesideAnOlderCredential() async throws {
        let waiting = KeychainPendingEnrolments(InMemoryKeychain())
        let first = try await PushClient.createClient { config in
            config.storage = storage
            config.transport = server
            config.logger = LogManager.none
            config.pendingEnrolments = waiting
        }
        let older = try await first.addCredentialFromUri(PushClientFixture.uri())
        failOnceTheServerIsAsked()
        let newer = try await first.addCredentialFromUri(PushClientFixture.uri())
        await storage.fail(with: nil)
        #expect(Set(try await first.getCredentials().map(\.id)) == [older.id, newer.id])
        #expect(try await storage.retrievePushCredential(credentialId: newer.id) != nil)
    }

    /// A registration that a restart would lose is not reported as a success.
    @Test func aRegistrationThatCannotBeStoredFails() async throws {
        failOnceTheServerIsAsked()
        let error = await #expect(throws: PushError.self) {
            try await client.addCredentialFromUri(PushClientFixture.uri())
        }
        guard case .storageFailure? = error else {
            Issue.record("The error is \(String(describing: error)) instead of storageFailure.")
            return
        }
        await storage.fail(with: nil)
        #expect(try await client.getCredentials().isEmpty)
    }

    @Test func aDeviceTokenIsUpdatedEvenIfTheStorageFails() async throws {
        let credential = try await client.addCredentialFromUri(PushClientFixture.uri())
        failOnceTheServerIsAsked()
        #expect(try await client.setDeviceToken("0a0b"))
        await storage.fail(with: nil)
        #expect(try await client.tokenState(of: credential.id) == .known)
        let sent = server.requests.count
        #expect(try await client.setDeviceToken("0a0b"))
        #expect(server.requests.count == sent)
    }

    @Test func aRemovalThatTheServerAcceptedIsCompletedAfterAStorageFailure() async throws {
        let credential = try await client.addCredentialFromUri(PushClientFixture.uri())
        let storage = storage
        // The server's response is a list of the user's devices that no longer contains this device.
        server.willAnswer { _ in
            await storage.fail(with: CocoaError(.fileWriteOutOfSpace))
            return PushResponse(status: 200, body: Data(#"{"result":[]}"#.utf8))
        }
        let outcome = try await client.deleteCredential(credential.id) { credential in
            PushServerSession(value: "session", userId: credential.accountName)
        }
        #expect(outcome == .removed)
        await storage.fail(with: nil)
        #expect(try await client.getCredentials() == [])
        #expect(try await storage.getAllPushCredentials() == [])
    }
}

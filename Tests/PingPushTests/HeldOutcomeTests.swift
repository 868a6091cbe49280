import Foundation
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import Testing

/// Row 30 of the legacy behaviour and its relatives, in the async API: what a server took is neither thrown as a failure
/// nor left to be answered again, although the storage did not take it.
@Suite("Outcomes that a storage does not take")
struct HeldOutcomeTests {
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

    /// Has the storage fail from the moment at which the server is asked.
    private func failOnceTheServerIsAsked() {
        let storage = storage
        server.willAnswer { _ in
            await storage.fail(with: CocoaError(.fileWriteOutOfSpace))
            return .ok
        }
    }

    @Test(arguments: [true, false])
    func anAnswerThatTheServerTookCounts(_ isApproval: Bool) async throws {
        let credential = try await client.addCredentialFromUri(Bench.uri())
        let payload = Bench.payload(for: credential).text
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

    /// Where an enrolment can wait for the next process, it counts, and the next process finishes it.
    @Test func aRegistrationThatTheServerTookCounts() async throws {
        let waiting = KeychainPendingEnrolments(InMemoryKeychain(), of: "test")
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
        let credential = try await first.addCredentialFromUri(Bench.uri())
        #expect(try waiting.waiting().map(\.id) == [credential.id])
        await storage.fail(with: nil)
        let next = try await process()
        #expect(try await next.getCredentials().map(\.id) == [credential.id])
        #expect(try await storage.retrievePushCredential(credentialId: credential.id) != nil)
        #expect(try waiting.waiting().isEmpty)
    }

    /// A success that a restart forgets is none.
    @Test func aRegistrationThatNothingTakesIsAnError() async throws {
        failOnceTheServerIsAsked()
        let error = await #expect(throws: PushError.self) {
            try await client.addCredentialFromUri(Bench.uri())
        }
        guard case .storageFailure? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await storage.fail(with: nil)
        #expect(try await client.getCredentials().isEmpty)
    }

    @Test func aTokenThatTheServerTookCounts() async throws {
        let credential = try await client.addCredentialFromUri(Bench.uri())
        failOnceTheServerIsAsked()
        #expect(try await client.setDeviceToken("0a0b"))
        await storage.fail(with: nil)
        #expect(try await client.tokenState(of: credential.id) == .known)
        let sent = server.requests.count
        #expect(try await client.setDeviceToken("0a0b"))
        #expect(server.requests.count == sent)
    }

    @Test func aRemovalThatTheServerTookCounts() async throws {
        let credential = try await client.addCredentialFromUri(Bench.uri())
        let storage = storage
        // The list of the user's devices does not have it any more.
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

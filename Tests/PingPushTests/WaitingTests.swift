import Foundation
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

@Suite("Waiting for a database")
struct WaitingTests {
    /// The database is locked by another connection, as by another process.
    @Test func aHundredCallsThatWaitDelayNoOtherTask() async throws {
        let folder = try TemporaryFolder()
        let (path, key) = (folder.path("push.sqlite"), InMemorySealingKey())
        let client = try await PushClient.createClient { config in
            config.storage = try PushSQLiteStorage(path: path, key: key)
            config.logger = LogManager.none
        }
        let credential = try await client.saveCredential(PushCredential.fromUri(Bench.uri()))
        let other = try SQLiteCredentialStore(path: path, key: key, mode: .create)
        let isLocked = Lock(false)
        let release = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? other.write { _ in
                isLocked.withValue { $0 = true }
                // With a limit: without the executor nothing would release it.
                _ = release.wait(timeout: .now() + 30)
            }
        }
        try await waitFor("the other connection to lock the database") { isLocked.withValue { $0 } }

        let ended = Lock(0)
        let waiting = (0..<100).map { _ in
            Task {
                defer { ended.withValue { $0 += 1 } }
                _ = try await client.saveCredential(credential)
            }
        }
        await Task.detached { await Task.yield() }.value
        // Readers wait for no writer.
        #expect(try await client.getCredentials() == [credential])
        // Usually no call has ended; on a very busy machine some may have timed out. Without the executor, all have ended.
        #expect(ended.withValue { $0 } < 50)
        release.signal()
        for task in waiting { _ = await task.result }
        #expect(try await client.saveCredential(credential) == credential)
    }
}

import Foundation
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

@Suite("Waiting for a database")
struct WaitingTests {
    /// A hundred calls that wait for a locked database do not delay other tasks.
    ///
    /// Another connection locks the database, as another process could do.
    @Test func aHundredWaitingCallsDoNotDelayOtherTasks() async throws {
        let folder = try TemporaryFolder()
        let (path, key) = (folder.path("push.sqlite"), InMemorySealingKey())
        let client = try await PushClient.createClient { config in
            config.storage = try PushSQLiteStorage(path: path, key: key)
            config.logger = LogManager.none
        }
        let credential = try await client.saveCredential(PushCredential.fromUri(PushClientFixture.uri()))
        let other = try SQLiteCredentialStore(path: path, key: key, mode: .create)
        let isLocked = Lock(false)
        let release = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? other.write { _ in
                isLocked.withValue { $0 = true }
                // The wait has a limit, because no code could signal the semaphore if the calls blocked all threads
                // of this process.
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
        // Readers do not wait for a writer.
        #expect(try await client.getCredentials() == [credential])
        // Usually no call has ended yet. On a very busy machine, a few calls may have timed out. If the calls
        // blocked the threads, all calls would have ended.
        #expect(ended.withValue { $0 } < 50)
        release.signal()
        for task in waiting { _ = await task.result }
        #expect(try await client.saveCredential(credential) == credential)
    }
}

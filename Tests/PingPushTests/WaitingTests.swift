import Foundation
import PingPush
import PushBridgeCore
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
            config.logger = nil
        }
        let credential = try await client.saveCredential(PushCredential.fromUri(Bench.uri()))
        let other = try SQLiteCredentialStore(path: path, key: key, mode: .create)
        let (locked, lock) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? other.write { _ in
                lock.finish()
                release.wait()
            }
        }
        for await _ in locked {}

        let start = ContinuousClock.now
        let waiting = (0..<100).map { _ in Task { try await client.saveCredential(credential) } }
        for _ in 0..<100 { await Task.detached { await Task.yield() }.value }
        // Readers wait for no writer.
        #expect(try await client.getCredentials() == [credential])
        #expect(start.duration(to: .now) < .seconds(3))
        release.signal()
        for task in waiting { #expect(try await task.value == credential) }
    }
}

import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgeNotifications
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The app and its service extension on one file, by two connections as two processes have them.
@Suite("Two processes")
struct TwoProcessTests {
    /// How many pushes come in: a hundred, or as many as `Scripts/sanitize` asks for.
    private static let count =
        ProcessInfo.processInfo.environment["PUSHBRIDGE_PUSHES"].flatMap(Int.init) ?? 100

    @Test(arguments: API.allCases)
    func noPushIsLostOrAnsweredTwiceWhileBothWork(_ api: API) async throws {
        let folder = try TemporaryFolder()
        let (path, key) = (folder.path("push.sqlite"), InMemorySealingKey())
        let phone = try await Phone(
            api,
            on: SQLiteCredentialStore(path: path, key: key, mode: .create)
        ) { $0.notificationCleanupConfig.cleanupMode = .none }
        let credential = try await phone.enrol()
        let pushes = try (0..<Self.count).map { _ in try phone.push(to: credential).userInfo }
        let now = phone.time.withValue { $0 }
        let extensionStore = try SQLiteCredentialStore(path: path, key: key, mode: .open)
        let service = PushContentService(now: { now }) { extensionStore }

        let shown = Guarded(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for push in pushes {
                    let content = await withCheckedContinuation { continuation in
                        service.didReceive(push.userInfo) { continuation.resume(returning: $0) }
                    }
                    if content?.title == "Example" { shown.withValue { $0 += 1 } }
                }
            }
            // The app runs after the extension, beside it and before it.
            for part in [pushes, pushes.reversed()] {
                group.addTask {
                    for push in part { _ = await phone.perform(Tap.approve.actionId, push) }
                }
            }
            try await group.waitForAll()
        }
        #expect(shown.withValue { $0 } == pushes.count)
        let stored = try phone.stored()
        #expect(stored.count == pushes.count)
        #expect(Set(stored.map(\.messageId)).count == pushes.count)
        #expect(stored.count { $0.approved } == pushes.count)
        #expect(phone.answers == pushes.count)
        #expect(try await phone.badge() == 0)
    }
}

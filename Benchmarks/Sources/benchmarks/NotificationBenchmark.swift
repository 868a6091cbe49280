import Foundation
import PingPush
import PushBridgeCore
import PushBridgeInternals
import PushBridgeStore

/// Measures how long it takes to look up and receive notifications in a large store.
///
/// For comparison, the same work is done with a store that decodes every item.
struct NotificationBenchmark {
    let notifications: Int
    let folder: URL

    func run() async throws {
        let generated = try GeneratedNotifications(count: notifications)
        let store = try SQLiteCredentialStore(
            path: folder.appendingPathComponent("notifications.db").path,
            key: InMemorySealingKey(),
            mode: .create
        )
        var contents = StoreContents()
        contents.pushCredentials = [generated.credential]
        contents.notifications = Array(generated)
        try store.add(contents)
        let decoding = try DecodingStore(path: folder.appendingPathComponent("items.db").path)
        try decoding.add(generated)
        print("\(notifications) notifications stored, \(GeneratedNotifications.pendingCount) of them pending")
        try await lookUp(generated, store, decoding)
        try await process(generated, store, decoding)
        try decoding.close()
        try store.close()
    }

    private func lookUp(
        _ generated: GeneratedNotifications,
        _ store: SQLiteCredentialStore,
        _ decoding: DecodingStore
    ) async throws {
        let storage = CredentialStoreStorage(store)
        let client = try await client(on: store, cleanup: .none)
        let wanted = generated.messageId(notifications / 3)
        report(
            "getNotificationByMessageId",
            try await Stopwatch.milliseconds(rounds: 501) { _ in
                let found = try await storage.getNotificationByMessageId(messageId: wanted)
                try check(found?.messageId == wanted)
            },
            besides: try await Stopwatch.milliseconds(rounds: 5) { _ in
                try check(decoding.notification(messageId: wanted)?.messageId == wanted)
            }
        )
        report(
            "getPendingNotifications",
            try await Stopwatch.milliseconds(rounds: 501) { _ in
                try check(await client.getPendingNotifications().count == GeneratedNotifications.pendingCount)
            },
            besides: try await Stopwatch.milliseconds(rounds: 5) { _ in
                try check(decoding.pending().count == GeneratedNotifications.pendingCount)
            }
        )
    }

    private func process(
        _ generated: GeneratedNotifications,
        _ store: SQLiteCredentialStore,
        _ decoding: DecodingStore
    ) async throws {
        let rounds = 501
        let payloads = (0..<3 * rounds).map(generated.payload)
        let keeping = try await client(on: store, cleanup: .none)
        report(
            "processNotification, no cleanup",
            try await Stopwatch.milliseconds(rounds: rounds) { round in
                try check(await keeping.processNotification(message: payloads[round]) != nil)
            },
            besides: try await Stopwatch.milliseconds(rounds: 5) { round in
                try decoding.process(payloads[round], with: generated.credential)
            }
        )
        let trimming = try await client(on: store, cleanup: .countBased)
        let first = try await Stopwatch.milliseconds(rounds: 1) { _ in
            try check(await trimming.processNotification(message: payloads[rounds]) != nil)
        }
        let later = try await Stopwatch.milliseconds(rounds: rounds) { round in
            try check(await trimming.processNotification(message: payloads[rounds + 1 + round]) != nil)
        }
        print(
            String(
                format: "  keeping 100 notifications: the first push %.0f ms, each later push %.3f ms",
                first,
                later
            )
        )
    }

    private func client(
        on store: SQLiteCredentialStore,
        cleanup mode: NotificationCleanupConfig.CleanupMode
    ) async throws -> PushClient {
        try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(store)
            configuration.logger = LogManager.none
            configuration.notificationCleanupConfig.cleanupMode = mode
        }
    }

    private func check(_ isRight: Bool) throws {
        guard isRight else { throw ChildProcess.Failure(description: "A store returned a wrong result.") }
    }

    private func report(_ name: String, _ ours: Double, besides decoding: Double) {
        print(String(format: "  \(name): %.3f ms, decoding every item %.0f ms", ours, decoding))
    }
}

import CredentialMigration
import Foundation
import PingLogger
import PingOath
import PingPush

// This file is compiled with the settings of Xcode 26's template for apps. The protocols here, except
// `LegacyStoreWriting`, are `Sendable`, so a conforming class without `@MainActor` is nonisolated.

/// Stores push credentials on the main actor.
@MainActor
final class AppPushStorage: PushStorage {
    private let calls: CallLog
    private(set) var credentials: [PushCredential] = []
    private(set) var notifications: [PushNotification] = []
    private var token: PushDeviceToken?

    init(_ calls: CallLog) {
        self.calls = calls
    }

    func storePushCredential(_ credential: PushCredential) async throws {
        calls.record()
        credentials.removeAll { $0.id == credential.id }
        credentials.append(credential)
    }
    func getAllPushCredentials() async throws -> [PushCredential] {
        calls.record()
        return credentials
    }
    func retrievePushCredential(credentialId: String) async throws -> PushCredential? {
        calls.record()
        return credentials.first { $0.id == credentialId }
    }
    func removePushCredential(credentialId: String) async throws -> Bool { false }
    func clearPushCredentials() async throws {}

    func storePushNotification(_ notification: PushNotification) async throws {
        calls.record()
        notifications.append(notification)
    }
    func updatePushNotification(_ notification: PushNotification) async throws {
        calls.record()
        notifications.removeAll { $0.id == notification.id }
        notifications.append(notification)
    }
    func getAllPushNotifications() async throws -> [PushNotification] {
        calls.record()
        return notifications
    }
    func getPendingPushNotifications() async throws -> [PushNotification] { notifications.filter(\.pending) }
    func retrievePushNotification(notificationId: String) async throws -> PushNotification? {
        calls.record()
        return notifications.first { $0.id == notificationId }
    }
    func getNotificationByMessageId(messageId: String) async throws -> PushNotification? {
        notifications.first { $0.messageId == messageId }
    }
    func removePushNotification(notificationId: String) async throws -> Bool { false }
    func removePushNotificationsForCredential(credentialId: String) async throws -> Int { 0 }
    func clearPushNotifications() async throws {}

    func storePushDeviceToken(_ token: PushDeviceToken) async throws {
        calls.record()
        self.token = token
    }
    func getCurrentPushDeviceToken() async throws -> PushDeviceToken? {
        calls.record()
        return token
    }
    func clearPushDeviceTokens() async throws {}

    func countPushNotifications(credentialId: String?) async throws -> Int { notifications.count }
    func getOldestPushNotifications(limit: Int, credentialId: String?) async throws -> [PushNotification] {
        []
    }
    func purgePushNotificationsByAge(maxAgeDays: Int, credentialId: String?) async throws -> Int { 0 }
    func purgePushNotificationsByCount(maxCount: Int, credentialId: String?) async throws -> Int { 0 }
}

/// Stores one-time-password credentials; the storage is an actor.
actor AppOathStorage: OathStorage {
    private let calls: CallLog
    private var credentials: [OathCredential] = []

    init(_ calls: CallLog) {
        self.calls = calls
    }

    func storeOathCredential(_ credential: OathCredential) async throws {
        calls.record()
        credentials.append(credential)
    }
    func retrieveOathCredential(credentialId: String) async throws -> OathCredential? {
        calls.record()
        return credentials.first { $0.id == credentialId }
    }
    func getAllOathCredentials() async throws -> [OathCredential] {
        calls.record()
        return credentials
    }
    func removeOathCredential(credentialId: String) async throws -> Bool { false }
    func clearOathCredentials() async throws {}
}

/// Handles pushes whose message is `own:`, followed by a credential's id.
final class AppPushHandler: PushHandler {
    private let calls: CallLog

    init(_ calls: CallLog) {
        self.calls = calls
    }

    func canHandle(messageData: [String: Any]) -> Bool { false }
    func canHandle(message: String) -> Bool {
        calls.record()
        return message.hasPrefix("own:")
    }

    func parseMessage(messageData: [String: Any]) throws -> [String: Any] { [:] }
    func parseMessage(message: String) throws -> [String: Any] {
        calls.record()
        return ["credentialId": String(message.dropFirst("own:".count)), "messageId": message, "ttl": 60]
    }

    func sendApproval(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool {
        calls.record()
        return true
    }

    func sendDenial(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool { true }

    func setDeviceToken(
        credential: PushCredential,
        deviceToken: String,
        params: [String: Any]
    ) async throws -> Bool {
        calls.record()
        return true
    }

    func register(credential: PushCredential, params: [String: Any]) async throws -> Bool { true }
}

final class AppAsyncLogger: Logger {
    private let calls: CallLog

    init(_ calls: CallLog) {
        self.calls = calls
    }

    func d(_ message: String) { calls.record() }
    func i(_ message: String) { calls.record() }
    func w(_ message: String, error: (any Error)?) { calls.record() }
    func e(_ message: String, error: (any Error)?) { calls.record() }
}

final class AppRolloutStorage: RolloutStorage {
    private let calls: CallLog
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init(_ calls: CallLog) {
        self.calls = calls
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func read() throws -> Data? {
        calls.record()
        return FileManager.default.fileExists(atPath: url.path) ? try Data(contentsOf: url) : nil
    }

    func write(_ state: Data) throws {
        calls.record()
        try state.write(to: url)
    }
}

/// The state of a screen, isolated to the main actor.
final class RolloutModel {
    var asked: [MigrationGate.Step] = []
    var outcomes: [MigrationEvent.Outcome] = []
    var batches = 0
}

/// A writer that writes nothing.
///
/// The protocol requires a class, but not `Sendable`.
final class AppWriter: LegacyStoreWriting {
    private let calls: CallLog
    private var count = 0

    init(_ calls: CallLog) {
        self.calls = calls
    }

    func write(archive: Data, service: LegacyService, key: String) throws(LegacyStoreError) {
        calls.record()
        count += 1
    }

    func finish() throws(LegacyStoreError) { calls.record() }
}

import Foundation
public import PushBridgeClients
public import PushBridgeCore

/// A ``PushStorage`` over a `CredentialStore`.
///
/// Whoever conforms names the store and is done.
public protocol StoreBackedStorage: PushStorage, StoreBacked where Failure == PushStorageError {}

/// Gives any `CredentialStore` the async API, so that both APIs work on the same credentials.
public typealias CredentialStoreStorage = StoreStorage<PushStorageError>

/// Keeps everything in a keychain; the default on Apple platforms.
public typealias PushKeychainStorage = KeychainStorage<PushStorageError>

/// Keeps everything in an SQLite file, secrets sealed; to be shared between an app and its extensions.
public typealias PushSQLiteStorage = SQLiteStorage<PushStorageError>

extension StoreStorage: StoreBackedStorage, PushStorage where Failure == PushStorageError {}
extension KeychainStorage: PushStorage, StoreBackedStorage where Failure == PushStorageError {}
extension SQLiteStorage: PushStorage, StoreBackedStorage where Failure == PushStorageError {}

extension StoreBackedStorage {
    /// Stores a new credential; one with the same id is a duplicate.
    public func storePushCredential(_ credential: PushCredential) async throws {
        try await write { view in
            guard try view.pushCredential(id: credential.id) == nil else {
                throw PushStorageError.duplicateCredential(credential.id)
            }
            try view.save(credential)
        }
    }

    /// All credentials, oldest first.
    public func getAllPushCredentials() async throws -> [PushCredential] {
        try await read { try $0.pushCredentials().values }
    }

    /// The credential with an id.
    public func retrievePushCredential(credentialId: String) async throws -> PushCredential? {
        try await read { try $0.pushCredential(id: credentialId) }
    }

    /// Removes a credential, and returns whether there was one.
    public func removePushCredential(credentialId: String) async throws -> Bool {
        try await write { try $0.deleteCredential(PushCredential.self, id: credentialId) }
    }

    /// Removes all credentials.
    public func clearPushCredentials() async throws {
        try await removeAll(PushCredential.self)
    }

    /// The oldest credential of an account.
    public func getCredentialByIssuerAndAccount(
        issuer: String,
        accountName: String
    ) async throws -> PushCredential? {
        let account = AccountKey(issuer: issuer, accountName: accountName)
        return try await read { try $0.pushCredentials(account: account).first }
    }

    /// Stores the device token; there is only one.
    public func storePushDeviceToken(_ token: PushDeviceToken) async throws {
        try await write { try $0.save(token) }
    }

    /// The device token.
    public func getCurrentPushDeviceToken() async throws -> PushDeviceToken? {
        try await read { try $0.deviceToken() }
    }

    /// Removes the device token.
    public func clearPushDeviceTokens() async throws {
        try await write { view in _ = try view.removeDeviceToken() }
    }

    /// Stores a new notification; one with the same id is a duplicate.
    public func storePushNotification(_ notification: PushNotification) async throws {
        try await write { view in
            guard try view.notification(id: notification.id) == nil else {
                throw PushStorageError.duplicateNotification(notification.id)
            }
            try view.save(notification)
        }
    }

    /// Replaces a notification; one that is not stored is a failure.
    public func updatePushNotification(_ notification: PushNotification) async throws {
        try await write { view in
            guard try view.notification(id: notification.id) != nil else {
                throw PushStorageError.storageFailure("There is no notification \(notification.id).", nil)
            }
            try view.save(notification)
        }
    }

    /// All notifications, oldest first.
    public func getAllPushNotifications() async throws -> [PushNotification] {
        try await read { try $0.notifications(.all).values }
    }

    /// All notifications that are not answered, oldest first.
    public func getPendingPushNotifications() async throws -> [PushNotification] {
        try await read { try $0.notifications(.open).values }
    }

    /// The notification with an id.
    public func retrievePushNotification(notificationId: String) async throws -> PushNotification? {
        try await read { try $0.notification(id: notificationId) }
    }

    /// The notification with a server's message id.
    public func getNotificationByMessageId(messageId: String) async throws -> PushNotification? {
        try await read { try $0.notification(messageId: messageId) }
    }

    /// Removes a notification, and returns whether there was one.
    public func removePushNotification(notificationId: String) async throws -> Bool {
        try await write { try $0.removeNotification(id: notificationId) }
    }

    /// Removes all notifications of a credential, and returns how many.
    public func removePushNotificationsForCredential(credentialId: String) async throws -> Int {
        try await write { try $0.removeNotifications(RecordQuery(owner: credentialId)) }
    }

    /// Removes all notifications.
    public func clearPushNotifications() async throws {
        try await write { view in _ = try view.removeNotifications(.all) }
    }

    /// How many notifications there are, of one credential or of all.
    public func countPushNotifications(credentialId: String?) async throws -> Int {
        try await read { try $0.count(of: .notification, where: RecordQuery(owner: credentialId)) }
    }

    /// The oldest notifications, of one credential or of all.
    public func getOldestPushNotifications(
        limit: Int,
        credentialId: String?
    ) async throws -> [PushNotification] {
        let query = RecordQuery(owner: credentialId, limit: limit)
        return try await read { try $0.notifications(query).values }
    }

    /// Removes notifications older than a number of days, and returns how many.
    public func purgePushNotificationsByAge(maxAgeDays: Int, credentialId: String?) async throws -> Int {
        try await purge(NotificationCleanup(days: maxAgeDays), credentialId)
    }

    /// Removes the oldest notifications beyond a number, and returns how many.
    public func purgePushNotificationsByCount(maxCount: Int, credentialId: String?) async throws -> Int {
        try await purge(NotificationCleanup(maximum: maxCount), credentialId)
    }

    private func purge(_ rule: NotificationCleanup, _ credentialId: String?) async throws -> Int {
        let now = Date()
        return try await write { try $0.cleanUpNotifications(rule, credentialId: credentialId, at: now) }
    }
}

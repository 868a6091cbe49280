import Foundation
public import PushBridgeClients
public import PushBridgeCore

/// A ``PushStorage`` that uses a `CredentialStore`.
///
/// A type that conforms to this protocol only has to provide its store.
public protocol StoreBackedStorage: PushStorage, StoreBacked where Failure == PushStorageError {}

/// Adapts any `CredentialStore` to the async API, so that both APIs use the same credentials.
public typealias CredentialStoreStorage = StoreStorage<PushStorageError>

/// Stores credentials, notifications and the device token in a keychain.
///
/// A client whose configuration names no storage uses `StandardStore.open()` instead.
public typealias PushKeychainStorage = KeychainStorage<PushStorageError>

/// Stores credentials, notifications and the device token in a SQLite file with sealed secrets.
///
/// An app can share the file with its extensions.
public typealias PushSQLiteStorage = SQLiteStorage<PushStorageError>

extension StoreStorage: StoreBackedStorage, PushStorage where Failure == PushStorageError {}
extension KeychainStorage: PushStorage, StoreBackedStorage where Failure == PushStorageError {}
extension SQLiteStorage: PushStorage, StoreBackedStorage where Failure == PushStorageError {}

extension StoreBackedStorage {
    /// Stores a credential durably, and replaces a credential with the same id.
    /// - Parameter credential: The credential.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func storePushCredential(_ credential: PushCredential) async throws {
        try await write { try $0.save(credential, keepsOtherLocks: true) }
    }

    /// Returns all credentials, oldest first.
    /// - Returns: The credentials that can be read.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func getAllPushCredentials() async throws -> [PushCredential] {
        try await read { try $0.pushCredentials().values }
    }

    /// Returns the credential with an id.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: The credential; `nil` if no credential has this id.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func retrievePushCredential(credentialId: String) async throws -> PushCredential? {
        try await read { try $0.pushCredential(id: credentialId) }
    }

    /// Removes a credential, and also its account if the account has no other credential.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: Whether the storage contained the credential.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func removePushCredential(credentialId: String) async throws -> Bool {
        try await write { try $0.deleteCredential(PushCredential.self, id: credentialId) }
    }

    /// Removes all credentials.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func clearPushCredentials() async throws {
        try await removeAll(PushCredential.self)
    }

    /// Returns the oldest credential of an account.
    /// - Parameters:
    ///   - issuer: The issuer, compared exactly.
    ///   - accountName: The user's name at the issuer, compared exactly.
    /// - Returns: The credential; `nil` if the account has no credential.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func getCredentialByIssuerAndAccount(
        issuer: String,
        accountName: String
    ) async throws -> PushCredential? {
        let account = AccountKey(issuer: issuer, accountName: accountName)
        return try await read { try $0.pushCredentials(account: account).first }
    }

    /// Stores the device token and replaces the previous one.
    /// - Parameter token: The token.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func storePushDeviceToken(_ token: PushDeviceToken) async throws {
        try await write { try $0.save(token) }
    }

    /// Returns the device token.
    /// - Returns: The token; `nil` if no token is stored.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func getCurrentPushDeviceToken() async throws -> PushDeviceToken? {
        try await read { try $0.deviceToken() }
    }

    /// Removes the device token.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func clearPushDeviceTokens() async throws {
        try await write { view in _ = try view.removeDeviceToken() }
    }

    /// Stores a notification durably, and replaces a notification with the same id.
    /// - Parameter notification: The notification.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func storePushNotification(_ notification: PushNotification) async throws {
        try await write { try $0.save(notification) }
    }

    /// Does the same as ``storePushNotification(_:)``.
    /// - Parameter notification: The notification.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func updatePushNotification(_ notification: PushNotification) async throws {
        try await storePushNotification(notification)
    }

    /// Returns all notifications, newest first.
    /// - Returns: The notifications that can be read.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func getAllPushNotifications() async throws -> [PushNotification] {
        try await read { try $0.notifications(.all).values.reversed() }
    }

    /// Returns the notifications that are neither answered nor expired, newest first.
    /// - Returns: The notifications that can be read.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func getPendingPushNotifications() async throws -> [PushNotification] {
        let now = Date()
        return try await read { try $0.pendingNotifications(at: now) }
    }

    /// Returns the notification with an id.
    /// - Parameter notificationId: The notification's id.
    /// - Returns: The notification; `nil` if no notification has this id.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func retrievePushNotification(notificationId: String) async throws -> PushNotification? {
        try await read { try $0.notification(id: notificationId) }
    }

    /// Returns the notification with a server's message id.
    /// - Parameter messageId: The message id.
    /// - Returns: The notification; `nil` if no notification has this message id.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func getNotificationByMessageId(messageId: String) async throws -> PushNotification? {
        try await read { try $0.notification(messageId: messageId) }
    }

    /// Removes a notification.
    /// - Parameter notificationId: The notification's id.
    /// - Returns: Whether the storage contained the notification.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func removePushNotification(notificationId: String) async throws -> Bool {
        try await write { try $0.removeNotification(id: notificationId) }
    }

    /// Removes all notifications of a credential.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: The number of removed notifications.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func removePushNotificationsForCredential(credentialId: String) async throws -> Int {
        try await write { try $0.removeNotifications(RecordQuery(owner: credentialId)) }
    }

    /// Removes all notifications.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func clearPushNotifications() async throws {
        try await write { view in _ = try view.removeNotifications(.all) }
    }

    /// Counts notifications.
    /// - Parameter credentialId: The credential whose notifications are counted; `nil` means all credentials.
    /// - Returns: The number of notifications.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func countPushNotifications(credentialId: String?) async throws -> Int {
        try await read { try $0.count(of: .notification, where: RecordQuery(owner: credentialId)) }
    }

    /// Returns the oldest notifications, up to `limit`, oldest first.
    /// - Parameters:
    ///   - limit: The maximum number.
    ///   - credentialId: The credential whose notifications are returned; `nil` means all credentials.
    /// - Returns: The notifications that can be read.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func getOldestPushNotifications(
        limit: Int,
        credentialId: String?
    ) async throws -> [PushNotification] {
        let query = RecordQuery(owner: credentialId, limit: limit)
        return try await read { try $0.notifications(query).values }
    }

    /// Removes notifications that the server sent more than `maxAgeDays` days ago.
    /// - Parameters:
    ///   - maxAgeDays: The number of days, each with 24 hours.
    ///   - credentialId: The credential whose notifications are removed; `nil` means all credentials.
    /// - Returns: The number of removed notifications.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func purgePushNotificationsByAge(maxAgeDays: Int, credentialId: String?) async throws -> Int {
        try await purge(NotificationCleanup(days: maxAgeDays), credentialId)
    }

    /// Keeps the newest notifications, up to `maxCount`, and removes all older notifications.
    /// - Parameters:
    ///   - maxCount: The maximum number to keep.
    ///   - credentialId: The credential whose notifications are counted and removed; `nil` means all credentials.
    /// - Returns: The number of removed notifications.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    public func purgePushNotificationsByCount(maxCount: Int, credentialId: String?) async throws -> Int {
        try await purge(NotificationCleanup(maximum: maxCount), credentialId)
    }

    private func purge(_ rule: NotificationCleanup, _ credentialId: String?) async throws -> Int {
        let now = Date()
        return try await write { try $0.cleanUpNotifications(rule, credentialId: credentialId, at: now) }
    }
}

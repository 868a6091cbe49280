public import PushBridgeCore

/// The storage of a client's credentials, notifications and device token.
///
/// A method throws ``PushStorageError`` if it fails. If the requested value does not exist, a method returns `nil` or
/// `false` and throws no error.
///
/// An app's own storage serves one client at a time, and the client runs its transactions one after another.
/// The storage has no accounts: each credential contains the data of its account.
///
/// A storage may reject a credential whose id is already stored. The client then changes a credential in four steps: it
/// stores a copy (with an id that ends with `.replacement`) if the storage accepts it, removes the old credential,
/// stores the changed credential, and removes the copy. If the process ends in the meantime, the storage's next client
/// completes the replacement from the copy.
///
/// A storage must not call its client, or wait for a task that calls the client. To prevent a deadlock, such a call
/// throws ``PushStorageError/storageFailure(_:_:)``. To call the client, use a detached task, and do not wait for it.
public protocol PushStorage: Sendable {
    /// Stores a new or changed credential durably.
    /// - Parameter credential: The credential.
    /// - Throws: ``PushStorageError/duplicateCredential(_:)`` if a credential with the same id is stored and the
    ///   storage does not replace it, and ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func storePushCredential(_ credential: PushCredential) async throws
    /// Returns all credentials, in any order.
    /// - Returns: The credentials.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func getAllPushCredentials() async throws -> [PushCredential]
    /// Returns the credential with an id.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: The credential; `nil` if no credential has this id.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func retrievePushCredential(credentialId: String) async throws -> PushCredential?
    /// Removes a credential.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: Whether the storage contained the credential.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func removePushCredential(credentialId: String) async throws -> Bool
    /// Removes all credentials.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func clearPushCredentials() async throws
    /// Returns the oldest credential of an account.
    /// - Parameters:
    ///   - issuer: The issuer, compared exactly.
    ///   - accountName: The user's name at the issuer, compared exactly.
    /// - Returns: The credential; `nil` if the account has no credential.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func getCredentialByIssuerAndAccount(issuer: String, accountName: String) async throws -> PushCredential?

    /// Stores a new notification durably.
    /// - Parameter notification: The notification.
    /// - Throws: ``PushStorageError/duplicateNotification(_:)`` if a notification with the same id is stored, and
    ///   ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func storePushNotification(_ notification: PushNotification) async throws
    /// Replaces the notification with the same id.
    /// - Parameter notification: The notification.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if no notification has this id, or if the storage fails.
    func updatePushNotification(_ notification: PushNotification) async throws
    /// Returns all notifications, in any order.
    /// - Returns: The notifications.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func getAllPushNotifications() async throws -> [PushNotification]
    /// Returns the notifications that are not answered, in any order.
    ///
    /// The storage may leave out expired notifications.
    /// - Returns: The notifications.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func getPendingPushNotifications() async throws -> [PushNotification]
    /// Returns the notification with an id.
    /// - Parameter notificationId: The notification's id.
    /// - Returns: The notification; `nil` if no notification has this id.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func retrievePushNotification(notificationId: String) async throws -> PushNotification?
    /// Returns the notification with a server's message id.
    /// - Parameter messageId: The message id.
    /// - Returns: The notification; `nil` if no notification has this message id.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func getNotificationByMessageId(messageId: String) async throws -> PushNotification?
    /// Removes a notification.
    /// - Parameter notificationId: The notification's id.
    /// - Returns: Whether the storage contained the notification.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func removePushNotification(notificationId: String) async throws -> Bool
    /// Removes all notifications of a credential.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: The number of removed notifications.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func removePushNotificationsForCredential(credentialId: String) async throws -> Int
    /// Removes all notifications.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func clearPushNotifications() async throws

    /// Stores the device token and replaces the previous one.
    /// - Parameter token: The token.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func storePushDeviceToken(_ token: PushDeviceToken) async throws
    /// Returns the device token.
    /// - Returns: The token; `nil` if no token is stored.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func getCurrentPushDeviceToken() async throws -> PushDeviceToken?
    /// Removes the device token.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func clearPushDeviceTokens() async throws

    /// Counts notifications.
    /// - Parameter credentialId: The credential whose notifications are counted; `nil` means all credentials.
    /// - Returns: The number of notifications.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func countPushNotifications(credentialId: String?) async throws -> Int
    /// Returns the oldest notifications, up to `limit`, oldest first.
    /// - Parameters:
    ///   - limit: The maximum number.
    ///   - credentialId: The credential whose notifications are returned; `nil` means all credentials.
    /// - Returns: The notifications.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func getOldestPushNotifications(limit: Int, credentialId: String?) async throws -> [PushNotification]
    /// Removes notifications that the server sent more than `maxAgeDays` days ago.
    /// - Parameters:
    ///   - maxAgeDays: The number of days, each with 24 hours.
    ///   - credentialId: The credential whose notifications are removed; `nil` means all credentials.
    /// - Returns: The number of removed notifications.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func purgePushNotificationsByAge(maxAgeDays: Int, credentialId: String?) async throws -> Int
    /// Keeps the newest notifications, up to `maxCount`, and removes all older notifications.
    /// - Parameters:
    ///   - maxCount: The maximum number to keep.
    ///   - credentialId: The credential whose notifications are counted and removed; `nil` means all credentials.
    /// - Returns: The number of removed notifications.
    /// - Throws: ``PushStorageError/storageFailure(_:_:)`` if the storage fails.
    func purgePushNotificationsByCount(maxCount: Int, credentialId: String?) async throws -> Int
}

extension PushStorage {
    /// Returns the oldest credential of an account.
    /// - Parameters:
    ///   - issuer: The issuer, compared exactly.
    ///   - accountName: The user's name at the issuer, compared exactly.
    /// - Returns: The credential; `nil` if the account has no credential.
    /// - Throws: The errors of ``getAllPushCredentials()``.
    public func getCredentialByIssuerAndAccount(
        issuer: String,
        accountName: String
    ) async throws -> PushCredential? {
        try await getAllPushCredentials()
            .filter { $0.issuer == issuer && $0.accountName == accountName }
            .min { $0.createdAt < $1.createdAt }
    }
}

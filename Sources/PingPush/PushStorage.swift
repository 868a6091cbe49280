public import PushBridgeCore

/// Where a client keeps credentials, notifications and the device token.
///
/// Failures are thrown as ``PushStorageError``; what is not there is `nil` or `false`, never an error.
///
/// An app's own storage serves one client at a time, which runs its transactions on it one after the other. It keeps no
/// accounts: each credential says what its account is. Where it refuses a duplicate, a changed credential is stored as
/// a copy first (under an id that ends with `.replacement`), then the old one is removed and the changed one stored;
/// what was interrupted is completed when a client uses the storage next. A storage that calls its client, or waits for
/// a task that does, gets ``PushStorageError/storageFailure(_:_:)``, because each would wait for the other; use the
/// client in a detached task that nothing waits for.
public protocol PushStorage: Sendable {
    /// Stores a new credential; one with the same id is a duplicate.
    func storePushCredential(_ credential: PushCredential) async throws
    /// All credentials, oldest first.
    func getAllPushCredentials() async throws -> [PushCredential]
    /// The credential with an id.
    func retrievePushCredential(credentialId: String) async throws -> PushCredential?
    /// Removes a credential.
    /// - Returns: Whether there was one.
    func removePushCredential(credentialId: String) async throws -> Bool
    /// Removes all credentials.
    func clearPushCredentials() async throws
    /// The oldest credential of an account.
    func getCredentialByIssuerAndAccount(issuer: String, accountName: String) async throws -> PushCredential?

    /// Stores a new notification; one with the same id is a duplicate.
    func storePushNotification(_ notification: PushNotification) async throws
    /// Replaces a notification; one that is not stored is a failure.
    func updatePushNotification(_ notification: PushNotification) async throws
    /// All notifications, oldest first.
    func getAllPushNotifications() async throws -> [PushNotification]
    /// All notifications that are not answered, oldest first.
    func getPendingPushNotifications() async throws -> [PushNotification]
    /// The notification with an id.
    func retrievePushNotification(notificationId: String) async throws -> PushNotification?
    /// The notification with a server's message id.
    func getNotificationByMessageId(messageId: String) async throws -> PushNotification?
    /// Removes a notification.
    /// - Returns: Whether there was one.
    func removePushNotification(notificationId: String) async throws -> Bool
    /// Removes all notifications of a credential.
    /// - Returns: How many there were.
    func removePushNotificationsForCredential(credentialId: String) async throws -> Int
    /// Removes all notifications.
    func clearPushNotifications() async throws

    /// Stores the device token; there is only one.
    func storePushDeviceToken(_ token: PushDeviceToken) async throws
    /// The device token.
    func getCurrentPushDeviceToken() async throws -> PushDeviceToken?
    /// Removes the device token.
    func clearPushDeviceTokens() async throws

    /// How many notifications there are, of one credential or of all.
    func countPushNotifications(credentialId: String?) async throws -> Int
    /// The oldest notifications, of one credential or of all.
    func getOldestPushNotifications(limit: Int, credentialId: String?) async throws -> [PushNotification]
    /// Removes notifications older than a number of days.
    /// - Returns: How many there were.
    func purgePushNotificationsByAge(maxAgeDays: Int, credentialId: String?) async throws -> Int
    /// Removes the oldest notifications beyond a number.
    /// - Returns: How many there were.
    func purgePushNotificationsByCount(maxCount: Int, credentialId: String?) async throws -> Int
}

extension PushStorage {
    /// The oldest credential of an account, found among all.
    public func getCredentialByIssuerAndAccount(
        issuer: String,
        accountName: String
    ) async throws -> PushCredential? {
        try await getAllPushCredentials()
            .filter { $0.issuer == issuer && $0.accountName == accountName }
            .min { $0.createdAt < $1.createdAt }
    }
}

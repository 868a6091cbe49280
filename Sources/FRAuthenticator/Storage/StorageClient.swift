import FRCore
public import PushBridgePlatform

/// An app's own storage, in which the client stores all records.
///
/// The client calls the storage on any thread, also concurrently. The client holds no lock during a call, so a storage
/// may wait for a queue or for the main thread. Setters replace an object with the same identifier, and return whether
/// they stored the object; if one returns `false`, the client restores the previous state. If two changes of one object
/// overlap, the storage may receive the earlier change last.
///
/// During a call of the storage, an implementation must not call ``FRAClient`` or ``FRAPushHandler`` on the same
/// thread: that call fails, and the log contains the reason.
public protocol StorageClient: NonisolatedConformance {
    /// Stores an account.
    /// - Parameter account: The account, which replaces an account with the same identifier.
    /// - Returns: Whether it was stored.
    @discardableResult func setAccount(account: Account) -> Bool
    /// Removes an account; its mechanisms are removed by separate calls.
    /// - Parameter account: The account to remove.
    /// - Returns: Whether the storage no longer contains the account.
    @discardableResult func removeAccount(account: Account) -> Bool
    /// The account with an identifier.
    /// - Parameter accountIdentifier: `{issuer}-{accountName}`.
    /// - Returns: The account; `nil` if there is none.
    func getAccount(accountIdentifier: String) -> Account?
    /// All accounts, in any order.
    /// - Returns: The accounts; empty if there are none.
    func getAllAccounts() -> [Account]

    /// Stores a mechanism.
    /// - Parameter mechanism: The mechanism, which replaces a mechanism with the same identifier.
    /// - Returns: Whether it was stored.
    @discardableResult func setMechanism(mechanism: Mechanism) -> Bool
    /// Removes a mechanism; its notifications are removed by separate calls.
    /// - Parameter mechanism: The mechanism to remove.
    /// - Returns: Whether the storage no longer contains the mechanism.
    @discardableResult func removeMechanism(mechanism: Mechanism) -> Bool
    /// The mechanisms of an account, in any order.
    /// - Parameter account: The account.
    /// - Returns: The mechanisms.
    func getMechanismsForAccount(account: Account) -> [Mechanism]
    /// The mechanism with an id.
    /// - Parameter uuid: The id, ``Mechanism/mechanismUUID``.
    /// - Returns: The mechanism; `nil` if there is none.
    func getMechanismForUUID(uuid: String) -> Mechanism?

    /// The notification with an identifier.
    /// - Parameter notificationIdentifier: `{mechanismUUID}-{timeAdded}`, the time in milliseconds since 1970.
    /// - Returns: The notification; `nil` if there is none.
    func getNotification(notificationIdentifier: String) -> PushNotification?
    /// The notification with a server's message id.
    /// - Parameter messageId: The id.
    /// - Returns: The notification; `nil` if there is none.
    func getNotificationByMessageId(messageId: String) -> PushNotification?
    /// Stores a notification.
    /// - Parameter notification: The notification, which replaces a notification with the same identifier.
    /// - Returns: Whether it was stored.
    @discardableResult func setNotification(notification: PushNotification) -> Bool
    /// Removes a notification.
    /// - Parameter notification: The notification to remove.
    /// - Returns: Whether the storage no longer contains the notification.
    @discardableResult func removeNotification(notification: PushNotification) -> Bool
    /// The notifications of a mechanism, in any order.
    /// - Parameter mechanism: The mechanism.
    /// - Returns: The notifications.
    func getAllNotificationsForMechanism(mechanism: Mechanism) -> [PushNotification]
    /// All notifications, in any order.
    /// - Returns: The notifications; empty if there are none.
    func getAllNotifications() -> [PushNotification]

    /// Stores the device token; there is only one.
    /// - Parameter pushDeviceToken: The token, which replaces the previous token.
    /// - Returns: Whether it was stored.
    @discardableResult func setPushDeviceToken(pushDeviceToken: PushDeviceToken) -> Bool
    /// The device token.
    /// - Returns: The token; `nil` if there is none.
    func getPushDeviceToken() -> PushDeviceToken?
    /// Removes the device token.
    /// - Returns: Whether the storage no longer contains the token.
    @discardableResult func removePushDeviceToken() -> Bool

    /// Whether the storage is empty.
    /// - Returns: Whether there is no account, mechanism, notification and token.
    @discardableResult func isEmpty() -> Bool
}

// Default implementations for storages that were written before the SDK stored device tokens.
extension StorageClient {
    /// Searches all notifications, which is slow, and logs a warning.
    ///
    /// Used for storages of older apps, which lack this method.
    /// - Parameter messageId: The id.
    /// - Returns: The notification; `nil` if there is none.
    public func getNotificationByMessageId(messageId: String) -> PushNotification? {
        FRALog.w("The app's StorageClient cannot find a notification by its message id; all are searched.")
        return getAllNotifications().first { $0.messageId == messageId }
    }

    /// Stores no token and logs a warning: servers receive the token again after every start of the app.
    /// - Parameter pushDeviceToken: Not used.
    /// - Returns: `true`.
    @discardableResult
    public func setPushDeviceToken(pushDeviceToken: PushDeviceToken) -> Bool {
        FRALog.w("The app's StorageClient keeps no device token; implement its three methods.")
        return true
    }

    /// Returns `nil`, because no token is stored.
    public func getPushDeviceToken() -> PushDeviceToken? { nil }

    /// Returns `true`, because no token is stored.
    @discardableResult
    public func removePushDeviceToken() -> Bool { true }

    /// Returns whether there is neither an account nor a notification.
    @discardableResult
    public func isEmpty() -> Bool { getAllAccounts().isEmpty && getAllNotifications().isEmpty }
}

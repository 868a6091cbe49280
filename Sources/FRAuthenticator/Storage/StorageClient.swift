import FRCore
public import PushBridgePlatform

/// An app's own storage, in which the client stores all records.
///
/// The client calls the storage on any thread, and may make several calls concurrently. The client holds no lock
/// during a call, so a storage may wait for a queue or for the main thread.
///
/// A setter replaces any object that has the same identifier, and returns whether it stored the new object. If a
/// setter returns `false`, the client restores the previous state. If two changes to one object overlap, the
/// storage may receive the earlier change last.
///
/// A setter receives each change as a new object. A storage may keep its objects in memory: after a setter has
/// accepted a change, the client also changes the objects that the storage returned or accepted earlier. Only the
/// names and the lock of an account, the counter of an HOTP mechanism, and the answer of a push can change.
///
/// While the client is calling the storage, the storage must not call ``FRAClient`` or ``FRAPushHandler`` on
/// the same thread: such a call fails, and the log contains the reason.
public protocol StorageClient: NonisolatedConformance {
    /// Stores an account.
    /// - Parameter account: The account, which replaces an account with the same identifier.
    /// - Returns: Whether it was stored.
    @discardableResult func setAccount(account: Account) -> Bool
    /// Removes an account.
    ///
    /// The client removes the account's mechanisms with separate calls.
    /// - Parameter account: The account to remove.
    /// - Returns: Whether the storage no longer contains the account.
    @discardableResult func removeAccount(account: Account) -> Bool
    /// Returns the account with an identifier.
    /// - Parameter accountIdentifier: `{issuer}-{accountName}`.
    /// - Returns: The account, or `nil` if the storage does not contain it.
    func getAccount(accountIdentifier: String) -> Account?
    /// Returns all accounts, in any order.
    /// - Returns: The accounts.
    func getAllAccounts() -> [Account]

    /// Stores a mechanism.
    /// - Parameter mechanism: The mechanism, which replaces a mechanism with the same identifier.
    /// - Returns: Whether it was stored.
    @discardableResult func setMechanism(mechanism: Mechanism) -> Bool
    /// Removes a mechanism.
    ///
    /// The client removes the mechanism's notifications with separate calls.
    /// - Parameter mechanism: The mechanism to remove.
    /// - Returns: Whether the storage no longer contains the mechanism.
    @discardableResult func removeMechanism(mechanism: Mechanism) -> Bool
    /// Returns the mechanisms of an account, in any order.
    /// - Parameter account: The account.
    /// - Returns: The mechanisms.
    func getMechanismsForAccount(account: Account) -> [Mechanism]
    /// Returns the mechanism with an id.
    /// - Parameter uuid: The id, ``Mechanism/mechanismUUID``.
    /// - Returns: The mechanism, or `nil` if the storage does not contain it.
    func getMechanismForUUID(uuid: String) -> Mechanism?

    /// Returns the notification with an identifier.
    /// - Parameter notificationIdentifier: `{mechanismUUID}-{timeAdded}`, where the time is in milliseconds
    ///   since 1970.
    /// - Returns: The notification, or `nil` if the storage does not contain it.
    func getNotification(notificationIdentifier: String) -> PushNotification?
    /// Returns the notification with a server's message id.
    /// - Parameter messageId: The id.
    /// - Returns: The notification, or `nil` if the storage does not contain it.
    func getNotificationByMessageId(messageId: String) -> PushNotification?
    /// Stores a notification.
    /// - Parameter notification: The notification, which replaces a notification with the same identifier.
    /// - Returns: Whether it was stored.
    @discardableResult func setNotification(notification: PushNotification) -> Bool
    /// Removes a notification.
    /// - Parameter notification: The notification to remove.
    /// - Returns: Whether the storage no longer contains the notification.
    @discardableResult func removeNotification(notification: PushNotification) -> Bool
    /// Returns the notifications of a mechanism, in any order.
    /// - Parameter mechanism: The mechanism.
    /// - Returns: The notifications.
    func getAllNotificationsForMechanism(mechanism: Mechanism) -> [PushNotification]
    /// Returns all notifications, in any order.
    /// - Returns: The notifications.
    func getAllNotifications() -> [PushNotification]

    /// Stores the device token.
    /// - Parameter pushDeviceToken: The token, which replaces the previous token.
    /// - Returns: Whether it was stored.
    @discardableResult func setPushDeviceToken(pushDeviceToken: PushDeviceToken) -> Bool
    /// Returns the device token.
    /// - Returns: The token, or `nil` if the storage contains no token.
    func getPushDeviceToken() -> PushDeviceToken?
    /// Removes the device token.
    /// - Returns: Whether the storage no longer contains the token.
    @discardableResult func removePushDeviceToken() -> Bool

    /// Returns whether the storage is empty.
    /// - Returns: Whether the storage contains neither an account, nor a mechanism, nor a notification, nor a
    ///   token.
    @discardableResult func isEmpty() -> Bool
}

// Storages that were written before the SDK stored device tokens lack some methods of the protocol. These
// default implementations replace the missing methods.
extension StorageClient {
    /// Searches all notifications for the message id, and logs a warning because this search is slow.
    ///
    /// This implementation is for older apps, whose storages lack the method.
    /// - Parameter messageId: The id.
    /// - Returns: The notification, or `nil` if the storage does not contain it.
    public func getNotificationByMessageId(messageId: String) -> PushNotification? {
        FRALog.w("The app's StorageClient cannot search for a message id, so all notifications are read.")
        return getAllNotifications().first { $0.messageId == messageId }
    }

    /// Stores nothing and logs a warning, so servers receive the token again after every start of the app.
    /// - Parameter pushDeviceToken: Not used.
    /// - Returns: `true`.
    @discardableResult
    public func setPushDeviceToken(pushDeviceToken: PushDeviceToken) -> Bool {
        FRALog.w("The app's StorageClient stores no device token; implement the three methods for tokens.")
        return true
    }

    /// Returns `nil`, because no token is stored.
    public func getPushDeviceToken() -> PushDeviceToken? { nil }

    /// Returns `true`, because no token is stored.
    @discardableResult
    public func removePushDeviceToken() -> Bool { true }

    /// Returns whether the storage contains neither an account nor a notification.
    @discardableResult
    public func isEmpty() -> Bool { getAllAccounts().isEmpty && getAllNotifications().isEmpty }
}

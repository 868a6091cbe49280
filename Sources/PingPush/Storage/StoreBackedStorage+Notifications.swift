import Foundation

extension StoreBackedStorage {
    /// Stores a new notification; one with the same id is a duplicate.
    public func storePushNotification(_ notification: PushNotification) async throws {
        try write { view in
            guard try view.notification(id: notification.id) == nil else {
                throw PushStorageError.duplicateNotification(notification.id)
            }
            try view.save(notification)
        }
    }

    /// Replaces a notification; one that is not stored is a failure.
    public func updatePushNotification(_ notification: PushNotification) async throws {
        try write { view in
            guard try view.notification(id: notification.id) != nil else {
                throw PushStorageError.storageFailure("There is no notification \(notification.id).", nil)
            }
            try view.save(notification)
        }
    }

    /// All notifications, oldest first.
    public func getAllPushNotifications() async throws -> [PushNotification] {
        try read { try $0.notifications(.all) }
    }

    /// All notifications that are not answered, oldest first.
    public func getPendingPushNotifications() async throws -> [PushNotification] {
        try read { try $0.notifications(.pending) }
    }

    /// The notification with an id.
    public func retrievePushNotification(notificationId: String) async throws -> PushNotification? {
        try read { try $0.notification(id: notificationId) }
    }

    /// The notification with a server's message id.
    public func getNotificationByMessageId(messageId: String) async throws -> PushNotification? {
        try read { try $0.notification(messageId: messageId) }
    }

    /// Removes a notification; answers whether there was one.
    public func removePushNotification(notificationId: String) async throws -> Bool {
        try write { try $0.removeNotification(id: notificationId) }
    }

    /// Removes all notifications of a credential; answers how many.
    public func removePushNotificationsForCredential(credentialId: String) async throws -> Int {
        try write { try $0.removeNotifications(NotificationQuery(credentialId: credentialId)) }
    }

    /// Removes all notifications.
    public func clearPushNotifications() async throws {
        try write { view in _ = try view.removeNotifications(.all) }
    }

    /// How many notifications there are, of one credential or of all.
    public func countPushNotifications(credentialId: String?) async throws -> Int {
        try read { try $0.notificationCount(NotificationQuery(credentialId: credentialId)) }
    }

    /// The oldest notifications, of one credential or of all.
    public func getOldestPushNotifications(
        limit: Int,
        credentialId: String?
    ) async throws -> [PushNotification] {
        try read { try $0.notifications(NotificationQuery(credentialId: credentialId, limit: max(0, limit))) }
    }

    /// Removes notifications older than a number of days; answers how many.
    public func purgePushNotificationsByAge(maxAgeDays: Int, credentialId: String?) async throws -> Int {
        try purge(.ageBased(days: maxAgeDays), credentialId)
    }

    /// Removes the oldest notifications beyond a number; answers how many.
    public func purgePushNotificationsByCount(maxCount: Int, credentialId: String?) async throws -> Int {
        try purge(.countBased(maximum: maxCount), credentialId)
    }

    private func purge(_ rule: NotificationCleanup, _ credentialId: String?) throws -> Int {
        try write { try $0.cleanUpNotifications(rule, credentialId: credentialId, at: Date()) }
    }
}

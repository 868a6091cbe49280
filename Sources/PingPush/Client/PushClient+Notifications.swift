extension PushClient {
    /// The notifications that are not answered, oldest first.
    public func getPendingNotifications() async throws -> [PushNotification] {
        try await read(.pending) { try $0.notifications(.pending) }
    }

    /// All notifications, oldest first.
    public func getAllNotifications() async throws -> [PushNotification] {
        try await read(.everything) { try $0.notifications(.all) }
    }

    /// The notification with an id.
    public func getNotification(_ notificationId: String) async throws -> PushNotification? {
        try await read(.notification(notificationId)) { try $0.notification(id: notificationId) }
    }

    /// The notification with an id.
    public func getNotification(notificationId: String) async throws -> PushNotification? {
        try await getNotification(notificationId)
    }

    /// Removes old notifications as the configuration says, of one credential or of all; answers how many.
    @discardableResult
    public func cleanupNotifications(credentialId: String? = nil) async throws -> Int {
        let rule = configuration.notificationCleanupConfig.rule
        let now = configuration.now()
        return try await write(.everything) { view in
            try view.cleanUpNotifications(rule, credentialId: credentialId, at: now)
        }
    }
}

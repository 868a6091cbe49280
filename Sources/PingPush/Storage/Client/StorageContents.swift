/// The part of a storage that a transaction sees.
struct StorageContents: Equatable, Sendable {
    var credentials: [PushCredential] = []
    var notifications: [PushNotification] = []
    var deviceToken: PushDeviceToken?

    init() {}

    /// Reads everything.
    init(of store: some CredentialStore) throws {
        self = try store.read { view in
            var contents = StorageContents()
            contents.credentials = try view.pushCredentials()
            contents.notifications = try view.notifications(.all)
            contents.deviceToken = try view.deviceToken()
            return contents
        }
    }

    /// The same without claims of answers, which end with the process and are no one else's business.
    var withoutClaims: StorageContents {
        var contents = self
        for index in contents.notifications.indices { contents.notifications[index].answerClaim = nil }
        return contents
    }

    func save(to store: some CredentialStore) throws {
        try store.write { view in
            for credential in credentials { try view.save(credential) }
            for notification in notifications { try view.save(notification) }
            if let deviceToken { try view.save(deviceToken) }
        }
    }
}

extension PushStorage {
    /// Reads what a scope names.
    func contents(_ scope: StorageScope) async throws -> StorageContents {
        var contents = StorageContents()
        contents.credentials = try await getAllPushCredentials()
        contents.deviceToken = try await getCurrentPushDeviceToken()
        contents.notifications = try await notifications(scope)
        return contents
    }

    private func notifications(_ scope: StorageScope) async throws -> [PushNotification] {
        switch scope {
        case .credentials: []
        case .notification(let id): try await retrievePushNotification(notificationId: id).map { [$0] } ?? []
        case .message(let id): try await getNotificationByMessageId(messageId: id).map { [$0] } ?? []
        case .pending: try await getPendingPushNotifications()
        case .everything: try await getAllPushNotifications()
        }
    }

    /// Writes the difference; what is removed goes last, so that a failure on the way loses nothing.
    func apply(changesFrom before: StorageContents, to after: StorageContents) async throws {
        let known = Dictionary(before.credentials.map { ($0.id, $0) }) { first, _ in first }
        for credential in after.credentials where known[credential.id] != credential {
            try await replace(credential)
        }
        try await apply(notificationsFrom: before, to: after)
        if after.deviceToken != before.deviceToken {
            if let token = after.deviceToken {
                try await storePushDeviceToken(token)
            } else {
                try await clearPushDeviceTokens()
            }
        }
        let kept = Set(after.credentials.map(\.id))
        for credential in before.credentials where !kept.contains(credential.id) {
            _ = try await removePushCredential(credentialId: credential.id)
        }
    }

    private func apply(
        notificationsFrom before: StorageContents,
        to after: StorageContents
    ) async throws {
        let known = Dictionary(before.notifications.map { ($0.id, $0) }) { first, _ in first }
        for notification in after.notifications where known[notification.id] != notification {
            if known[notification.id] == nil {
                try await storePushNotification(notification)
            } else {
                try await updatePushNotification(notification)
            }
        }
        let kept = Set(after.notifications.map(\.id))
        for notification in before.notifications where !kept.contains(notification.id) {
            _ = try await removePushNotification(notificationId: notification.id)
        }
    }

    /// Stores a credential in place of the one with its id, which a storage may refuse as a duplicate.
    private func replace(_ credential: PushCredential) async throws {
        do {
            try await storePushCredential(credential)
        } catch PushStorageError.duplicateCredential {
            _ = try await removePushCredential(credentialId: credential.id)
            try await storePushCredential(credential)
        }
    }
}

import Foundation
import LegacyStore
import PushBridgeCore

extension StorageClientView: CredentialReading {
    func forEachPushCredential(_ body: (PushCredential) throws -> Void) throws {
        try allPush(of: nil).forEach(body)
    }

    func pushCredentialIDs() -> [String] { allPush(of: nil).map(\.id) }

    func pushCredential(id: String) -> PushCredential? {
        if let staged = push[id] { return staged }
        return storedMechanism(id: id).flatMap { $0.pushCredential(of: $1) }
    }

    func pushCredentials(account: AccountKey) -> [PushCredential] { allPush(of: account) }

    func forEachOathCredential(_ body: (OathCredential) throws -> Void) throws {
        try allOath(of: nil).forEach(body)
    }

    func oathCredentialIDs() -> [String] { allOath(of: nil).map(\.id) }

    func oathCredential(id: String) -> OathCredential? {
        if let staged = oath[id] { return staged }
        return storedMechanism(id: id).flatMap { $0.oathCredential(of: $1) }
    }

    func oathCredentials(account: AccountKey) -> [OathCredential] { allOath(of: account) }

    func legacyAccounts(of account: AccountKey) -> [LegacyAccount?] {
        allPush(of: account).map(\.legacyAccount) + allOath(of: account).map(\.legacyAccount)
    }

    func forEachNotification(
        _ query: NotificationQuery,
        _ body: (PushBridgeCore.PushNotification) throws -> Void
    ) throws {
        try selected(by: query).forEach(body)
    }

    func notification(id: String) -> PushBridgeCore.PushNotification? {
        if let staged = notifications[id] { return staged }
        return client.getNotification(notificationIdentifier: id).flatMap(notification)
    }

    func notification(messageId: String) -> PushBridgeCore.PushNotification? {
        if let staged = notifications.changes.first(where: { $0.value?.messageId == messageId })?.value {
            return staged
        }
        let stored = client.getNotificationByMessageId(messageId: messageId).flatMap(notification)
        return stored.flatMap { notifications[$0.id] == nil ? $0 : nil }
    }

    func notificationCount(_ query: NotificationQuery) -> Int { selected(by: query).count }

    func deviceToken() -> PushBridgeCore.PushDeviceToken? {
        if let token { return token }
        return memory.owedToken ?? client.getPushDeviceToken()?.value
    }

    private func allPush(of key: AccountKey?) -> [PushCredential] {
        let stored = storedMechanisms(of: key).compactMap { $0.pushCredential(of: $1) }
        return push.over(stored).filter { key == nil || $0.account.key == key }.sorted {
            ($0.createdAt, $0.id) < ($1.createdAt, $1.id)
        }
    }

    private func allOath(of key: AccountKey?) -> [OathCredential] {
        let stored = storedMechanisms(of: key).compactMap { $0.oathCredential(of: $1) }
        return oath.over(stored).filter { key == nil || $0.account.key == key }.sorted {
            ($0.createdAt, $0.id) < ($1.createdAt, $1.id)
        }
    }

    private func selected(by query: NotificationQuery) -> [PushBridgeCore.PushNotification] {
        let all = notifications.over(stored(query).compactMap(notification)).filter(query.selects).sorted {
            ($0.sentAt, $0.id) < ($1.sentAt, $1.id)
        }
        return query.limit.map { Array(all.prefix(max(0, $0))) } ?? all
    }

    private func stored(_ query: NotificationQuery) -> [PushNotification] {
        guard let id = query.credentialId else { return client.getAllNotifications() }
        guard let mechanism = client.getMechanismForUUID(uuid: id) else { return [] }
        return client.getAllNotificationsForMechanism(mechanism: mechanism)
    }
}

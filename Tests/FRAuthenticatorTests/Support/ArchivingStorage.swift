import FRAuthenticator
import Foundation
import PushBridgeCore
import PushBridgePlatform

/// An app's own storage, which keeps Foundation archives in dictionaries, as old wrapper apps do.
///
/// The storage lists the oldest objects first.
final class ArchivingStorage: StorageClient, Sendable {
    struct Contents {
        var accounts: [String: Data] = [:]
        var mechanisms: [String: Data] = [:]
        var notifications: [String: Data] = [:]
        var token: Data?
        var refuses: Set<String> = []
    }

    let contents = Lock(Contents())
    /// The closure that is called with each object before the object is stored.
    let willStore = Lock<(@Sendable (NSObject) -> Void)?>(nil)

    @discardableResult func setAccount(account: Account) -> Bool {
        set(\.accounts, account.identifier, account, "account")
    }

    @discardableResult func removeAccount(account: Account) -> Bool {
        contents.withValue { $0.accounts.removeValue(forKey: account.identifier) != nil }
    }

    func getAccount(accountIdentifier: String) -> Account? {
        object(contents.withValue { $0.accounts[accountIdentifier] })
    }

    func getAllAccounts() -> [Account] {
        contents.withValue(\.accounts).values.compactMap(object).sorted { $0.timeAdded < $1.timeAdded }
    }

    @discardableResult func setMechanism(mechanism: Mechanism) -> Bool {
        set(\.mechanisms, mechanism.identifier, mechanism, "mechanism")
    }

    @discardableResult func removeMechanism(mechanism: Mechanism) -> Bool {
        contents.withValue { $0.mechanisms.removeValue(forKey: mechanism.identifier) != nil }
    }

    func getMechanismsForAccount(account: Account) -> [Mechanism] {
        mechanisms.filter { $0.accountIdentifier == account.identifier }
    }

    func getMechanismForUUID(uuid: String) -> Mechanism? { mechanisms.first { $0.mechanismUUID == uuid } }

    func getNotification(notificationIdentifier: String) -> FRAuthenticator.PushNotification? {
        object(contents.withValue { $0.notifications[notificationIdentifier] })
    }

    func getNotificationByMessageId(messageId: String) -> FRAuthenticator.PushNotification? {
        getAllNotifications().first { $0.messageId == messageId }
    }

    @discardableResult func setNotification(notification: FRAuthenticator.PushNotification) -> Bool {
        set(\.notifications, notification.identifier, notification, "notification")
    }

    @discardableResult func removeNotification(notification: FRAuthenticator.PushNotification) -> Bool {
        contents.withValue { $0.notifications.removeValue(forKey: notification.identifier) != nil }
    }

    func getAllNotificationsForMechanism(mechanism: Mechanism) -> [FRAuthenticator.PushNotification] {
        getAllNotifications().filter { $0.mechanismUUID == mechanism.mechanismUUID }
    }

    func getAllNotifications() -> [FRAuthenticator.PushNotification] {
        contents.withValue(\.notifications).values.compactMap(object).sorted { $0.timeAdded < $1.timeAdded }
    }

    @discardableResult func setPushDeviceToken(pushDeviceToken: FRAuthenticator.PushDeviceToken) -> Bool {
        contents.withValue { $0.token = archive(pushDeviceToken) }
        return true
    }

    func getPushDeviceToken() -> FRAuthenticator.PushDeviceToken? { object(contents.withValue(\.token)) }

    @discardableResult func removePushDeviceToken() -> Bool {
        contents.withValue { contents in
            defer { contents.token = nil }
            return contents.token != nil
        }
    }

    @discardableResult func isEmpty() -> Bool {
        contents.withValue { $0.accounts.isEmpty && $0.mechanisms.isEmpty }
    }

    private var mechanisms: [Mechanism] {
        contents.withValue(\.mechanisms).values.compactMap(mechanism).sorted { $0.timeAdded < $1.timeAdded }
    }

    private func set(
        _ place: WritableKeyPath<Contents, [String: Data]>,
        _ key: String,
        _ object: some NSObject & NSSecureCoding,
        _ kind: String
    ) -> Bool {
        willStore.withValue { $0 }?(object)
        return contents.withValue { contents in
            guard !contents.refuses.contains(kind) else { return false }
            contents[keyPath: place][key] = archive(object)
            return true
        }
    }

    private func archive(_ object: some NSObject & NSSecureCoding) -> Data? {
        try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    private func object<Object: NSObject & NSSecureCoding>(_ archive: Data?) -> Object? {
        archive.flatMap { try? NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: $0) }
    }

    private func mechanism(_ archive: Data) -> Mechanism? {
        let classes: [AnyClass] = [PushMechanism.self, TOTPMechanism.self, HOTPMechanism.self]
        return try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: archive) as? Mechanism
    }
}

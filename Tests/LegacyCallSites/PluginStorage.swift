import FRAuthenticator
import Foundation

/// The storage of a plugin that wraps the SDK for another language.
///
/// The storage keeps archives by identifier.
class PluginStorage: StorageClient {
    var store: [String: [String: Data]] = [:]

    @discardableResult func setAccount(account: Account) -> Bool {
        save(account, key: account.identifier, in: "account")
    }

    @discardableResult func removeAccount(account: Account) -> Bool {
        store["account"]?.removeValue(forKey: account.identifier) != nil
    }

    func getAccount(accountIdentifier: String) -> Account? {
        read(store["account"]?[accountIdentifier], as: Account.self)
    }

    func getAllAccounts() -> [Account] {
        all("account", as: Account.self).sorted { $0.timeAdded < $1.timeAdded }
    }

    @discardableResult func setMechanism(mechanism: Mechanism) -> Bool {
        save(mechanism, key: mechanism.identifier, in: "mechanism")
    }

    @discardableResult func removeMechanism(mechanism: Mechanism) -> Bool {
        store["mechanism"]?.removeValue(forKey: mechanism.identifier) != nil
    }

    func getMechanismsForAccount(account: Account) -> [Mechanism] {
        all("mechanism", as: Mechanism.self).filter { $0.accountIdentifier == account.identifier }
    }

    func getMechanismForUUID(uuid: String) -> Mechanism? {
        all("mechanism", as: Mechanism.self).first { $0.mechanismUUID == uuid }
    }

    func getNotification(notificationIdentifier: String) -> PushNotification? {
        read(store["notification"]?[notificationIdentifier], as: PushNotification.self)
    }

    func getNotificationByMessageId(messageId: String) -> PushNotification? {
        getAllNotifications().first { $0.messageId == messageId }
    }

    @discardableResult func setNotification(notification: PushNotification) -> Bool {
        save(notification, key: notification.identifier, in: "notification")
    }

    @discardableResult func removeNotification(notification: PushNotification) -> Bool {
        store["notification"]?.removeValue(forKey: notification.identifier) != nil
    }

    func getAllNotificationsForMechanism(mechanism: Mechanism) -> [PushNotification] {
        getAllNotifications().filter { $0.mechanismUUID == mechanism.mechanismUUID }
    }

    func getAllNotifications() -> [PushNotification] {
        all("notification", as: PushNotification.self)
    }

    @discardableResult func setPushDeviceToken(pushDeviceToken: PushDeviceToken) -> Bool {
        save(pushDeviceToken, key: "deviceToken", in: "pushDeviceToken")
    }

    func getPushDeviceToken() -> PushDeviceToken? {
        read(store["pushDeviceToken"]?["deviceToken"], as: PushDeviceToken.self)
    }

    @discardableResult func removePushDeviceToken() -> Bool {
        store["pushDeviceToken"]?.removeValue(forKey: "deviceToken") != nil
    }

    @discardableResult func isEmpty() -> Bool {
        store.values.allSatisfy { $0.isEmpty }
    }

    private func save(_ object: NSObject & NSSecureCoding, key: String, in name: String) -> Bool {
        do {
            let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
            store[name, default: [:]][key] = data
            return true
        } catch {
            return false
        }
    }

    private func read<T>(_ data: Data?, as type: T.Type) -> T? {
        guard let data = data else { return nil }
        let classes: [AnyClass] = [
            Account.self, PushMechanism.self, TOTPMechanism.self, HOTPMechanism.self, PushNotification.self,
            PushDeviceToken.self, NSString.self,
        ]
        return (try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)) as? T
    }

    private func all<T>(_ name: String, as type: T.Type) -> [T] {
        (store[name] ?? [:]).values.compactMap { read($0, as: type) }
    }
}

import FRAuthenticator
import Foundation

/// The app's own storage: a property list of archives, each under its service and key, like the SDK's keychain
/// items.
class PluginStorage: StorageClient {
    private let file: URL
    private let lock = NSLock()
    private var items: [String: [String: Data]] = [:]

    init(folder: URL) {
        file = folder.appendingPathComponent("accounts.plist")
        guard let data = try? Data(contentsOf: file) else { return }
        let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        items = list as? [String: [String: Data]] ?? [:]
    }

    func setAccount(account: Account) -> Bool { set(account, .account, account.identifier) }
    func removeAccount(account: Account) -> Bool { remove(.account, account.identifier) }
    func getAccount(accountIdentifier: String) -> Account? { get(.account, accountIdentifier) }
    func getAllAccounts() -> [Account] { all(.account) }

    func setMechanism(mechanism: Mechanism) -> Bool { set(mechanism, .mechanism, mechanism.identifier) }
    func removeMechanism(mechanism: Mechanism) -> Bool { remove(.mechanism, mechanism.identifier) }
    func getMechanismsForAccount(account: Account) -> [Mechanism] {
        mechanisms().filter { $0.issuer == account.issuer && $0.accountName == account.accountName }
    }
    func getMechanismForUUID(uuid: String) -> Mechanism? {
        mechanisms().first { $0.mechanismUUID == uuid }
    }
    private func mechanisms() -> [Mechanism] { all(.mechanism) }

    func getNotification(notificationIdentifier: String) -> PushNotification? {
        get(.notification, notificationIdentifier)
    }
    func getNotificationByMessageId(messageId: String) -> PushNotification? {
        getAllNotifications().first { $0.messageId == messageId }
    }
    func setNotification(notification: PushNotification) -> Bool {
        set(notification, .notification, notification.identifier)
    }
    func removeNotification(notification: PushNotification) -> Bool {
        remove(.notification, notification.identifier)
    }
    func getAllNotificationsForMechanism(mechanism: Mechanism) -> [PushNotification] {
        getAllNotifications().filter { $0.mechanismUUID == mechanism.mechanismUUID }
    }
    func getAllNotifications() -> [PushNotification] { all(.notification) }

    func setPushDeviceToken(pushDeviceToken: PushDeviceToken) -> Bool {
        set(pushDeviceToken, .pushDeviceToken, "deviceToken")
    }
    func getPushDeviceToken() -> PushDeviceToken? { get(.pushDeviceToken, "deviceToken") }
    func removePushDeviceToken() -> Bool { remove(.pushDeviceToken, "deviceToken") }

    func isEmpty() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        return items.values.allSatisfy(\.isEmpty)
    }

    private enum Kind: String {
        case account
        case mechanism
        case notification
        case pushDeviceToken

        var service: String { "com.forgerock.ios.authenticator.keychainservice.local.\(rawValue)" }
    }

    private static var classes: [AnyClass] {
        [
            Account.self, PushMechanism.self, TOTPMechanism.self, HOTPMechanism.self, PushNotification.self,
            PushDeviceToken.self,
        ]
    }

    private func set(_ object: NSObject, _ kind: Kind, _ key: String) -> Bool {
        let archive = try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        guard let archive else { return false }
        return change(kind, key, archive)
    }

    private func remove(_ kind: Kind, _ key: String) -> Bool { change(kind, key, nil) }

    private func get<Object>(_ kind: Kind, _ key: String) -> Object? {
        lock.lock()
        defer { lock.unlock() }
        return items[kind.service]?[key].flatMap(Self.object)
    }

    private func all<Object>(_ kind: Kind) -> [Object] {
        lock.lock()
        defer { lock.unlock() }
        return (items[kind.service] ?? [:]).values.compactMap(Self.object)
    }

    private static func object<Object>(_ archive: Data) -> Object? {
        (try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: archive)) as? Object
    }

    private func change(_ kind: Kind, _ key: String, _ archive: Data?) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        var changed = items
        changed[kind.service, default: [:]][key] = archive
        do {
            let list = try PropertyListSerialization.data(
                fromPropertyList: changed,
                format: .binary,
                options: 0
            )
            try list.write(to: file, options: .atomic)
        } catch {
            return false
        }
        items = changed
        return true
    }
}

import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore

/// The legacy SDK's keychain storage, reimplemented from its documented behaviour.
///
/// The storage uses four services, with one item for each object. Each item is a Foundation archive. This class shares
/// no code with PushBridge's implementation of these items.
final class SDKKeychain: StorageClient {
    private let keychain: any Keychain

    init(_ keychain: any Keychain) {
        self.keychain = keychain
    }

    private enum Suffix: String {
        case account, mechanism, notification, pushDeviceToken

        var service: String { "com.forgerock.ios.authenticator.keychainservice.local.\(rawValue)" }
    }

    func setAccount(account: Account) -> Bool { set(account, account.identifier, .account) }
    func removeAccount(account: Account) -> Bool { remove(account.identifier, .account) }
    func getAccount(accountIdentifier: String) -> Account? { get(accountIdentifier, .account) }
    func getAllAccounts() -> [Account] {
        (all(.account) as [Account]).sorted { $0.timeAdded < $1.timeAdded }
    }

    func setMechanism(mechanism: Mechanism) -> Bool { set(mechanism, mechanism.identifier, .mechanism) }
    func removeMechanism(mechanism: Mechanism) -> Bool { remove(mechanism.identifier, .mechanism) }
    func getMechanismsForAccount(account: Account) -> [Mechanism] {
        mechanisms.filter { $0.issuer == account.issuer && $0.accountName == account.accountName }
    }
    func getMechanismForUUID(uuid: String) -> Mechanism? { mechanisms.first { $0.mechanismUUID == uuid } }

    func getNotification(notificationIdentifier: String) -> FRAuthenticator.PushNotification? {
        get(notificationIdentifier, .notification)
    }
    func getNotificationByMessageId(messageId: String) -> FRAuthenticator.PushNotification? {
        getAllNotifications().first { $0.messageId == messageId }
    }
    func setNotification(notification: FRAuthenticator.PushNotification) -> Bool {
        set(notification, notification.identifier, .notification)
    }
    func removeNotification(notification: FRAuthenticator.PushNotification) -> Bool {
        remove(notification.identifier, .notification)
    }
    func getAllNotificationsForMechanism(mechanism: Mechanism) -> [FRAuthenticator.PushNotification] {
        getAllNotifications().filter { $0.mechanismUUID == mechanism.mechanismUUID }
    }
    func getAllNotifications() -> [FRAuthenticator.PushNotification] {
        (all(.notification) as [FRAuthenticator.PushNotification]).sorted { $0.timeAdded < $1.timeAdded }
    }

    func setPushDeviceToken(pushDeviceToken: FRAuthenticator.PushDeviceToken) -> Bool {
        set(pushDeviceToken, "deviceToken", .pushDeviceToken)
    }
    func getPushDeviceToken() -> FRAuthenticator.PushDeviceToken? { get("deviceToken", .pushDeviceToken) }
    func removePushDeviceToken() -> Bool { remove("deviceToken", .pushDeviceToken) }
    func isEmpty() -> Bool { getAllAccounts().isEmpty && getAllNotifications().isEmpty }

    private var mechanisms: [Mechanism] {
        (all(.mechanism) as [Mechanism]).sorted { $0.timeAdded < $1.timeAdded }
    }

    private static let classes: [AnyClass] = [
        Account.self, PushMechanism.self, TOTPMechanism.self, HOTPMechanism.self,
        FRAuthenticator.PushNotification.self, FRAuthenticator.PushDeviceToken.self,
    ]

    private func set(_ object: some NSObject & NSSecureCoding, _ key: String, _ suffix: Suffix) -> Bool {
        do {
            let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
            let name = KeychainItem.Name(service: suffix.service, account: key)
            if try keychain.data(name) == nil {
                try keychain.add(KeychainItem(name, data: data))
            } else {
                try keychain.update(name, data: data)
            }
            return true
        } catch {
            return false
        }
    }

    private func remove(_ key: String, _ suffix: Suffix) -> Bool {
        (try? keychain.remove(KeychainItem.Name(service: suffix.service, account: key))) ?? false
    }

    private func get<Object>(_ key: String, _ suffix: Suffix) -> Object? {
        (try? keychain.data(KeychainItem.Name(service: suffix.service, account: key)))
            .flatMap(Self.object) as? Object
    }

    private func all<Object>(_ suffix: Suffix) -> [Object] {
        let items = (try? keychain.items(service: suffix.service, accessGroup: nil)) ?? []
        return items.compactMap { Self.object($0.data) as? Object }
    }

    private static func object(_ data: Data) -> NSObject? {
        try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? NSObject
    }
}

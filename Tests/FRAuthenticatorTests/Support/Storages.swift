import FRAuthenticator
import PushBridgeCore
import PushBridgePlatform

/// An app's own storage that counts its calls, and can call its client during a call.
final class CountingStorage: ForwardingStorage, @unchecked Sendable {
    private let counts = Lock<[String: Int]>([:])
    /// The code to run inside each call of the function with this name.
    let callBack = Lock<(name: String, body: @Sendable () -> Void)?>(nil)
    /// The numbers of the changes to reject, counted from the call of `refuse`.
    let refused = Lock<Set<Int>>([])
    private let changes = Lock(0)

    init() { super.init(ArchivingStorage()) }

    /// Returns how often `body` calls each function of the storage.
    func calls(_ body: () async throws -> Void) async rethrows -> [String: Int] {
        counts.withValue { $0 = [:] }
        try await body()
        return counts.withValue { $0 }
    }

    /// Rejects the changes with these numbers, counted from now.
    func refuse(_ numbers: Set<Int>) {
        changes.withValue { $0 = 0 }
        refused.withValue { $0 = numbers }
    }

    private func count(_ name: String) {
        counts.withValue { $0[name, default: 0] += 1 }
        if let callBack = callBack.withValue({ $0 }), callBack.name == name { callBack.body() }
    }

    private func change(_ name: String, _ body: () -> Bool) -> Bool {
        count(name)
        let number = changes.withValue { changes in
            changes += 1
            return changes
        }
        return refused.withValue { $0.contains(number) } ? false : body()
    }

    @discardableResult override func setAccount(account: Account) -> Bool {
        change("setAccount") { super.setAccount(account: account) }
    }
    @discardableResult override func removeAccount(account: Account) -> Bool {
        change("removeAccount") { super.removeAccount(account: account) }
    }
    override func getAccount(accountIdentifier: String) -> Account? {
        count("getAccount")
        return super.getAccount(accountIdentifier: accountIdentifier)
    }
    override func getAllAccounts() -> [Account] {
        count("getAllAccounts")
        return super.getAllAccounts()
    }
    @discardableResult override func setMechanism(mechanism: Mechanism) -> Bool {
        change("setMechanism") { super.setMechanism(mechanism: mechanism) }
    }
    @discardableResult override func removeMechanism(mechanism: Mechanism) -> Bool {
        change("removeMechanism") { super.removeMechanism(mechanism: mechanism) }
    }
    override func getMechanismsForAccount(account: Account) -> [Mechanism] {
        count("getMechanismsForAccount")
        return super.getMechanismsForAccount(account: account)
    }
    override func getMechanismForUUID(uuid: String) -> Mechanism? {
        count("getMechanismForUUID")
        return super.getMechanismForUUID(uuid: uuid)
    }
    override func getNotification(notificationIdentifier: String) -> FRAuthenticator.PushNotification? {
        count("getNotification")
        return super.getNotification(notificationIdentifier: notificationIdentifier)
    }
    override func getNotificationByMessageId(messageId: String) -> FRAuthenticator.PushNotification? {
        count("getNotificationByMessageId")
        return super.getNotificationByMessageId(messageId: messageId)
    }
    @discardableResult override func setNotification(notification: FRAuthenticator.PushNotification) -> Bool {
        change("setNotification") { super.setNotification(notification: notification) }
    }
    @discardableResult override func removeNotification(notification: FRAuthenticator.PushNotification)
        -> Bool
    {
        change("removeNotification") { super.removeNotification(notification: notification) }
    }
    override func getAllNotificationsForMechanism(mechanism: Mechanism) -> [FRAuthenticator.PushNotification]
    {
        count("getAllNotificationsForMechanism")
        return super.getAllNotificationsForMechanism(mechanism: mechanism)
    }
    override func getAllNotifications() -> [FRAuthenticator.PushNotification] {
        count("getAllNotifications")
        return super.getAllNotifications()
    }
    @discardableResult override func setPushDeviceToken(pushDeviceToken: FRAuthenticator.PushDeviceToken)
        -> Bool
    {
        change("setPushDeviceToken") { super.setPushDeviceToken(pushDeviceToken: pushDeviceToken) }
    }
    override func getPushDeviceToken() -> FRAuthenticator.PushDeviceToken? {
        count("getPushDeviceToken")
        return super.getPushDeviceToken()
    }
    @discardableResult override func removePushDeviceToken() -> Bool {
        change("removePushDeviceToken") { super.removePushDeviceToken() }
    }
}

/// Forwards all calls to another storage; once, it loses a mechanism and reports that the change was rejected.
final class LossyStorage: ForwardingStorage, @unchecked Sendable {
    let losesNext = Lock(false)

    @discardableResult override func setMechanism(mechanism: Mechanism) -> Bool {
        let loses = takesLoss()
        guard loses else { return super.setMechanism(mechanism: mechanism) }
        _ = super.removeMechanism(mechanism: mechanism)
        return false
    }

    @discardableResult override func removeMechanism(mechanism: Mechanism) -> Bool {
        let loses = takesLoss()
        return super.removeMechanism(mechanism: mechanism) && !loses
    }

    private func takesLoss() -> Bool {
        losesNext.withValue { losesNext in
            defer { losesNext = false }
            return losesNext
        }
    }
}

/// Forwards calls to another storage, except the next call of each function in `failsNext`, which finds nothing.
final class UnreadableStorage: ForwardingStorage, @unchecked Sendable {
    let failsNext = Lock<Set<String>>([])

    override func getAccount(accountIdentifier: String) -> Account? {
        fails() ? nil : super.getAccount(accountIdentifier: accountIdentifier)
    }
    override func getAllAccounts() -> [Account] {
        fails() ? [] : super.getAllAccounts()
    }
    override func getMechanismsForAccount(account: Account) -> [Mechanism] {
        fails() ? [] : super.getMechanismsForAccount(account: account)
    }

    private func fails(_ function: String = #function) -> Bool {
        failsNext.withValue { $0.remove(String(function.prefix { $0 != "(" })) != nil }
    }
}

/// A storage that lists exactly the accounts that a test sets, in the given order.
final class OrderedStorage: ForwardingStorage, @unchecked Sendable {
    // A test sets this property before a client uses the storage.
    var accounts: [Account] = []

    init() { super.init(ArchivingStorage()) }

    override func getAllAccounts() -> [Account] { accounts }
}

/// Lists the newest objects first, for apps whose screens show this order.
final class NewestFirstStorage: ForwardingStorage, @unchecked Sendable {
    init() { super.init(ArchivingStorage()) }

    override func getAllAccounts() -> [Account] {
        super.getAllAccounts().sorted { $0.timeAdded > $1.timeAdded }
    }
    override func getMechanismsForAccount(account: Account) -> [Mechanism] {
        super.getMechanismsForAccount(account: account).sorted { $0.timeAdded > $1.timeAdded }
    }
    override func getAllNotificationsForMechanism(mechanism: Mechanism) -> [FRAuthenticator.PushNotification]
    {
        super.getAllNotificationsForMechanism(mechanism: mechanism).sorted { $0.timeAdded > $1.timeAdded }
    }
    override func getAllNotifications() -> [FRAuthenticator.PushNotification] {
        super.getAllNotifications().sorted { $0.timeAdded > $1.timeAdded }
    }
}

/// Forwards all calls to another storage.
class ForwardingStorage: StorageClient, @unchecked Sendable {
    private let inner: any StorageClient

    init(_ inner: any StorageClient) {
        self.inner = inner
    }

    @discardableResult func setAccount(account: Account) -> Bool { inner.setAccount(account: account) }
    @discardableResult func removeAccount(account: Account) -> Bool { inner.removeAccount(account: account) }
    func getAccount(accountIdentifier: String) -> Account? {
        inner.getAccount(accountIdentifier: accountIdentifier)
    }
    func getAllAccounts() -> [Account] { inner.getAllAccounts() }
    @discardableResult func setMechanism(mechanism: Mechanism) -> Bool {
        inner.setMechanism(mechanism: mechanism)
    }
    @discardableResult func removeMechanism(mechanism: Mechanism) -> Bool {
        inner.removeMechanism(mechanism: mechanism)
    }
    func getMechanismsForAccount(account: Account) -> [Mechanism] {
        inner.getMechanismsForAccount(account: account)
    }
    func getMechanismForUUID(uuid: String) -> Mechanism? { inner.getMechanismForUUID(uuid: uuid) }
    func getNotification(notificationIdentifier: String) -> FRAuthenticator.PushNotification? {
        inner.getNotification(notificationIdentifier: notificationIdentifier)
    }
    func getNotificationByMessageId(messageId: String) -> FRAuthenticator.PushNotification? {
        inner.getNotificationByMessageId(messageId: messageId)
    }
    @discardableResult func setNotification(notification: FRAuthenticator.PushNotification) -> Bool {
        inner.setNotification(notification: notification)
    }
    @discardableResult func removeNotification(notification: FRAuthenticator.PushNotification) -> Bool {
        inner.removeNotification(notification: notification)
    }
    func getAllNotificationsForMechanism(mechanism: Mechanism) -> [FRAuthenticator.PushNotification] {
        inner.getAllNotificationsForMechanism(mechanism: mechanism)
    }
    func getAllNotifications() -> [FRAuthenticator.PushNotification] { inner.getAllNotifications() }
    @discardableResult func setPushDeviceToken(pushDeviceToken: FRAuthenticator.PushDeviceToken) -> Bool {
        inner.setPushDeviceToken(pushDeviceToken: pushDeviceToken)
    }
    func getPushDeviceToken() -> FRAuthenticator.PushDeviceToken? { inner.getPushDeviceToken() }
    @discardableResult func removePushDeviceToken() -> Bool { inner.removePushDeviceToken() }
    @discardableResult func isEmpty() -> Bool { inner.isEmpty() }
}

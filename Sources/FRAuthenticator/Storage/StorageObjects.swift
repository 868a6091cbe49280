import PushBridgeCore
import PushBridgePlatform

/// The objects that an app's storage returned or accepted in this process.
///
/// Each change is stored as a new object, but a storage may keep the earlier objects in memory, and the app may
/// have references to them. As in the SDK, the earlier objects receive each change that the storage accepted. A
/// rejected change leaves them unchanged.
///
/// The references in this class are weak, so an object that a storage decoded for one call can be deallocated.
final class StorageObjects: Sendable {
    private let accounts = Lock(LiveObjects<Account>())
    private let mechanisms = Lock(LiveObjects<HOTPMechanism>())
    private let notifications = Lock(LiveObjects<PushNotification>())

    fileprivate func track(_ account: Account) {
        let id = account.profile.key.recordID
        accounts.withValue { $0.insert(account, id: id) }
    }

    /// Adds a mechanism if it is an HOTP mechanism, because only the counters of mechanisms are kept up to date.
    fileprivate func track(_ mechanism: Mechanism) {
        guard let mechanism = mechanism as? HOTPMechanism else { return }
        let id = mechanism.value.mechanismUUID
        mechanisms.withValue { $0.insert(mechanism, id: id) }
    }

    /// Adds a push, if it is not answered; an answered push never changes.
    fileprivate func track(_ notification: PushNotification) {
        let value = notification.value
        guard value.pending else { return }
        notifications.withValue { $0.insert(notification, id: value.legacyIdentifier) }
    }

    /// Updates the objects with changes that the storage has accepted.
    func apply(_ changes: RecordChanges) {
        for account in changes.stored(AccountProfile.self) {
            for object in accounts.withValue({ $0.objects(id: account.key.recordID) }) {
                object.adopt(account)
            }
        }
        for credential in changes.stored(OathCredential.self) where credential.oathType == .hotp {
            for object in mechanisms.withValue({ $0.objects(id: credential.id) }) {
                object.advance(to: credential.counter)
            }
        }
        for notification in changes.stored(PushBridgeCore.PushNotification.self) where !notification.pending {
            let answered = notification.legacyNotification
            for object in notifications.withValue({ $0.remove(id: answered.id) }) { object.adopt(answered) }
        }
        for id in changes.removed(.account) { _ = accounts.withValue { $0.remove(id: id) } }
        for id in changes.removed(.oath) { _ = mechanisms.withValue { $0.remove(id: id) } }
        for id in changes.removed(.notification) { _ = notifications.withValue { $0.remove(id: id) } }
    }
}

/// Weak references to objects, by the id of the object's record.
private struct LiveObjects<Object: AnyObject> {
    private struct Reference {
        weak var object: Object?
    }

    private var references: [String: [Reference]] = [:]

    /// Adds an object, and drops the id's references to objects that are no longer in memory.
    mutating func insert(_ object: Object, id: String) {
        var live = references[id, default: []].filter { $0.object != nil && $0.object !== object }
        live.append(Reference(object: object))
        references[id] = live
    }

    func objects(id: String) -> [Object] { references[id, default: []].compactMap { $0.object } }

    /// Removes the references, and returns the objects that are still in memory.
    mutating func remove(id: String) -> [Object] {
        defer { references[id] = nil }
        return objects(id: id)
    }
}

extension Account {
    /// Copies the names and the lock from a stored account.
    fileprivate func adopt(_ stored: AccountProfile) {
        content.withValue { content in
            content.profile.customDisplayIssuer = stored.customDisplayIssuer
            content.profile.customDisplayAccountName = stored.customDisplayAccountName
            content.profile.lockingPolicy = stored.lockingPolicy
            content.profile.isLocked = stored.isLocked
        }
    }
}

extension HOTPMechanism {
    /// Increases the counter of this object.
    ///
    /// A lower counter is ignored, because a slower thread may report its counter last.
    fileprivate func advance(to counter: Int) {
        content.withValue { content in
            guard case .hotp(let parameters, let current) = content.factor, counter > current else { return }
            content.factor = .hotp(parameters, counter: counter)
        }
    }
}

extension PushNotification {
    /// Copies the answer from a stored push.
    fileprivate func adopt(_ answered: PushBridgeCore.PushNotification) {
        content.withValue { content in
            content.pending = answered.pending
            content.approved = answered.approved
        }
    }
}

/// Forwards all calls to an app's storage, and tracks the objects that the storage returns or accepts.
final class ObservedStorage: StorageClient {
    private let storage: any StorageClient
    private let objects: StorageObjects

    init(_ storage: any StorageClient, _ objects: StorageObjects) {
        (self.storage, self.objects) = (storage, objects)
    }

    func setAccount(account: Account) -> Bool {
        let isAccepted = storage.setAccount(account: account)
        if isAccepted { objects.track(account) }
        return isAccepted
    }
    func removeAccount(account: Account) -> Bool { storage.removeAccount(account: account) }
    func getAccount(accountIdentifier: String) -> Account? {
        let account = storage.getAccount(accountIdentifier: accountIdentifier)
        if let account { objects.track(account) }
        return account
    }
    func getAllAccounts() -> [Account] {
        let accounts = storage.getAllAccounts()
        accounts.forEach(objects.track)
        return accounts
    }

    func setMechanism(mechanism: Mechanism) -> Bool {
        let isAccepted = storage.setMechanism(mechanism: mechanism)
        if isAccepted { objects.track(mechanism) }
        return isAccepted
    }
    func removeMechanism(mechanism: Mechanism) -> Bool { storage.removeMechanism(mechanism: mechanism) }
    func getMechanismsForAccount(account: Account) -> [Mechanism] {
        let mechanisms = storage.getMechanismsForAccount(account: account)
        mechanisms.forEach(objects.track)
        return mechanisms
    }
    func getMechanismForUUID(uuid: String) -> Mechanism? {
        let mechanism = storage.getMechanismForUUID(uuid: uuid)
        if let mechanism { objects.track(mechanism) }
        return mechanism
    }

    func getNotification(notificationIdentifier: String) -> PushNotification? {
        let notification = storage.getNotification(notificationIdentifier: notificationIdentifier)
        if let notification { objects.track(notification) }
        return notification
    }
    func getNotificationByMessageId(messageId: String) -> PushNotification? {
        let notification = storage.getNotificationByMessageId(messageId: messageId)
        if let notification { objects.track(notification) }
        return notification
    }
    func setNotification(notification: PushNotification) -> Bool {
        let isAccepted = storage.setNotification(notification: notification)
        if isAccepted { objects.track(notification) }
        return isAccepted
    }
    func removeNotification(notification: PushNotification) -> Bool {
        storage.removeNotification(notification: notification)
    }
    func getAllNotificationsForMechanism(mechanism: Mechanism) -> [PushNotification] {
        let notifications = storage.getAllNotificationsForMechanism(mechanism: mechanism)
        notifications.forEach(objects.track)
        return notifications
    }
    func getAllNotifications() -> [PushNotification] {
        let notifications = storage.getAllNotifications()
        notifications.forEach(objects.track)
        return notifications
    }

    func setPushDeviceToken(pushDeviceToken: PushDeviceToken) -> Bool {
        storage.setPushDeviceToken(pushDeviceToken: pushDeviceToken)
    }
    func getPushDeviceToken() -> PushDeviceToken? { storage.getPushDeviceToken() }
    func removePushDeviceToken() -> Bool { storage.removePushDeviceToken() }

    func isEmpty() -> Bool { storage.isEmpty() }
}

import Crypto
import FRAuthenticator
import Foundation
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport

/// A store in a file, which every process opens separately.
///
/// It is `@unchecked`, because only one thread at a time uses it: the thread whose turn it is (see `Scheduler`).
final class StoreInFile: @unchecked Sendable {
    private let folder: TemporaryFolder?
    private let key: InMemorySealingKey
    private(set) lazy var outside: (any CredentialStore)? = try? open()

    init(_ seed: UInt64) {
        folder = try? TemporaryFolder()
        key = InMemorySealingKey(SymmetricKey(data: SHA256.hash(data: Data("\(seed)".utf8))))
    }

    func open() throws -> any CredentialStore {
        guard let folder else { throw StoreError(.failed, reason: "There is no folder.") }
        return try SQLiteCredentialStore(path: folder.path("push.sqlite"), key: key, mode: .create)
    }
}

/// The contents of an app's own storage: archives by kind and identifier.
///
/// It is `@unchecked`, because only one thread at a time uses it: the thread whose turn it is (see `Scheduler`).
final class OwnStorageContents: @unchecked Sendable {
    var archives: [String: Data] = [:]
}

/// An app's own storage, as one process sees it.
///
/// Each call passes the `Gate`.
final class OwnStorage: StorageClient {
    private let contents: OwnStorageContents
    private let process: Process
    private let gate: Gate

    init(_ contents: OwnStorageContents, _ process: Process, _ gate: Gate) {
        (self.contents, self.process, self.gate) = (contents, process, gate)
    }

    func setAccount(account: Account) -> Bool { set("account", account.identifier, account) }
    func removeAccount(account: Account) -> Bool { remove("account", account.identifier) }
    func getAccount(accountIdentifier: String) -> Account? { one("account", accountIdentifier) }
    func getAllAccounts() -> [Account] {
        (all("account") as [Account]).sorted { $0.timeAdded < $1.timeAdded }
    }

    func setMechanism(mechanism: Mechanism) -> Bool { set("mechanism", mechanism.identifier, mechanism) }
    func removeMechanism(mechanism: Mechanism) -> Bool { remove("mechanism", mechanism.identifier) }
    func getMechanismsForAccount(account: Account) -> [Mechanism] {
        (all("mechanism") as [Mechanism]).filter { $0.accountIdentifier == account.identifier }
            .sorted { $0.timeAdded < $1.timeAdded }
    }
    func getMechanismForUUID(uuid: String) -> Mechanism? {
        (all("mechanism") as [Mechanism]).first { $0.mechanismUUID == uuid }
    }

    func getNotification(notificationIdentifier: String) -> FRAuthenticator.PushNotification? {
        one("notification", notificationIdentifier)
    }
    func getNotificationByMessageId(messageId: String) -> FRAuthenticator.PushNotification? {
        getAllNotifications().first { $0.messageId == messageId }
    }
    func setNotification(notification: FRAuthenticator.PushNotification) -> Bool {
        set("notification", notification.identifier, notification)
    }
    func removeNotification(notification: FRAuthenticator.PushNotification) -> Bool {
        remove("notification", notification.identifier)
    }
    func getAllNotificationsForMechanism(mechanism: Mechanism) -> [FRAuthenticator.PushNotification] {
        getAllNotifications().filter { $0.mechanismUUID == mechanism.mechanismUUID }
    }
    func getAllNotifications() -> [FRAuthenticator.PushNotification] {
        (all("notification") as [FRAuthenticator.PushNotification]).sorted { $0.timeAdded < $1.timeAdded }
    }

    func setPushDeviceToken(pushDeviceToken: FRAuthenticator.PushDeviceToken) -> Bool {
        set("token", "", pushDeviceToken)
    }
    func getPushDeviceToken() -> FRAuthenticator.PushDeviceToken? { one("token", "") }
    func removePushDeviceToken() -> Bool { remove("token", "") }
    func isEmpty() -> Bool {
        pass(.accounts, "all") { contents.archives.isEmpty } ?? true
    }

    private static let classes: [AnyClass] = [
        Account.self, PushMechanism.self, TOTPMechanism.self, HOTPMechanism.self,
        FRAuthenticator.PushNotification.self, FRAuthenticator.PushDeviceToken.self,
    ]

    private func set(_ kind: String, _ key: String, _ object: some NSObject & NSSecureCoding) -> Bool {
        guard
            let archive = try? NSKeyedArchiver.archivedData(
                withRootObject: object,
                requiringSecureCoding: true
            )
        else { return false }
        return pass(.put, kind) {
            contents.archives["\(kind)/\(key)"] = archive
            return true
        } ?? false
    }

    private func remove(_ kind: String, _ key: String) -> Bool {
        pass(.delete, kind) { contents.archives.removeValue(forKey: "\(kind)/\(key)") != nil } ?? false
    }

    private func one<Object>(_ kind: String, _ key: String) -> Object? {
        let archive = pass(.read, kind) { contents.archives["\(kind)/\(key)"] } ?? nil
        return archive.flatMap(Self.object) as? Object
    }

    private func all<Object>(_ kind: String) -> [Object] {
        let archives = pass(.read, kind) {
            contents.archives.filter { $0.key.hasPrefix("\(kind)/") }.sorted { $0.key < $1.key }.map(\.value)
        }
        return archives?.compactMap { Self.object($0) as? Object } ?? []
    }

    private func pass<Value>(_ operation: Operation, _ subject: String, _ effect: () -> Value) -> Value? {
        try? gate.pass(process, operation, subject, failing: { _ in Death() }) { () throws(Death) in effect()
        }
    }

    private static func object(_ archive: Data) -> NSObject? {
        try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: archive) as? NSObject
    }
}

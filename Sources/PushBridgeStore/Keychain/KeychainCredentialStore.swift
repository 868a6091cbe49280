import Foundation
public import PushBridgeCore
import PushBridgePlatform

/// A store in a keychain: each record is a generic password that contains JSON.
///
/// The services, names and members are those of the successor SDK's keychain storages. One additional member,
/// `pushBridge`, contains the values that the SDK lacks; items without this member can also be read. A
/// one-time-password credential has two items: its JSON and its secret. If one of the two is missing, the
/// credential's error has the code `damaged`. Records that the SDK does not store, such as accounts and the
/// migration ledger, are in services that the SDK does not read.
///
/// The transactions of a process exclude each other. An app and its extensions exclude each other's
/// transactions if they have set ``StandardStore/folder`` to the folder of their app group. If a transaction
/// is interrupted, the next transaction of the same process completes it. In other processes, the first
/// transaction of a store, or the next one that writes, completes it.
///
/// If the device is locked and the items' accessibility does not permit reading, every call throws an error
/// with the code `locked`. For an item that has an invalid form or was encrypted for another device, the code
/// is `damaged`. If the keychain refuses to return an item for another reason, the code is `failed` or
/// `notEntitled`; a transaction that tried to read this item and would replace or remove it fails. The other
/// items can still be read.
public final class KeychainCredentialStore: CredentialStore, RecordStore {
    private let items: KeychainItems
    private let journal: KeychainJournal
    private let coordinator: KeychainCoordinators.Coordinator
    /// Whether this store has checked for an interrupted transaction.
    private let hasLooked = Lock(false)

    /// Creates a store on the items of `keychain`; reads nothing before the first transaction.
    ///
    /// `accessibility` applies to new items; existing items keep their accessibility.
    ///
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - services: The services of the items; the defaults are those of the successor SDK.
    ///   - accessGroup: The keychain group, for a store that an extension shares; `nil` means the app's first
    ///     group for new items, and all groups of the app in queries.
    ///   - accessibility: The accessibility of new items.
    public init(
        keychain: any Keychain,
        services: KeychainServices = KeychainServices(),
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlock
    ) {
        items = KeychainItems(
            keychain: keychain,
            services: services,
            accessGroup: accessGroup,
            accessibility: accessibility
        )
        journal = KeychainJournal(items: items)
        coordinator = KeychainCoordinators.coordinator(for: items)
    }

    package func nonTransferableIDs(_ kind: RecordKind) throws -> Set<String> {
        try ids(of: kind) { !$0.travels }
    }

    package func unreadableWhileLocked(_ kind: RecordKind) throws -> Set<String> {
        try ids(of: kind) { !$0.opensWhileLocked }
    }

    /// Returns a name that contains the service of the push credentials.
    ///
    /// The name does not contain the access group, because an app may move its items to another group.
    package func storageName() throws -> String { "keychain \(items.services.credentials)" }

    private func ids(
        of kind: RecordKind,
        where isSelected: (KeychainAccessibility) -> Bool
    ) throws -> Set<String> {
        Set(try items.services.all(kind).flatMap { try items.accounts($0, where: isSelected) })
    }

    /// The implementation of the store.
    public var backing: StoreBacking { StoreBacking(self) }

    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try items.keychain.exclusively {
            try coordinator.lock.withValue { isUnfinished in
                // After a store's first transaction, a read does not check whether another process has left a
                // transaction unfinished. A write does, because a later completion of that transaction would
                // overwrite the items of the write.
                if isUnfinished || !hasLooked.withValue({ $0 }) { try complete(&isUnfinished) }
                return try body(KeychainView(items))
            }
        }
    }

    private func complete(_ isUnfinished: inout Bool) throws(StoreError) {
        try journal.complete()
        isUnfinished = false
        hasLooked.withValue { $0 = true }
    }

    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        let value = try items.keychain.exclusively {
            try coordinator.lock.withValue { isUnfinished in
                try complete(&isUnfinished)
                let view = KeychainView(items)
                let staged = RecordOverlay(over: view)
                let value = try body(staged)
                let steps = try view.steps(for: staged.changes)
                isUnfinished = true
                let firstIsEnough = view.firstIsEnough(of: steps, for: staged.changes)
                isUnfinished = try !journal.perform(steps, firstIsEnough: firstIsEnough)
                return value
            }
        }
        coordinator.signal.send()
        return value
    }

    /// A stream that receives an element after each write of this process through a store on the same items, but not
    /// after writes of other processes.
    package var changes: AsyncStream<Void> { coordinator.signal.stream() }
}

extension KeychainCredentialStore {
    /// Returns whether the store may contain records in a service of a keychain.
    /// - Parameters:
    ///   - service: The service.
    ///   - keychain: The keychain.
    ///   - accessGroup: The access group; `nil`, here or in the store, stands for any group.
    /// - Returns: `false` if the service cannot contain a record of the store.
    package func uses(_ service: String, of keychain: any Keychain, accessGroup: String?) -> Bool {
        KeychainCoordinators.identity(of: keychain) == KeychainCoordinators.identity(of: items.keychain)
            && (accessGroup == nil || items.accessGroup == nil || accessGroup == items.accessGroup)
            && RecordKind.allCases.contains { items.services.all($0).contains(service) }
    }
}

extension KeychainCredentialStore {
    /// Returns one store for the app's default keychain group, and one for each other group with items of this store.
    ///
    /// Each of these stores names its group, because a query without a group would find the items of all groups.
    /// - Parameter other: A store whose group is left out if both stores use the same services of the same keychain.
    /// - Returns: This store alone if it has a group, or if the keychain provides no groups.
    /// - Throws: ``StoreError`` if the keychain refuses the call.
    func inSingleGroups(besides other: KeychainCredentialStore?) throws(StoreError)
        -> [KeychainCredentialStore]
    {
        guard items.accessGroup == nil, let own = try items.defaultGroup() else { return [self] }
        var groups: Set<String> = [own]
        for service in Set(RecordKind.allCases.flatMap(items.services.all)) {
            groups.formUnion(try items.groups(of: service))
        }
        if let other, items.services == other.items.services,
            KeychainCoordinators.identity(of: items.keychain)
                == KeychainCoordinators.identity(of: other.items.keychain),
            let group = other.items.accessGroup
        {
            groups.remove(group)
        }
        return groups.sorted().map(inGroup)
    }

    /// Returns the store for the app's default keychain group; this store if it already has a group, or if the keychain
    /// provides no groups.
    /// - Throws: ``StoreError`` if the keychain refuses the call.
    func inDefaultGroup() throws(StoreError) -> KeychainCredentialStore {
        guard items.accessGroup == nil, let own = try items.defaultGroup() else { return self }
        return inGroup(own)
    }

    private func inGroup(_ group: String) -> KeychainCredentialStore {
        KeychainCredentialStore(
            keychain: items.keychain,
            services: items.services,
            accessGroup: group,
            accessibility: items.accessibility
        )
    }

    /// Returns whether both stores use the same items.
    func hasSameItems(as other: KeychainCredentialStore) -> Bool { coordinator === other.coordinator }
}

/// Serialises the transactions of all stores in this process that use the same items.
///
/// An app may open the same keychain through both APIs. The data that one API has read must not change before
/// that API writes.
enum KeychainCoordinators {
    /// The lock and the change signal that all stores on the same items share.
    ///
    /// This object exists only as long as one of these stores exists: a keychain in memory is identified by its
    /// address, and a keychain that is created later may have the same address.
    final class Coordinator: Sendable {
        /// The lock; its value shows whether a transaction may have been interrupted in this process.
        let lock = Lock(false)
        let signal = ChangeSignal()
    }

    static func coordinator(for items: KeychainItems) -> Coordinator {
        let place = Place(
            services: items.services,
            accessGroup: items.accessGroup,
            keychain: identity(of: items.keychain)
        )
        return coordinators.withValue { coordinators in
            if let coordinator = coordinators[place]?.coordinator { return coordinator }
            let coordinator = Coordinator()
            coordinators = coordinators.filter { $0.value.coordinator != nil }
            coordinators[place] = WeakCoordinator(coordinator: coordinator)
            return coordinator
        }
    }

    /// Returns the identity of a keychain that is an object, such as a keychain in memory; `nil` for other
    /// keychains, such as the system's keychain.
    static func identity(of keychain: any Keychain) -> ObjectIdentifier? {
        type(of: keychain) is AnyClass ? ObjectIdentifier(keychain as AnyObject) : nil
    }

    private struct Place: Hashable {
        let services: KeychainServices
        let accessGroup: String?
        let keychain: ObjectIdentifier?
    }

    private struct WeakCoordinator {
        weak var coordinator: Coordinator?
    }

    private static let coordinators = Lock<[Place: WeakCoordinator]>([:])
}

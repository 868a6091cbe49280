import Foundation
public import PushBridgeCore
import PushBridgePlatform

/// A store in a keychain: one generic password for each value, as JSON.
///
/// All values have the services, names and members that the successor SDK's keychain storages give them, and one more
/// member, `pushBridge`, for what the SDK has no place for; items without that member can be read too. A
/// one-time-password credential is two items, its JSON and its secret; one without the other has the code `damaged`.
/// Accounts and the migration's ledger, which only this store has, are in services that the SDK does not read.
///
/// The transactions of one process exclude one another, and so do those of an app and its extensions if they have set
/// ``StandardStore/folder`` to the folder of their app group. A transaction that was interrupted is completed by the next
/// one; if another process began it, such as an extension that the system ended, by the next one that writes, or the first
/// one of a store.
///
/// While the device is too locked for the items' accessibility, every call throws the code `locked`; an item that
/// has an invalid form or was sealed for another device has the code `damaged`, and leaves the others readable by id.
public final class KeychainCredentialStore: CredentialStore, RecordStore {
    private let items: KeychainItems
    private let journal: KeychainJournal
    private let turn: KeychainTurns.Turn
    /// Whether this store has looked for an interrupted transaction yet.
    private let hasLooked = Lock(false)

    /// Names the items of `keychain`; nothing is read before the first transaction.
    ///
    /// `accessibility` is given to new items; existing ones keep theirs.
    ///
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - services: The services of the items; the defaults are those of the successor SDK.
    ///   - accessGroup: The keychain group, for a store that an extension shares; `nil` for the app's own.
    ///   - accessibility: When new items can be read.
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
        turn = KeychainTurns.turn(for: items)
    }

    package func leftBehind(_ kind: RecordKind) throws -> Set<String> {
        try ids(of: kind) { !$0.travels }
    }

    package func closedWhileLocked(_ kind: RecordKind) throws -> Set<String> {
        try ids(of: kind) { !$0.opensWhileLocked }
    }

    /// The service of the push credentials; without the group, to which an app may move its items.
    package func storageName() throws -> String { "keychain \(items.services.credentials)" }

    private func ids(
        of kind: RecordKind,
        where isSelected: (KeychainAccessibility) -> Bool
    ) throws -> Set<String> {
        Set(try items.services.all(kind).flatMap { try items.accounts($0, where: isSelected) })
    }

    /// The inside of the store.
    public var backing: StoreBacking { StoreBacking(self) }

    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try items.keychain.exclusively {
            try turn.lock.withValue { isUnfinished in
                // Only a write needs to know of every interruption: its items must not be overwritten by a completion later.
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
            try turn.lock.withValue { isUnfinished in
                try complete(&isUnfinished)
                let view = KeychainView(items)
                let staged = RecordOverlay(over: view)
                let value = try body(staged)
                let steps = try view.steps(for: staged.changes)
                isUnfinished = true
                let firstIsEnough = view.firstIsEnough(of: steps, for: staged.changes)
                isUnfinished = try !journal.carryOut(steps, firstIsEnough: firstIsEnough)
                return value
            }
        }
        turn.signal.send()
        return value
    }

    /// One element after every write of this process to the same services; changes by other processes are not reported.
    package var changes: AsyncStream<Void> { turn.signal.stream() }
}

extension KeychainCredentialStore {
    /// Returns whether the store may keep records in a service of a keychain.
    /// - Parameters:
    ///   - service: The service.
    ///   - keychain: The keychain.
    ///   - accessGroup: The access group; `nil`, here or of the store, may be any.
    /// - Returns: `false` if no record of the store can be there.
    package func uses(_ service: String, of keychain: any Keychain, accessGroup: String?) -> Bool {
        KeychainTurns.identity(of: keychain) == KeychainTurns.identity(of: items.keychain)
            && (accessGroup == nil || items.accessGroup == nil || accessGroup == items.accessGroup)
            && RecordKind.allCases.contains { items.services.all($0).contains(service) }
    }
}

extension KeychainCredentialStore {
    /// Returns the stores on the single keychain groups that contain items of this one; queries without a group cover them all.
    /// - Parameter other: A store whose group is left out, if both are in the same keychain.
    /// - Returns: This store if it has a group, or if the keychain names none.
    /// - Throws: ``StoreError`` if the keychain refuses.
    func inSingleGroups(besides other: KeychainCredentialStore?) throws(StoreError)
        -> [KeychainCredentialStore]
    {
        guard items.accessGroup == nil, let own = try items.defaultGroup() else { return [self] }
        var groups: Set<String> = [own]
        for service in Set(RecordKind.allCases.flatMap(items.services.all)) {
            groups.formUnion(try items.groups(of: service))
        }
        if let other, items.services == other.items.services,
            KeychainTurns.identity(of: items.keychain) == KeychainTurns.identity(of: other.items.keychain),
            let group = other.items.accessGroup
        {
            groups.remove(group)
        }
        return groups.sorted().map(inGroup)
    }

    /// Returns the store on the app's default keychain group, unless this one has a group.
    /// - Throws: ``StoreError`` if the keychain refuses.
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

    /// Returns whether both stores work on the same items.
    func hasSameItems(as other: KeychainCredentialStore) -> Bool { turn === other.turn }
}

/// Makes the stores of this process that share items take turns.
///
/// An app may open the same keychain through both APIs, and what one of them read must not change before it writes.
enum KeychainTurns {
    /// The lock and the signal of changes that stores on the same items share.
    ///
    /// Lives as long as one of these stores does: a keychain in memory may be made where an earlier one was.
    final class Turn: Sendable {
        /// Holds whether a transaction may have been interrupted in this process.
        let lock = Lock(false)
        let signal = ChangeSignal()
    }

    static func turn(for items: KeychainItems) -> Turn {
        let place = Place(
            services: items.services,
            accessGroup: items.accessGroup,
            keychain: identity(of: items.keychain)
        )
        return turns.withValue { turns in
            if let turn = turns[place]?.turn { return turn }
            let turn = Turn()
            turns = turns.filter { $0.value.turn != nil }
            turns[place] = LivingTurn(turn: turn)
            return turn
        }
    }

    /// Tells keychains in memory apart; keychains that are no objects are all the system's.
    static func identity(of keychain: any Keychain) -> ObjectIdentifier? {
        type(of: keychain) is AnyClass ? ObjectIdentifier(keychain as AnyObject) : nil
    }

    private struct Place: Hashable {
        let services: KeychainServices
        let accessGroup: String?
        let keychain: ObjectIdentifier?
    }

    private struct LivingTurn {
        weak var turn: Turn?
    }

    private static let turns = Lock<[Place: LivingTurn]>([:])
}

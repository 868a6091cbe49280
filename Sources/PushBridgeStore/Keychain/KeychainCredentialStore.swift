import Foundation
public import PushBridgeCore
import PushBridgePlatform

/// A store in a keychain: one generic password for each value, as JSON.
///
/// Push credentials, notifications and the device token have the members that the new SDK's keychain storage gives
/// them, and one more, `pushBridge`, for what it has no place for; items without that member can be read too.
///
/// The stores of one process that use the same services take turns. Between processes nothing does: where an app
/// and its notification extension write at the same time, use ``SQLiteCredentialStore``. A transaction that was
/// interrupted is completed by the next one.
///
/// While the device is too locked for the items' accessibility, every call throws the code `locked`; an item that
/// has an invalid form or was sealed for another device has the code `damaged`, and leaves the others readable by id.
public final class KeychainCredentialStore: CredentialStore, RecordStore {
    private let items: KeychainItems
    private let journal: KeychainJournal
    private let turn: KeychainTurns.Turn

    /// Names the items of `keychain`; nothing is read before the first transaction.
    ///
    /// `accessibility` is given to new items; existing ones keep theirs.
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
        Set(try items.leftBehind(items.services[kind]))
    }

    /// The inside of the store.
    public var backing: StoreBacking { StoreBacking(self) }

    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try turn.lock.withValue { _ in
            try journal.complete()
            return try body(KeychainView(items))
        }
    }

    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        let value = try turn.lock.withValue { _ in
            try journal.complete()
            let view = KeychainView(items)
            let staged = RecordOverlay(over: view)
            let value = try body(staged)
            let steps = try view.steps(for: staged.changes)
            try journal.carryOut(steps, firstIsEnough: view.firstIsEnough(of: steps, for: staged.changes))
            return value
        }
        turn.signal.send()
        return value
    }

    /// One element after every write of this process to the same services; other processes are not heard of.
    package var changes: AsyncStream<Void> { turn.signal.stream() }
}

/// Makes the stores of this process that share items take turns.
///
/// An app may open the same keychain through both APIs, and what one of them read must not change before it writes.
enum KeychainTurns {
    /// What the stores on the same items share: whose turn it is, and who hears of changes.
    struct Turn: Sendable {
        let lock = Lock(0)
        let signal = ChangeSignal()
    }

    static func turn(for items: KeychainItems) -> Turn {
        let place = Place(
            services: items.services,
            accessGroup: items.accessGroup,
            keychain: identity(of: items.keychain)
        )
        return turns.withValue { turns in
            let turn = turns[place] ?? Turn()
            turns[place] = turn
            return turn
        }
    }

    /// Tells keychains in memory apart; keychains that are no objects are all the system's.
    private static func identity(of keychain: any Keychain) -> ObjectIdentifier? {
        type(of: keychain) is AnyClass ? ObjectIdentifier(keychain as AnyObject) : nil
    }

    private struct Place: Hashable {
        let services: KeychainServices
        let accessGroup: String?
        let keychain: ObjectIdentifier?
    }

    private static let turns = Lock<[Place: Turn]>([:])
}

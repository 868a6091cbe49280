public import PushBridgeCore

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
/// makes no sense or was sealed for another device has the code `damaged`, and leaves the others readable by id.
public final class KeychainCredentialStore: CredentialStore {
    private let shelf: KeychainShelf
    private let journal: KeychainJournal
    private let turn: KeychainTurns.Turn

    /// Names the items of `keychain`; nothing is read before the first transaction.
    ///
    /// `accessibility` is given to new items; existing ones keep theirs.
    public init(
        keychain: any Keychain,
        services: KeychainServices = KeychainServices(),
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .whenUnlockedThisDeviceOnly
    ) {
        shelf = KeychainShelf(
            keychain: keychain,
            services: services,
            accessGroup: accessGroup,
            accessibility: accessibility
        )
        journal = KeychainJournal(shelf: shelf)
        turn = KeychainTurns.turn(for: shelf)
    }

    /// Calls `body` with a consistent view of the store.
    ///
    /// Errors of `body` pass through.
    public func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try turn.lock.withValue { _ in
            try journal.complete()
            return try body(KeychainView(shelf))
        }
    }

    /// Calls `body` with a view that can change the store.
    ///
    /// Either everything it wrote is in the keychain when the call returns, or, if it threw, nothing is.
    public func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        let value = try turn.lock.withValue { _ in
            try journal.complete()
            let view = KeychainView(shelf)
            let staged = StagedView(over: view)
            let value = try body(staged)
            try journal.carryOut(view.steps(for: staged.changes))
            return value
        }
        turn.signal.send()
        return value
    }

    /// One element after every write of this process to the same services; other processes are not heard of.
    public var changes: AsyncStream<Void> { turn.signal.stream() }
}

public import PushBridgeCore

/// A store that can be neither read nor changed while its device is locked.
///
/// This repository's tools simulate locked phones with this store.
public struct LockableStore: CredentialStore {
    /// Access to the records of the underlying store, which fails while the device is locked.
    public let backing: StoreBacking

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - store: The store with the records.
    ///   - isLocked: Returns whether the device is locked; called before every transaction, on the thread of
    ///     the transaction.
    public init(_ store: any CredentialStore, isLocked: @escaping @Sendable () -> Bool) {
        backing = StoreBacking(LockableRecords(records: store.backing.records, isLocked: isLocked))
    }
}

private struct LockableRecords: RecordStore {
    let records: any RecordStore
    let isLocked: @Sendable () -> Bool

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try checkLock()
        return try records.read(body)
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try checkLock()
        return try records.write(body)
    }

    var changes: AsyncStream<Void> { records.changes }

    func filePath() throws -> String? { try records.filePath() }

    func storageName() throws -> String { try records.storageName() }

    func unreadableWhileLocked(_ kind: RecordKind) throws -> Set<String> {
        try checkLock()
        return try records.unreadableWhileLocked(kind)
    }

    func nonTransferableIDs(_ kind: RecordKind) throws -> Set<String> {
        try checkLock()
        return try records.nonTransferableIDs(kind)
    }

    private func checkLock() throws {
        guard !isLocked() else {
            throw StoreError(.locked, reason: "The device is locked, so its store cannot be opened.")
        }
    }
}

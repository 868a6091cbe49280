package import PushBridgeCore
import PushBridgePlatform

/// The operations that a client needs from an app's own storage, which has async methods and no transactions.
package protocol CustomStorage: Sendable {
    associatedtype Credential: CredentialRecord

    /// The type of the app's storage.
    var storageType: Any.Type { get }
    /// Returns the narrowest query that the storage can load and whose result includes the records of `query`.
    ///
    /// The result is `nil` if the storage has none of these records.
    func loadable(_ kind: RecordKind, _ query: RecordQuery) -> RecordQuery?
    /// Returns whether the storage can count the records of a request without loading them.
    func counts(_ request: RecordRequest) -> Bool
    /// Loads the records of a request.
    ///
    /// - Throws: An error of the API, made from the error of the app's storage.
    func load(_ request: RecordRequest, into loaded: inout LoadedRecords) async throws
    /// Applies the changes of a transaction.
    ///
    /// `loaded` contains the records that the transaction loaded.
    ///
    /// If the method fails after some of the changes, it must not lose a record.
    ///
    /// - Throws: An error of the API, made from the error of the app's storage.
    func apply(_ changes: RecordChanges, over loaded: LoadedRecords) async throws
    /// Completes or undoes operations that an earlier process, or a call that failed, did not finish.
    ///
    /// This method is called before the first transaction, and again before the next transaction after a failed
    /// write.
    ///
    /// - Throws: An error of the API, made from the error of the app's storage.
    func recover() async throws
}

extension CustomStorage {
    package func counts(_ request: RecordRequest) -> Bool { false }
    package func recover() async throws {}
}

/// Runs transactions on an app's own storage, which does not support transactions.
///
/// Transactions run one after another, so the calls of a client do not interfere with each other. A
/// transaction loads the records that it requires, changes them in memory, and writes the changes. If the
/// storage fails while a transaction writes, the changes that the transaction has already written remain.
///
/// Only one client at a time may use an app's own storage.
package final class CustomStorageAccess<App: CustomStorage>: RecordAccess {
    private let app: App
    private let lock = AsyncLock()
    private let signal = ChangeSignal()
    private let isRecovered = Lock(false)

    package init(_ app: App) {
        self.app = app
    }

    package var isCredentialStore: Bool { false }
    package func storageName() -> String { StorageName.own(app.storageType) }
    package func hasReceived(from name: String) -> Bool { false }
    package var changes: AsyncStream<Void> { signal.stream() }

    package func read<Value: Sendable>(
        _ requests: [RecordRequest],
        _ body: @escaping @Sendable (any CredentialReading) throws -> Value
    ) async throws -> Value {
        try await inTurn { try await loading(requests) { try body($0) }.value }
    }

    package func write<Value: Sendable>(
        _ requests: [RecordRequest],
        _ body: @escaping @Sendable (any CredentialWriting) throws -> Value
    ) async throws -> Value {
        let value = try await inTurn {
            let (result, loaded) = try await loading(requests) { view in
                let staged = RecordOverlay(over: view)
                return (try body(staged), staged.changes)
            }
            guard !result.1.isEmpty else { return result.0 }
            // A transaction that has begun to write is completed even if the caller is cancelled, because a cancelled
            // transaction could store only a part of its changes.
            try await Task { [self] in
                do {
                    try await app.apply(result.1, over: loaded)
                } catch {
                    isRecovered.withValue { $0 = false }
                    throw error
                }
            }.value
            return result.0
        }
        signal.send()
        return value
    }

    /// Loads the requested records and calls `body`; if `body` needs more records, loads them and calls `body` again.
    private func loading<Value>(
        _ requests: [RecordRequest],
        _ body: (LoadedView<App>) throws -> Value
    ) async throws -> (value: Value, loaded: LoadedRecords) {
        var loaded = LoadedRecords()
        for request in requests { try await app.load(request, into: &loaded) }
        let value = try await NeedsRecords.loading(into: &loaded) { request, loaded in
            try await app.load(request, into: &loaded)
        } for: {
            try body(LoadedView(app: app, loaded: $0))
        }
        return (value, loaded)
    }

    /// Runs a transaction after all earlier transactions of this storage and, if necessary, after a recovery.
    ///
    /// If the storage calls its client during a transaction, this method throws an error, to prevent a deadlock.
    private func inTurn<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard !RunningTransaction.current.contains(where: { $0.isRunning(on: self) }) else {
            throw StoreError(.failed, reason: "The storage must not call its client in a transaction.")
        }
        return try await lock.run {
            let transaction = RunningTransaction(on: self)
            defer { transaction.end() }
            return try await RunningTransaction.$current.withValue(RunningTransaction.current + [transaction])
            {
                if isRecovered.withValue({ !$0 }) {
                    try await app.recover()
                    isRecovered.withValue { $0 = true }
                }
                return try await body()
            }
        }
    }
}

/// Marks the tasks of a transaction.
///
/// If the storage calls its client, the client detects the call by this mark.
private final class RunningTransaction: Sendable {
    @TaskLocal static var current: [RunningTransaction] = []

    private let storage: ObjectIdentifier
    private let isOver = Lock(false)

    init(on storage: AnyObject) {
        self.storage = ObjectIdentifier(storage)
    }

    /// Returns whether this transaction uses a storage and has not ended.
    func isRunning(on storage: AnyObject) -> Bool {
        self.storage == ObjectIdentifier(storage) && !isOver.withValue { $0 }
    }

    func end() {
        isOver.withValue { $0 = true }
    }
}

/// The records that a transaction has loaded from an app's own storage so far.
package struct LoadedRecords: Sendable {
    private var lists: [RecordRequest: [any StoredRecord]] = [:]
    private var counts: [RecordRequest: Int] = [:]

    package init() {}

    package mutating func add(_ records: [any StoredRecord], for request: RecordRequest) {
        lists[request] = records
    }

    package mutating func add(count: Int, for request: RecordRequest) {
        counts[request] = count
    }

    /// Returns the record with an id: `nil` if the record was not loaded, `.some(nil)` if the storage has no record
    /// with this id.
    package func value<Value: StoredRecord>(_ type: Value.Type = Value.self, id: String) -> Value?? {
        let kind = type.recordKind
        if let one = list(kind, RecordQuery(id: id)) { return .some(one.first as? Value) }
        if let value = first(type, where: { $0.recordIndex.id == id }) { return .some(value) }
        return list(kind, .all) == nil ? nil : .some(nil)
    }

    /// Returns a loaded record that meets a condition; `nil` if there is none.
    package func first<Value: StoredRecord>(_ type: Value.Type, where condition: (Value) -> Bool) -> Value? {
        for (request, list) in lists where request.kind == type.recordKind {
            for case let value as Value in list where condition(value) { return value }
        }
        return nil
    }

    /// Returns the records that were loaded for exactly this query; `nil` if the query was not loaded.
    fileprivate func list(_ kind: RecordKind, _ query: RecordQuery) -> [any StoredRecord]? {
        lists[RecordRequest(kind, query)]
    }

    fileprivate func count(_ request: RecordRequest) -> Int? { counts[request] }
}

/// A view of the loaded records.
///
/// If a caller requests records that are not loaded, the view throws ``NeedsRecords``.
struct LoadedView<App: CustomStorage>: LoadedReading {
    let app: App
    let loaded: LoadedRecords

    /// Each credential contains the names, the policies and the lock of its account.
    var denormalizesAccounts: Bool { true }
    var keepsAccounts: Bool { false }

    func count(of kind: RecordKind, where query: RecordQuery) throws -> Int {
        let request = RecordRequest(kind, query, countsOnly: true)
        if app.counts(request), loaded.list(kind, .all) == nil {
            guard let count = loaded.count(request) else { throw NeedsRecords(request) }
            return count
        }
        return try records(kind, where: query).count
    }

    func records(_ kind: RecordKind, where query: RecordQuery) throws -> [any StoredRecord] {
        guard let loadable = app.loadable(kind, query) else { return [] }
        let known = loaded.list(kind, loadable) ?? loaded.list(kind, .all) ?? account(kind, loadable)
        guard let records = known else { throw NeedsRecords(RecordRequest(kind, loadable)) }
        guard query != loadable else { return records }
        let selected = records.filter { query.selects($0.recordIndex) }
        guard let limit = query.limit else { return selected }
        // The limit applies to records in the order of their dates, but the lists are in the order of the app's
        // storage.
        return Array(selected.sorted { $0.recordIndex.precedes($1.recordIndex) }.prefix(limit))
    }

    /// Returns the account that a query selects by its id, from a loaded credential of the account; empty if there is
    /// no such credential.
    ///
    /// The result is `nil` if more credentials have to be loaded first, or if the query selects no account by its id.
    private func account(_ kind: RecordKind, _ query: RecordQuery) -> [any StoredRecord]? {
        guard kind == .account, let key = query.id.flatMap(AccountKey.init(recordID:)) else { return nil }
        if let known = loaded.first(App.Credential.self, where: { $0.account.key == key }) {
            return [known.account]
        }
        return loaded.list(App.Credential.recordKind, .all) == nil ? nil : []
    }
}

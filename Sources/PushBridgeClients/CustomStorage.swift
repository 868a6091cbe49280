package import PushBridgeCore
import PushBridgePlatform

/// An app's own storage as clients use it: async, record by record, without transactions.
package protocol CustomStorage: Sendable {
    associatedtype Credential: CredentialRecord

    /// The API's names for errors.
    var errors: ClientErrors { get }
    /// The type of the app's storage.
    var storageType: Any.Type { get }
    /// The narrowest query that the storage has a method for and that finds what another one selects; `nil` if the
    /// storage keeps no such records.
    func loadable(_ kind: RecordKind, _ query: RecordQuery) -> RecordQuery?
    /// Whether the storage knows a number without loading the records.
    func counts(_ demand: RecordDemand) -> Bool
    /// Loads what a demand names.
    ///
    /// - Throws: The errors of the app's storage, as the API names them.
    func load(_ demand: RecordDemand, into loaded: inout LoadedRecords) async throws
    /// Carries out what a transaction changes that loaded these records; no record is lost if that fails on the way.
    ///
    /// - Throws: The errors of the app's storage, as the API names them.
    func apply(_ changes: RecordChanges, over loaded: LoadedRecords) async throws
    /// Completes operations that a previous process did not finish; called before anything else.
    ///
    /// - Throws: The errors of the app's storage, as the API names them.
    func recover() async throws
}

extension CustomStorage {
    package func counts(_ demand: RecordDemand) -> Bool { false }
    package func recover() async throws {}
}

/// Runs transactions on an app's own storage, which has none.
///
/// One transaction runs after the other: it loads what it asks for, works on that in memory, and writes what changed.
/// So a client cannot interfere with itself, but a failure of the storage while it writes leaves what was written
/// before.
/// One client at a time works on such a storage.
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
    package var changes: AsyncStream<Void> { signal.stream() }

    package func read<Value: Sendable>(
        _ demands: [RecordDemand],
        _ body: @escaping @Sendable (any CredentialReading) throws -> Value
    ) async throws -> Value {
        try await inTurn { try await loading(demands) { try body($0) }.value }
    }

    package func write<Value: Sendable>(
        _ demands: [RecordDemand],
        _ body: @escaping @Sendable (any CredentialWriting) throws -> Value
    ) async throws -> Value {
        let value = try await inTurn {
            let (result, loaded) = try await loading(demands) { view in
                let staged = RecordOverlay(over: view)
                return (try body(staged), staged.changes)
            }
            guard !result.1.isEmpty else { return result.0 }
            // A transaction that has begun ends, also if the caller is cancelled: half of it would be worse.
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

    /// Calls `body`, again each time that it asked for what was not loaded.
    private func loading<Value>(
        _ demands: [RecordDemand],
        _ body: (LoadedView<App>) throws -> Value
    ) async throws -> (value: Value, loaded: LoadedRecords) {
        var loaded = LoadedRecords()
        for demand in demands { try await app.load(demand, into: &loaded) }
        let value = try await MissingRecords.loading(into: &loaded) { demand, loaded in
            try await app.load(demand, into: &loaded)
        } for: {
            try body(LoadedView(app: app, loaded: $0))
        }
        return (value, loaded)
    }

    /// Runs transactions one after another.
    ///
    /// The storage must not call its client during a transaction, because each would wait for the other.
    private func inTurn<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard !RunningTransaction.current.contains(where: { $0.isRunning(on: self) }) else {
            throw StoreError(.failed, reason: "The storage called the client that waits for it.")
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

/// Marks the tasks of a transaction, so that an app's storage that calls its client is recognised.
private final class RunningTransaction: Sendable {
    @TaskLocal static var current: [RunningTransaction] = []

    private let storage: ObjectIdentifier
    private let isOver = Lock(false)

    init(on storage: AnyObject) {
        self.storage = ObjectIdentifier(storage)
    }

    /// Whether the transaction is one of a storage and has not ended.
    func isRunning(on storage: AnyObject) -> Bool {
        self.storage == ObjectIdentifier(storage) && !isOver.withValue { $0 }
    }

    func end() {
        isOver.withValue { $0 = true }
    }
}

/// The records that a transaction has loaded from an app's own storage so far.
package struct LoadedRecords: Sendable {
    private var lists: [RecordDemand: [any StoredRecord]] = [:]
    private var counts: [RecordDemand: Int] = [:]

    package init() {}

    package mutating func add(_ records: [any StoredRecord], for demand: RecordDemand) {
        lists[demand] = records
    }

    package mutating func add(count: Int, for demand: RecordDemand) {
        counts[demand] = count
    }

    /// The record with an id: `nil` if it was not loaded, `.some(nil)` if there is none.
    package func value<Value: StoredRecord>(_ type: Value.Type = Value.self, id: String) -> Value?? {
        let kind = type.recordKind
        if let one = list(kind, RecordQuery(id: id)) { return .some(one.first as? Value) }
        if let value = first(type, where: { $0.recordIndex.id == id }) { return .some(value) }
        return list(kind, .all) == nil ? nil : .some(nil)
    }

    /// A record that was loaded and that a condition selects, the first in its list.
    package func first<Value: StoredRecord>(_ type: Value.Type, where condition: (Value) -> Bool) -> Value? {
        for (demand, list) in lists where demand.kind == type.recordKind {
            for case let value as Value in list where condition(value) { return value }
        }
        return nil
    }

    /// The records that were loaded for a query, or are part of such.
    fileprivate func list(_ kind: RecordKind, _ query: RecordQuery) -> [any StoredRecord]? {
        lists[RecordDemand(kind, query)]
    }

    fileprivate func count(_ demand: RecordDemand) -> Int? { counts[demand] }
}

/// A view of what was loaded; asked for anything else, it throws what to load.
struct LoadedView<App: CustomStorage>: LoadedReading {
    let app: App
    let loaded: LoadedRecords

    /// Names, policies and lock live in the credentials.
    var repeatsAccounts: Bool { true }
    var keepsAccounts: Bool { false }

    func count(of kind: RecordKind, where query: RecordQuery) throws -> Int {
        let demand = RecordDemand(kind, query, countsOnly: true)
        if app.counts(demand), loaded.list(kind, .all) == nil {
            guard let count = loaded.count(demand) else { throw MissingRecords(demand) }
            return count
        }
        return try records(kind, where: query).count
    }

    func records(_ kind: RecordKind, where query: RecordQuery) throws -> [any StoredRecord] {
        guard let loadable = app.loadable(kind, query) else { return [] }
        let known = loaded.list(kind, loadable) ?? loaded.list(kind, .all) ?? account(kind, loadable)
        guard let records = known else { throw MissingRecords(RecordDemand(kind, loadable)) }
        guard query != loadable else { return records }
        let selected = records.filter { query.selects($0.recordIndex) }
        guard let limit = query.limit else { return selected }
        // The first in order of date; lists have the order of the app's storage.
        return Array(selected.sorted { $0.recordIndex.precedes($1.recordIndex) }.prefix(limit))
    }

    /// The account with an id, as whichever of its credentials is at hand says; `nil` if none is.
    private func account(_ kind: RecordKind, _ query: RecordQuery) -> [any StoredRecord]? {
        guard kind == .account, let key = query.id.flatMap(AccountKey.init(recordID:)) else { return nil }
        if let known = loaded.first(App.Credential.self, where: { $0.account.key == key }) {
            return [known.account]
        }
        return loaded.list(App.Credential.recordKind, .all) == nil ? nil : []
    }
}

import PushBridgeCore
import PushBridgePlatform

/// A store whose n-th operation fails, as if the process died there: the transaction around it is lost.
final class FaultyStore: CredentialStore, RecordStore {
    struct Fault: Error {}

    private let store: any CredentialStore
    private let budget: Lock<(used: Int, limit: Int)>

    init(_ store: any CredentialStore, failingAt limit: Int) {
        self.store = store
        budget = Lock((0, limit))
    }

    var backing: StoreBacking { StoreBacking(self) }

    /// How many operations there were.
    var operations: Int { budget.withValue { $0.used } }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try store.read { try body($0) }
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        let value = try store.write { try body(FaultyView(view: $0, spend: spend)) }
        try spend()
        return value
    }

    var changes: AsyncStream<Void> { store.changes }

    private func spend() throws {
        try budget.withValue { budget in
            budget.used += 1
            if budget.used == budget.limit { throw Fault() }
        }
    }
}

/// Counts before each operation; the commit itself is counted by the store.
private struct FaultyView: CredentialWriting {
    let view: any CredentialWriting
    let spend: () throws -> Void

    var repeatsAccounts: Bool { view.repeatsAccounts }

    func forEach<Value: StoredRecord>(
        _ type: Value.Type,
        where query: RecordQuery,
        _ body: (Value) throws -> Void
    ) throws -> [StoreError] {
        try spend()
        return try view.forEach(type, where: query, body)
    }

    func ids<Value: StoredRecord>(of type: Value.Type, where query: RecordQuery) throws -> [String] {
        try spend()
        return try view.ids(of: type, where: query)
    }

    func count<Value: StoredRecord>(of type: Value.Type, where query: RecordQuery) throws -> Int {
        try spend()
        return try view.count(of: type, where: query)
    }

    func put(_ value: some StoredRecord) throws {
        try spend()
        try view.put(value)
    }

    func remove<Value: StoredRecord>(_ type: Value.Type, where query: RecordQuery) throws -> Int {
        try spend()
        return try view.remove(type, where: query)
    }
}

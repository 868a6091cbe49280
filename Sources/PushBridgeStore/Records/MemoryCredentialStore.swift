public import PushBridgeCore
import PushBridgePlatform

/// A store that lives as long as the process, for tests and for rehearsals.
public final class MemoryCredentialStore: CredentialStore, RecordStore {
    private let contents = Lock(MemoryContents())
    private let signal = ChangeSignal()

    /// Creates an empty store.
    public init() {}

    /// The inside of the store.
    public var backing: StoreBacking { StoreBacking(self) }

    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try body(MemoryView(contents.withValue { $0 }))
    }

    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        let value = try contents.withValue { contents in
            let view = MemoryView(contents)
            let value = try body(view)
            contents = view.contents
            return value
        }
        signal.send()
        return value
    }

    package var changes: AsyncStream<Void> { signal.stream() }
}

/// What a memory store holds; a value, so that a transaction is a copy.
struct MemoryContents {
    struct Item {
        let value: any StoredRecord
        let index: RecordIndex
        /// Counts records in the order in which they were first stored.
        let order: Int
    }

    private var kinds: [RecordKind: [String: Item]] = [:]
    private var next = 0

    /// The records that a query selects, in order.
    func items(_ kind: RecordKind, where query: RecordQuery) -> [Item] {
        guard let items = kinds[kind] else { return [] }
        if let id = query.id { return items[id].map { query.selects($0.index) ? [$0] : [] } ?? [] }
        let selected = items.values.filter { query.selects($0.index) }.sorted { one, other in
            kind.isListedAsStored ? one.order < other.order : one.index.precedes(other.index)
        }
        return query.limit.map { Array(selected.prefix($0)) } ?? selected
    }

    mutating func put(_ value: some StoredRecord) {
        let (kind, index) = (type(of: value).recordKind, value.recordIndex)
        let order = kinds[kind]?[index.id]?.order ?? next
        kinds[kind, default: [:]][index.id] = Item(value: value, index: index, order: order)
        next += 1
    }

    mutating func remove(_ kind: RecordKind, id: String) {
        kinds[kind]?[id] = nil
    }
}

/// One transaction on a memory store: works on its own copy of the contents.
private final class MemoryView: CredentialWriting {
    private(set) var contents: MemoryContents

    init(_ contents: MemoryContents) {
        self.contents = contents
    }

    func forEach<Value: StoredRecord>(
        _ type: Value.Type,
        where query: RecordQuery,
        _ body: (Value) throws -> Void
    ) throws -> [StoreError] {
        for item in contents.items(type.recordKind, where: query) {
            if let value = item.value as? Value { try body(value) }
        }
        return []
    }

    func ids<Value: StoredRecord>(of type: Value.Type, where query: RecordQuery) -> [String] {
        contents.items(type.recordKind, where: query).map(\.index.id)
    }

    func count<Value: StoredRecord>(of type: Value.Type, where query: RecordQuery) -> Int {
        contents.items(type.recordKind, where: query).count
    }

    func put(_ value: some StoredRecord) { contents.put(value) }

    func remove<Value: StoredRecord>(_ type: Value.Type, where query: RecordQuery) -> Int {
        let doomed = contents.items(type.recordKind, where: query)
        for item in doomed { contents.remove(type.recordKind, id: item.index.id) }
        return doomed.count
    }
}

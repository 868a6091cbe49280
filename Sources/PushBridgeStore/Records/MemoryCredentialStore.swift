public import PushBridgeCore
import PushBridgePlatform

/// A store in memory for the lifetime of the process, for tests and rehearsals.
public final class MemoryCredentialStore: CredentialStore, RecordStore {
    private let contents = Lock(RecordTable())
    private let signal = ChangeSignal()

    /// Creates an empty store.
    public init() {}

    /// The implementation of the store.
    public var backing: StoreBacking { StoreBacking(self) }

    package func storageName() throws -> String { "memory \(ObjectIdentifier(self))" }

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

/// One transaction on a memory store; the transaction works on its own copy of the contents.
private final class MemoryView: CredentialWriting {
    private(set) var contents: RecordTable

    init(_ contents: RecordTable) {
        self.contents = contents
    }

    func forEach(
        _ kind: RecordKind,
        where query: RecordQuery,
        _ body: (any StoredRecord) throws -> Void
    ) throws -> [StoreError] {
        for item in contents.items(kind, where: query) { try body(item.record) }
        return []
    }

    func ids(of kind: RecordKind, where query: RecordQuery) -> [String] {
        contents.items(kind, where: query).map(\.index.id)
    }

    func count(of kind: RecordKind, where query: RecordQuery) -> Int {
        contents.items(kind, where: query).count
    }

    func put(_ record: any StoredRecord) { contents.put(record) }

    func remove(_ kind: RecordKind, where query: RecordQuery) -> Int {
        let removals = ids(of: kind, where: query)
        for id in removals { contents.remove(kind, id: id) }
        return removals.count
    }
}

import PushBridgeCore
import PushBridgeStore

/// A store that first collects the changes of a transaction and then carries them out.
///
/// The contract tests use this store to check the overlay of collected changes.
struct StagedStore: CredentialStore, RecordStore {
    private let store = MemoryCredentialStore()

    var backing: StoreBacking { StoreBacking(self) }

    var changes: AsyncStream<Void> { store.changes }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try store.read { try body(RecordOverlay(over: $0)) }
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try store.write { try $0.collecting(body) }
    }
}

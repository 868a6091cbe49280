import PushBridgeCore
import PushBridgeStore

/// A store whose transactions are first collected and then carried out, to put the overlay itself to the contract.
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

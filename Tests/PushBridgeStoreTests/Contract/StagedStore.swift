import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport

/// A store that first collects the changes of a transaction and then carries them out.
///
/// The contract tests use this store to check the overlay of collected changes.
struct StagedStore: WrappingStore {
    let store: any CredentialStore = MemoryCredentialStore()

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try store.read { try body(RecordOverlay(over: $0)) }
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try store.write { try $0.collecting(body) }
    }
}

package import PushBridgeCore

/// A store that changes some transactions of another store, and passes on all other transactions.
package protocol WrappingStore: CredentialStore, RecordStore {
    var store: any CredentialStore { get }
}

extension WrappingStore {
    package var backing: StoreBacking { StoreBacking(self) }
    package var changes: AsyncStream<Void> { store.changes }

    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try store.read(body)
    }

    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try store.write(body)
    }
}

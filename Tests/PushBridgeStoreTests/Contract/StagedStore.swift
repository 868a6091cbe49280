import PushBridgeCore

/// A store whose transactions are first collected and then carried out, to put staging itself to the contract.
struct StagedStore: CredentialStore {
    private let store = MemoryCredentialStore()

    var changes: AsyncStream<Void> { store.changes }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try store.read { try body(StagedView(over: $0)) }
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try store.write { view in
            let staged = StagedView(over: view)
            let value = try body(staged)
            try staged.changes.apply(to: view)
            return value
        }
    }
}

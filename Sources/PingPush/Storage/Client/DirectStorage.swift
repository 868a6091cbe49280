/// Works on a `CredentialStore`, whose transactions are its own; the scope is not needed.
struct DirectStorage: ClientStorage {
    let store: any CredentialStore

    var isCredentialStore: Bool { true }
    var changes: AsyncStream<Void> { store.changes }

    func read<Value: Sendable>(
        _ scope: StorageScope,
        _ body: @escaping @Sendable (any CredentialReading) throws -> Value
    ) async throws -> Value {
        try storing { try store.read(body) }
    }

    func write<Value: Sendable>(
        _ scope: StorageScope,
        _ body: @escaping @Sendable (any CredentialWriting) throws -> Value
    ) async throws -> Value {
        try storing { try store.write(body) }
    }
}

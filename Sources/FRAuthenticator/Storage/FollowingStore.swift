import PushBridgeCore

extension FRAClient {
    /// The store that the client works on, wherever its records are at the time.
    ///
    /// Given to a client of the async API, that one works on the same accounts, also on the legacy SDK's own items:
    /// `CredentialStoreStorage(FRAClient.credentialStore)`. Take it after ``start()``; it follows a move of the records by
    /// itself.
    public static var credentialStore: any CredentialStore {
        FollowingStore(authenticator: sharedAuthenticator)
    }
}

/// Hands each transaction to the store that an authenticator works on just then.
private struct FollowingStore: CredentialStore, RecordStore {
    let authenticator: Authenticator

    var backing: StoreBacking { StoreBacking(self) }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try authenticator.onStore { try $0.read(body) }
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try authenticator.onStore { try $0.write(body) }
    }

    func leftBehind(_ kind: RecordKind) throws -> Set<String> {
        try authenticator.onStore { try $0.backing.records.leftBehind(kind) }
    }

    func closedWhileLocked(_ kind: RecordKind) throws -> Set<String> {
        try authenticator.onStore { try $0.backing.records.closedWhileLocked(kind) }
    }

    func filePath() throws -> String? {
        try authenticator.onStore { try $0.backing.records.filePath() }
    }

    /// One element after every change of the store that is worked on now, and after the records moved, of the next.
    var changes: AsyncStream<Void> {
        AsyncStream { continuation in
            let task = Task {
                while !Task.isCancelled {
                    let opened = authenticator.attempt("Opening the storage", or: nil) {
                        try authenticator.store()
                    }
                    guard let store = opened else { break }
                    let place = store as? StorageClientStore
                    for await _ in store.changes {
                        continuation.yield()
                        if place?.hasLeft == true { break }
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

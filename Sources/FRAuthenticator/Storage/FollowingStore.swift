public import PushBridgeCore

extension FRAClient {
    /// The store that the client works on, which follows its records.
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
        try authenticator.store().read(body)
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try authenticator.store().write(body)
    }

    func leftBehind(_ kind: RecordKind) throws -> Set<String> {
        try authenticator.store().backing.records.leftBehind(kind)
    }

    func closedWhileLocked(_ kind: RecordKind) throws -> Set<String> {
        try authenticator.store().backing.records.closedWhileLocked(kind)
    }

    func filePath() throws -> String? { try authenticator.store().backing.records.filePath() }

    func storageName() throws -> String { try authenticator.store().backing.records.storageName() }

    /// One element after every change of the store; none if it cannot be opened.
    var changes: AsyncStream<Void> {
        authenticator.attempt("Opening the storage", or: AsyncStream { $0.finish() }) {
            try authenticator.store().changes
        }
    }
}

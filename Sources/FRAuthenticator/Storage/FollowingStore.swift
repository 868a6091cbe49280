public import PushBridgeCore

extension FRAClient {
    /// The client's store, also across a move of the records.
    ///
    /// With `CredentialStoreStorage(FRAClient.credentialStore)`, a client of the async API uses the same accounts, also
    /// while they are in the legacy SDK's own items. Read the property after ``start()``; after a move of the records,
    /// the store uses the new place automatically.
    public static var credentialStore: any CredentialStore {
        FollowingStore(authenticator: sharedAuthenticator)
    }
}

/// Passes each transaction to the store that the authenticator currently uses.
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

    /// One element after every change of the store; no element if the store cannot be opened.
    var changes: AsyncStream<Void> {
        authenticator.attempt("Opening the storage", or: AsyncStream { $0.finish() }) {
            try authenticator.store().changes
        }
    }
}

public import PushBridgeCore

extension FRAClient {
    /// The client's store, which remains valid when the records move.
    ///
    /// With `CredentialStoreStorage(FRAClient.credentialStore)`, a client of the async API uses the same
    /// accounts, even while the accounts are in the legacy SDK's own items. Read this property after
    /// ``start()``. After a move of the records, the store uses the new place automatically.
    public static var credentialStore: any CredentialStore {
        CurrentStore(authenticator: sharedAuthenticator)
    }
}

/// Passes each transaction to the store that the authenticator currently uses.
private struct CurrentStore: CredentialStore, RecordStore {
    let authenticator: Authenticator

    var backing: StoreBacking { StoreBacking(self) }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try authenticator.store().read(body)
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try authenticator.store().write(body)
    }

    func nonTransferableIDs(_ kind: RecordKind) throws -> Set<String> {
        try authenticator.store().backing.records.nonTransferableIDs(kind)
    }

    func unreadableWhileLocked(_ kind: RecordKind) throws -> Set<String> {
        try authenticator.store().backing.records.unreadableWhileLocked(kind)
    }

    func filePath() throws -> String? { try authenticator.store().backing.records.filePath() }

    func storageName() throws -> String { try authenticator.store().backing.records.storageName() }

    func hasReceived(from name: String) throws -> Bool {
        try authenticator.store().backing.records.hasReceived(from: name)
    }

    /// A stream that sends one element after every change to the store.
    ///
    /// If the store cannot be opened, the stream ends at once.
    var changes: AsyncStream<Void> {
        authenticator.loggingFailure("Opening the storage", default: AsyncStream { $0.finish() }) {
            try authenticator.store().changes
        }
    }
}

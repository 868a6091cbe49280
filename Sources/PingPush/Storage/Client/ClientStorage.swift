/// What a client works on: whole transactions, whichever storage it was given.
protocol ClientStorage: Sendable {
    /// Whether this is a `CredentialStore`: it has a place for one-time-password credentials as well, and of a
    /// transaction that fails nothing is left.
    var isCredentialStore: Bool { get }
    /// One element after every change that the storage can tell of.
    var changes: AsyncStream<Void> { get }

    /// Calls `body` with a view of at least what `scope` names.
    func read<Value: Sendable>(
        _ scope: StorageScope,
        _ body: @escaping @Sendable (any CredentialReading) throws -> Value
    ) async throws -> Value

    /// Calls `body` with a view that can change what `scope` names; nothing is changed if it throws.
    func write<Value: Sendable>(
        _ scope: StorageScope,
        _ body: @escaping @Sendable (any CredentialWriting) throws -> Value
    ) async throws -> Value
}

/// What a transaction needs to see; credentials and the device token always belong to it.
enum StorageScope: Equatable, Sendable {
    /// No notification.
    case credentials
    /// The notification with an id.
    case notification(String)
    /// The notification with a server's message id.
    case message(String)
    /// The notifications that are not answered.
    case pending
    /// All notifications.
    case everything
}

package import PushBridgeCore

/// Runs a client's transactions on a storage of any kind.
package protocol RecordAccess: Sendable {
    /// Whether the storage is a `CredentialStore`, which stores both kinds of credentials.
    var isCredentialStore: Bool { get }
    var changes: AsyncStream<Void> { get }
    /// Returns a name for the storage; a durable storage has the same name in every process.
    ///
    /// Both APIs use the same name, except for an app's own storage; see ``StorageName``.
    ///
    /// - Throws: The store's errors.
    func storageName() throws -> String

    /// Returns whether a move between stores brought the records of another storage into this storage.
    ///
    /// The call blocks. Clients make this call only if an enrolment of another storage is pending.
    /// - Throws: The store's errors.
    func hasReceived(from name: String) throws -> Bool

    /// Calls `body` with a view.
    /// - Parameters:
    ///   - requests: The records that `body` will request, as far as the caller knows them. A storage without
    ///     transactions loads these records first, and need not call `body` again for each of them.
    ///   - body: Must have no effect outside the view, because it may be called more than once.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body`, ``StoreError``, and the errors of an app's own storage.
    func read<Value: Sendable>(
        _ requests: [RecordRequest],
        _ body: @escaping @Sendable (any CredentialReading) throws -> Value
    ) async throws -> Value

    /// Calls `body` with a view that can change the storage; see ``read(_:_:)``.
    ///
    /// If `body` throws an error, nothing is changed.
    ///
    /// - Throws: The errors of `body`, ``StoreError``, and the errors of an app's own storage.
    func write<Value: Sendable>(
        _ requests: [RecordRequest],
        _ body: @escaping @Sendable (any CredentialWriting) throws -> Value
    ) async throws -> Value
}

package import PushBridgeCore

/// The storage of a client: whole transactions, on any kind of storage.
package protocol RecordAccess: Sendable {
    /// Whether this is a `CredentialStore`, which has a place for every kind of record.
    var isCredentialStore: Bool { get }
    var changes: AsyncStream<Void> { get }
    /// A name of the storage that the next process also finds, and that both APIs have for it.
    ///
    /// - Throws: The store's errors.
    func storageName() throws -> String

    /// Calls `body` with a view.
    /// - Parameters:
    ///   - demands: What `body` will ask for, as far as the caller knows; spares a storage without transactions from
    ///     calling `body` again for each.
    ///   - body: Only uses the view, because it may be called more than once.
    /// - Returns: The result of `body`.
    /// - Throws: What `body` throws, ``StoreError``, and the errors of an app's own storage.
    func read<Value: Sendable>(
        _ demands: [RecordDemand],
        _ body: @escaping @Sendable (any CredentialReading) throws -> Value
    ) async throws -> Value

    /// Does what ``read(_:_:)`` does, with a view that can change the storage; nothing is changed if `body` throws.
    ///
    /// - Throws: What `body` throws, ``StoreError``, and the errors of an app's own storage.
    func write<Value: Sendable>(
        _ demands: [RecordDemand],
        _ body: @escaping @Sendable (any CredentialWriting) throws -> Value
    ) async throws -> Value
}

/// Where credentials, notifications, the device token and the migration ledger live.
///
/// Synchronous and safe to call from any thread, because the legacy API answers synchronously; the async API
/// adapts it. Every implementation passes the same contract suite. Calls do not nest: `body` works with the view
/// it is given and never calls the store.
public protocol CredentialStore: Sendable {
    /// Calls `body` with a consistent view of the store.
    ///
    /// Errors of `body` pass through.
    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value

    /// Calls `body` with a view that can change the store.
    ///
    /// Either everything it wrote is durable when the
    /// call returns, or, if it threw, nothing is.
    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value

    /// One element after every committed change from now on, by whomever the store is shared with.
    ///
    /// Says that something changed, not what; several changes may make one element, and one change two.
    var changes: AsyncStream<Void> { get }
}

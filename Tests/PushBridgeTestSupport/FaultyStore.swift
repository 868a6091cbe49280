public import PushBridgeCore
public import PushBridgePlatform

/// A store that fails from a given operation on, as if the process had died at this operation.
///
/// The transaction that contains this operation is lost.
public final class FaultyStore: CredentialStore, RecordStore {
    /// The process died.
    public struct Fault: Error {}

    private let store: any CredentialStore
    private let budget: Lock<(used: Int, limit: Int)>

    /// Creates a store that fails from operation `limit` on; the first operation has the number 1.
    public init(_ store: any CredentialStore, failingAt limit: Int) {
        self.store = store
        budget = Lock((0, limit))
    }

    /// The backing of the store, which is the store itself.
    public var backing: StoreBacking { StoreBacking(self) }

    /// The number of operations so far, including the operations that failed.
    public var operations: Int { budget.withValue { $0.used } }

    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try store.read { try body($0) }
    }

    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        let value = try store.write { try $0.collecting(admitting: admits, body) }
        // The commit is also an operation.
        try spend()
        return value
    }

    package var changes: AsyncStream<Void> { store.changes }

    private func admits(_ verb: RecordVerb) throws -> Bool {
        try spend()
        return true
    }

    /// Counts one operation of the store or of another part of the process; throws if the process is dead.
    public func spend() throws {
        try budget.withValue { budget in
            budget.used += 1
            if budget.used >= budget.limit { throw Fault() }
        }
    }
}

/// Sends requests through another transport until the process dies.
///
/// The process may die before the request or before the response.
public struct FaultyTransport: PushTransport {
    private let transport: any PushTransport
    private let store: FaultyStore

    /// Creates a transport of the store's process.
    public init(_ transport: any PushTransport, dyingWith store: FaultyStore) {
        (self.transport, self.store) = (transport, store)
    }

    /// Sends a request once.
    public func send(_ request: PushRequest, timeout: Double) async throws -> PushResponse {
        try store.spend()
        let response = try await transport.send(request, timeout: timeout)
        try store.spend()
        return response
    }
}

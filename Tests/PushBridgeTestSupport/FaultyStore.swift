public import PushBridgeCore
public import PushBridgePlatform

/// A store whose n-th operation fails, and every later one, as if the process died there: the transaction around it is
/// lost.
public final class FaultyStore: CredentialStore, RecordStore {
    /// The process died.
    public struct Fault: Error {}

    private let store: any CredentialStore
    private let budget: Lock<(used: Int, limit: Int)>

    /// Creates a store that fails from an operation on, counted from 1.
    public init(_ store: any CredentialStore, failingAt limit: Int) {
        self.store = store
        budget = Lock((0, limit))
    }

    /// The store itself.
    public var backing: StoreBacking { StoreBacking(self) }

    /// How many operations there were.
    public var operations: Int { budget.withValue { $0.used } }

    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try store.read { try body($0) }
    }

    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        let value = try store.write { try $0.collecting(admitting: admits, body) }
        // The commit.
        try spend()
        return value
    }

    package var changes: AsyncStream<Void> { store.changes }

    private func admits(_ verb: RecordVerb) throws -> Bool {
        try spend()
        return true
    }

    /// Counts one operation of the store or of another part of the process.
    public func spend() throws {
        try budget.withValue { budget in
            budget.used += 1
            if budget.used >= budget.limit { throw Fault() }
        }
    }
}

/// Sends through another transport while the process lives: it may die before the request, and before the answer.
public struct FaultyTransport: PushTransport {
    private let transport: any PushTransport
    private let store: FaultyStore

    /// Creates a transport of the process that a store belongs to.
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

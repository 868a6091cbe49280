import Dispatch
package import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore

/// Works on a `CredentialStore` for async callers: runs the blocking transactions on dedicated Dispatch threads, never on the
/// few threads that Swift's tasks share.
///
/// At most one thread writes to a store, and ``Lane/readers`` threads read it; all other calls wait without a thread.
/// So a hundred callers that wait for a locked database block only one thread, and do not delay readers or callers of
/// other stores.
package struct StoreAccess: RecordAccess {
    /// The calls of the process that wait or run.
    private static let lanes = Lock<[Lane: Calls]>([:])
    private let store: any CredentialStore

    package init(_ store: any CredentialStore) {
        self.store = store
    }

    package var isCredentialStore: Bool { true }
    package func storageName() throws -> String { try store.backing.records.storageName() }
    package var changes: AsyncStream<Void> { store.changes }

    package func read<Value: Sendable>(
        _ demands: [RecordDemand] = [],
        _ body: @escaping @Sendable (any CredentialReading) throws -> Value
    ) async throws -> Value {
        let records = store.backing.records
        return try await Self.pass(Lane(records, isWriting: false)) { try records.read(body) }
    }

    package func write<Value: Sendable>(
        _ demands: [RecordDemand] = [],
        _ body: @escaping @Sendable (any CredentialWriting) throws -> Value
    ) async throws -> Value {
        let records = store.backing.records
        return try await Self.pass(Lane(records, isWriting: true)) { try records.write(body) }
    }

    /// Works on ``StandardStore``.
    /// - Throws: ``StoreError`` if it cannot be opened.
    package static func standard() async throws -> StoreAccess {
        StoreAccess(try await pass(Lane(nil, isWriting: true)) { try StandardStore.open() })
    }

    private static func pass<Value: Sendable>(
        _ lane: Lane,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        // A throwing continuation would wrap its error in another one of type `any Error`.
        let result = await withCheckedContinuation { continuation in
            let needsThread = lanes.withValue { lanes in
                lanes[lane, default: Calls()].add(
                    { continuation.resume(returning: Result(catching: body)) },
                    to: lane
                )
            }
            guard needsThread else { return }
            // A serial queue gets a thread beside those that the tasks of the process share.
            DispatchQueue(label: "PushBridge.store", qos: .userInitiated).async {
                while let call = next(in: lane) { call() }
            }
        }
        return try result.get()
    }

    private static func next(in lane: Lane) -> Call? {
        lanes.withValue { lanes in
            if let call = lanes[lane]?.next() { return call }
            if lanes[lane]?.threads == 0 { lanes[lane] = nil }
            return nil
        }
    }
}

private typealias Call = @Sendable () -> Void

/// The calls to one store that wait for the same threads.
private struct Lane: Hashable {
    /// The maximum number of threads that read a store concurrently, as many as a database has connections for readers.
    static let readers = 5

    private let store: ObjectIdentifier?
    private let isWriting: Bool

    init(_ store: (any RecordStore)?, isWriting: Bool) {
        self.store = store.flatMap { type(of: $0) is AnyClass ? ObjectIdentifier($0 as AnyObject) : nil }
        self.isWriting = isWriting
    }

    /// The most threads that serve the lane.
    var width: Int { isWriting ? 1 : Self.readers }
}

/// What waits in a lane, oldest first, and how many threads serve it.
private struct Calls {
    private var waiting: [Call] = []
    private var first = 0
    private(set) var threads = 0

    /// Lets a call wait.
    /// - Returns: Whether the lane needs another thread.
    mutating func add(_ call: @escaping Call, to lane: Lane) -> Bool {
        waiting.append(call)
        guard threads < lane.width else { return false }
        threads += 1
        return true
    }

    /// The call that waited longest; `nil` gives the thread back.
    mutating func next() -> Call? {
        guard first < waiting.count else {
            threads -= 1
            waiting = []
            first = 0
            return nil
        }
        defer { first += 1 }
        return waiting[first]
    }
}

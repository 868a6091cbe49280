import Dispatch
package import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore

/// Provides a `CredentialStore` to async callers.
///
/// The blocking transactions run on dedicated Dispatch threads, and never on the few threads that Swift's
/// tasks share.
///
/// At most one thread writes to a store, and at most ``Lane/readers`` threads read the store. All other calls
/// wait without a thread. So if a hundred callers want to write to a locked database, they block only one
/// thread. They do not delay readers, or callers of other stores.
package struct StoreAccess: RecordAccess {
    /// The waiting and running calls of this process, by lane.
    private static let lanes = Lock<[Lane: Calls]>([:])
    private let store: any CredentialStore

    package init(_ store: any CredentialStore) {
        self.store = store
    }

    package var isCredentialStore: Bool { true }
    package func storageName() throws -> String { try store.backing.records.storageName() }
    package func hasReceived(from name: String) throws -> Bool {
        try store.backing.records.hasReceived(from: name)
    }
    package var changes: AsyncStream<Void> { store.changes }

    // The protocol passes a list of the requested records, which an app's own storage needs. A store reads records
    // during the transaction, so the methods below ignore the list.

    package func read<Value: Sendable>(
        _: [RecordRequest],
        _ body: @escaping @Sendable (any CredentialReading) throws -> Value
    ) async throws -> Value {
        let records = store.backing.records
        return try await Self.pass(Lane(records, isWriting: false)) { try records.read(body) }
    }

    package func write<Value: Sendable>(
        _: [RecordRequest],
        _ body: @escaping @Sendable (any CredentialWriting) throws -> Value
    ) async throws -> Value {
        let records = store.backing.records
        return try await Self.pass(Lane(records, isWriting: true)) { try records.write(body) }
    }

    /// Opens ``StandardStore``.
    /// - Throws: ``StoreError`` if the store cannot be opened.
    package static func standard() async throws -> StoreAccess {
        StoreAccess(try await pass(Lane(nil, isWriting: true)) { try StandardStore.open() })
    }

    private static func pass<Value: Sendable>(
        _ lane: Lane,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        // The continuation returns a `Result`, because a throwing continuation would box the error in another
        // `any Error`.
        let result = await withCheckedContinuation { continuation in
            let needsThread = lanes.withValue { lanes in
                lanes[lane, default: Calls()].add(
                    { continuation.resume(returning: Result(catching: body)) },
                    to: lane
                )
            }
            guard needsThread else { return }
            // A serial queue runs on a thread of its own, not on the threads that Swift's tasks share.
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

/// Identifies the calls that wait for the same threads: the calls that read a store, or the calls that write to it.
private struct Lane: Hashable {
    /// The maximum number of threads that read a store concurrently.
    ///
    /// A database has the same number of connections for readers.
    static let readers = 5

    private let store: ObjectIdentifier?
    private let isWriting: Bool

    init(_ store: (any RecordStore)?, isWriting: Bool) {
        self.store = store.flatMap { type(of: $0) is AnyClass ? ObjectIdentifier($0 as AnyObject) : nil }
        self.isWriting = isWriting
    }

    /// The maximum number of threads that run the lane's calls.
    var width: Int { isWriting ? 1 : Self.readers }
}

/// The waiting calls of a lane, oldest first, and the number of threads that run the lane's calls.
private struct Calls {
    private var waiting: [Call] = []
    private var first = 0
    private(set) var threads = 0

    /// Adds a call to the queue.
    /// - Returns: Whether the lane needs another thread.
    mutating func add(_ call: @escaping Call, to lane: Lane) -> Bool {
        waiting.append(call)
        guard threads < lane.width else { return false }
        threads += 1
        return true
    }

    /// Removes and returns the oldest waiting call; `nil` if no call is waiting: the calling thread then has to end.
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

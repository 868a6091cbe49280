import Foundation

/// Guards a value with a lock; what changes in any `Sendable` class of the package is held by one.
///
/// The lock is `NSLock` because `Mutex` needs iOS 18. A lock that guards no value of its own holds a number: one
/// without a size has the address of the lock itself, which Thread Sanitizer takes for a race.
package final class Lock<Value>: @unchecked Sendable {
    // Every access to `value` happens while `lock` is held.
    private var value: Value
    private let lock = NSLock()

    package init(_ value: Value) {
        self.value = value
    }

    /// Calls `body` with the value while no other thread can.
    package func withValue<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// Runs async work one after the other, in the order of asking, in tasks of its own.
package final class SerialQueue: Sendable {
    private let last = Lock<Task<Void, Never>?>(nil)

    package init() {}

    /// Asks at once.
    /// - Parameter body: The work.
    /// - Returns: The work to wait for; who cancels it cancels what it does.
    package func enqueue<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        last.withValue { last in
            let previous = last
            let work = Task {
                await previous?.value
                return try await body()
            }
            last = Task { _ = await work.result }
            return work
        }
    }
}

/// Tells listeners that something changed, never what; a slow listener hears once of many changes.
package final class ChangeSignal: Sendable {
    private let listeners = Lock<[UUID: AsyncStream<Void>.Continuation]>([:])

    package init() {}

    /// One element after every change from now on, until the stream is dropped.
    package func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let id = UUID()
        continuation.onTermination = { [weak self] _ in self?.remove(id) }
        listeners.withValue { $0[id] = continuation }
        return stream
    }

    package func send() {
        for listener in listeners.withValue({ Array($0.values) }) { listener.yield() }
    }

    private func remove(_ id: UUID) {
        // The last reference may go here; its end must not ask for the lock again.
        let removed = listeners.withValue { $0.removeValue(forKey: id) }
        _ = removed
    }
}

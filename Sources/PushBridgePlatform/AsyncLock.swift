/// Runs async operations one after another, in the order of the calls; each operation runs in the task of its
/// caller.
package final class AsyncLock: Sendable {
    private let state = Lock(State())

    package init() {}

    /// Runs `body` after the operations of all earlier calls have ended.
    package func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        await begin()
        defer { end() }
        return try await body()
    }

    private func begin() async {
        if state.withValue({ $0.takeIfFree() }) { return }
        await withCheckedContinuation { continuation in
            let isFree = state.withValue { state in
                if state.takeIfFree() { return true }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func end() {
        // The lock is passed to the next caller without being released.
        let next = state.withValue { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }

    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func takeIfFree() -> Bool {
            guard !isTaken else { return false }
            isTaken = true
            return true
        }
    }
}

/// Runs async operations one after another, in the order of the calls, in separate tasks.
package final class SerialQueue: Sendable {
    private let last = Lock<Task<Void, Never>?>(nil)

    package init() {}

    /// Adds work to the queue immediately.
    /// - Parameter body: The work.
    /// - Returns: The task to wait for; cancelling the task cancels the work.
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

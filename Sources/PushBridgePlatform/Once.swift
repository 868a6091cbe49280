package import Dispatch

/// Calls a handler once, with the first result.
///
/// The handlers of an app and of the system are not `@Sendable`. Calling them on another thread is safe here: each
/// handler is called only once, and the lock synchronises the memory that the handler captured.
package final class Once<Value: Sendable>: Sendable {
    private let state: Lock<(handler: ((Value) -> Void)?, timer: Task<Void, Never>?)>
    private let queue: DispatchQueue?

    /// Wraps a handler, which is called on `queue` or, without a queue, on the thread that passes the value.
    package init(on queue: DispatchQueue? = nil, _ handler: @escaping (Value) -> Void) {
        state = Lock((handler, nil))
        self.queue = queue
    }

    /// Calls the handler, unless it has already been called.
    package func callAsFunction(_ value: Value) {
        guard let queue else { return call(value) }
        queue.async { self.call(value) }
    }

    /// Calls the handler with `value` after `time` on a clock, unless it has already been called.
    package func callAsFunction(_ value: Value, after time: Duration, on clock: any Clock<Duration>) {
        let timer = Task {
            do {
                try await clock.sleep(for: time)
                self(value)
            } catch {
                // The sleep was cancelled, because the handler was called.
            }
        }
        state.withValue { state in
            if state.handler == nil { timer.cancel() } else { state.timer = timer }
        }
    }

    private func call(_ value: Value) {
        let (handler, timer) = state.withValue { state in
            defer { state = (nil, nil) }
            return state
        }
        timer?.cancel()
        handler?(value)
    }
}

/// Runs `body`, which may block, on a background thread, because the threads of tasks must not block.
/// - Returns: The value of `body`, or its error.
package func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async -> Result<Value, any Error> {
    await withCheckedContinuation { continuation in
        DispatchQueue.global(qos: .utility).async { continuation.resume(returning: Result(catching: body)) }
    }
}

/// Returns the value of `body`, or `late` if `body` takes longer than `time`; a late `body` continues to run.
package func outcome<Value: Sendable>(
    within time: Duration,
    on clock: any Clock<Duration>,
    or late: Value,
    _ body: @escaping @Sendable () async -> Value
) async -> Value {
    await withCheckedContinuation { continuation in
        let once = Once<Value> { continuation.resume(returning: $0) }
        once(late, after: time, on: clock)
        Task { once(await body()) }
    }
}

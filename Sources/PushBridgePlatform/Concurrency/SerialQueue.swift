/// Runs async work one after the other, in the order of asking.
///
/// Work that was begun ends, also if the task that asked is cancelled: half a transaction helps nobody.
package final class SerialQueue: Sendable {
    private let last = Lock<Task<Void, Never>?>(nil)

    package init() {}

    package func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await enqueue(body).value
    }

    /// Asks at once, and answers the work to wait for; who cancels it cancels what it does.
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

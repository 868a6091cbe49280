/// Lets operations happen one after the other, in the order of their calls, each to its end.
final class Turns: Sendable {
    private let last = Lock<Task<Void, Never>?>(nil)

    func perform<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value
    {
        let turn = last.withValue { last in
            let turn = Task { [previous = last] in
                await previous?.value
                return try await body()
            }
            last = Task { _ = await turn.result }
            return turn
        }
        return try await turn.value
    }
}

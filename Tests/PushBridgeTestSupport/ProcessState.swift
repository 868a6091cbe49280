public import Testing

/// Serialises tests that use or change state of the process, across all suites: the URL session, interceptors, the log,
/// the client of the legacy API, local authentication.
public struct ProcessState: SuiteTrait, TestTrait, TestScoping {
    /// The suite's tests get the trait.
    public var isRecursive: Bool { true }

    /// Runs a test after all tests that were waiting earlier.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        await Turn.shared.begin()
        do {
            try await function()
        } catch {
            await Turn.shared.end()
            throw error
        }
        await Turn.shared.end()
    }
}

extension Trait where Self == ProcessState {
    /// The test uses or changes process-wide state.
    public static var processState: Self { ProcessState() }
}

/// Whose turn it is; those that wait are served in the order of asking.
private actor Turn {
    static let shared = Turn()
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func end() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}

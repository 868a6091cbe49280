public import Testing

/// Serialises tests that use or change the state of the process.
///
/// Tests of different suites are serialised, too. The state consists of the URL session, the interceptors,
/// the log, the client of the legacy API, and local authentication.
public struct ProcessState: SuiteTrait, TestTrait, TestScoping {
    /// Whether the trait applies to each test of a suite.
    public var isRecursive: Bool { true }

    /// Runs a test after all tests that requested their turn earlier.
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
    /// Marks a test that uses or changes the state of the process.
    public static var processState: Self { ProcessState() }
}

/// Makes the tests run in the order of their requests.
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

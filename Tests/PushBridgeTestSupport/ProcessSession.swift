import PushBridgePlatform
public import Testing

/// Lets tests that use or change the URL session of the process take turns, whatever suites they are in.
public struct ProcessSession: SuiteTrait, TestTrait, TestScoping {
    private static let turns = Turns()

    /// The suite's tests get the trait.
    public var isRecursive: Bool { true }

    /// Runs a test when those that asked before have ended.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.turns.run(function)
    }
}

extension Trait where Self == ProcessSession {
    /// The test uses or changes the URL session of the process.
    public static var processSession: Self { ProcessSession() }
}

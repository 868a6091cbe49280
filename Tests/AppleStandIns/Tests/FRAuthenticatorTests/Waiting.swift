public import Dispatch
public import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What a test waited for and what did not come, though a busy machine had time enough for it.
public struct WaitedInVain: Error, CustomStringConvertible {
    /// How long a test waits for what this process does.
    public static let seconds = 120
    /// How long a test waits for another process.
    public static let secondsOfProcess = 600

    private let what: String

    init(_ what: String) {
        self.what = what
    }

    /// One sentence for a human.
    public var description: String { "The test waited in vain for \(what)." }
}

/// Waits until something is so.
/// - Parameters:
///   - what: What is waited for, as in "the server to be asked".
///   - seconds: How long; longer for what another process does.
///   - isolation: The caller's.
///   - isSo: Whether it is so; asked again and again.
/// - Throws: ``WaitedInVain`` when the time is over, and what `isSo` throws.
public func waitFor(
    _ what: String,
    seconds: Int = WaitedInVain.seconds,
    isolation: isolated (any Actor)? = #isolation,
    _ isSo: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while try await !isSo() {
        guard ContinuousClock.now < end else { throw WaitedInVain(what) }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Makes a call and waits for its callback.
/// - Parameters:
///   - what: What is waited for, as in "the completion handler".
///   - isolation: The caller's.
///   - ask: Makes the call, and hands on what its callback tells.
/// - Returns: What the callback tells.
/// - Throws: ``WaitedInVain`` after two minutes, and what `ask` throws.
public func waitForCall<Value: Sendable>(
    _ what: String,
    isolation: isolated (any Actor)? = #isolation,
    _ ask: (@escaping @Sendable (Value) -> Void) throws -> Void
) async throws -> Value {
    let awaited = Awaited<Value>()
    try ask { value in
        if !awaited.come(value) {
            Issue.record("There were two calls where the test waits for one: \(what).")
        }
    }
    return try await awaited.value(what)
}

/// A value that comes from any thread, for one task that waits.
public final class Awaited<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: CheckedContinuation<Value?, Never>?
    }

    private let state = Guarded(State())

    /// Nothing has come yet.
    public init() {}

    /// Lets the value come; a later one does not count.
    /// - Returns: Whether it is the first.
    @discardableResult
    public func come(_ value: Value) -> Bool {
        let (isFirst, waiting) = state.withValue { state in
            let isFirst = state.value == nil
            if isFirst { state.value = value }
            defer { state.waiting = nil }
            return (isFirst, state.waiting)
        }
        waiting?.resume(returning: value)
        return isFirst
    }

    /// Waits for the value.
    /// - Parameter what: What is waited for, as in "the completion handler".
    /// - Returns: The value.
    /// - Throws: ``WaitedInVain`` after two minutes.
    public func value(_ what: String) async throws -> Value {
        let limit = Task {
            try await Task.sleep(for: .seconds(WaitedInVain.seconds))
            giveUp()
        }
        defer { limit.cancel() }
        let value = await withCheckedContinuation { waiting in
            let value = state.withValue { state in
                if state.value == nil { state.waiting = waiting }
                return state.value
            }
            if let value { waiting.resume(returning: value) }
        }
        guard let value else { throw WaitedInVain(what) }
        return value
    }

    private func giveUp() {
        let waiting = state.withValue { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }
}

/// Hears what a stream tells, for as long as it is kept.
public final class Listener<Element: Sendable>: Sendable {
    private let state = Guarded((heard: [Element](), isOver: false))
    private let listening: Task<Void, Never>

    /// Begins to listen.
    public init(_ stream: AsyncStream<Element>) {
        let state = state
        listening = Task {
            for await element in stream { state.withValue { $0.heard.append(element) } }
            state.withValue { $0.isOver = true }
        }
    }

    deinit { listening.cancel() }

    /// What the stream has told.
    public var heard: [Element] { state.withValue(\.heard) }
    /// Whether the stream has ended.
    public var isOver: Bool { state.withValue(\.isOver) }
}

extension DispatchSemaphore {
    /// Waits for a signal.
    /// - Parameter what: What is waited for, as in "the other thread to end".
    /// - Throws: ``WaitedInVain`` after two minutes.
    public func wait(for what: String) throws {
        guard wait(timeout: .now() + .seconds(WaitedInVain.seconds)) == .success else {
            throw WaitedInVain(what)
        }
    }
}

extension Process {
    /// Waits until the process has ended.
    /// - Parameters:
    ///   - what: What is waited for, as in "the command to end".
    ///   - look: Is called again and again meanwhile.
    /// - Throws: ``WaitedInVain`` after ten minutes, when the process is killed, and what `look` throws.
    public func waitForEnd(_ what: String, _ look: () throws -> Void = {}) throws {
        let end = ContinuousClock.now + .seconds(WaitedInVain.secondsOfProcess)
        while isRunning {
            try look()
            guard ContinuousClock.now < end else {
                kill(processIdentifier, SIGKILL)
                throw WaitedInVain(what)
            }
            Thread.sleep(forTimeInterval: 0.002)
        }
    }
}

public import Dispatch
public import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An awaited event did not occur within the timeout.
///
/// The timeout is long enough for a busy machine.
public struct WaitedInVain: Error, CustomStringConvertible {
    /// The timeout for events in this process.
    public static let seconds = 120
    /// The timeout for another process.
    public static let secondsOfProcess = 600

    private let what: String

    init(_ what: String) {
        self.what = what
    }

    /// The error as a sentence.
    public var description: String { "The test timed out while it waited for \(what)." }
}

/// Waits until a condition is true.
/// - Parameters:
///   - what: The awaited event, for example "the server to receive a request".
///   - seconds: The timeout; use a longer timeout for events in another process.
///   - isolation: The isolation of the caller.
///   - condition: The condition, which is checked repeatedly.
/// - Throws: ``WaitedInVain`` after the timeout, and the errors of `condition`.
public func waitFor(
    _ what: String,
    seconds: Int = WaitedInVain.seconds,
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while try await !condition() {
        guard ContinuousClock.now < end else { throw WaitedInVain(what) }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Makes a call and waits for its callback.
/// - Parameters:
///   - what: The awaited event, for example "the completion handler".
///   - isolation: The isolation of the caller.
///   - ask: Makes the call and passes on the value of its callback.
/// - Returns: The value of the callback.
/// - Throws: ``WaitedInVain`` after two minutes, and the errors of `ask`.
public func waitForCall<Value: Sendable>(
    _ what: String,
    isolation: isolated (any Actor)? = #isolation,
    _ ask: (@escaping @Sendable (Value) -> Void) throws -> Void
) async throws -> Value {
    let awaited = Awaited<Value>()
    try ask { value in
        if !awaited.provide(value) {
            Issue.record("The callback was called twice: \(what).")
        }
    }
    return try await awaited.value(what)
}

/// A value that any thread can provide, and for which one task waits.
public final class Awaited<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: CheckedContinuation<Value?, Never>?
    }

    private let state = Guarded(State())

    /// Creates an instance without a value.
    public init() {}

    /// Provides the value; later values are ignored.
    /// - Returns: Whether this is the first value.
    @discardableResult
    public func provide(_ value: Value) -> Bool {
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
    /// - Parameter what: The awaited event, for example "the completion handler".
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

/// Stores the elements of a stream for as long as this object exists.
public final class Listener<Element: Sendable>: Sendable {
    private let state = Guarded((received: [Element](), isOver: false))
    private let listening: Task<Void, Never>

    /// Begins to listen.
    public init(_ stream: AsyncStream<Element>) {
        let state = state
        listening = Task {
            for await element in stream { state.withValue { $0.received.append(element) } }
            state.withValue { $0.isOver = true }
        }
    }

    deinit { listening.cancel() }

    /// The elements received so far.
    public var received: [Element] { state.withValue(\.received) }
    /// Whether the stream has ended.
    public var isOver: Bool { state.withValue(\.isOver) }
}

extension DispatchSemaphore {
    /// Waits for a signal.
    /// - Parameter what: The awaited event, for example "the other thread to end".
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
    ///   - what: The awaited event, for example "the command to end".
    ///   - look: Called repeatedly while the process runs.
    /// - Throws: ``WaitedInVain`` after ten minutes (the process is then killed), and the errors of `look`.
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

import Dispatch
import Foundation

/// Records the calls that an object of the app receives, each with its thread.
///
/// On Linux, the main queue, on which the main actor runs, can run on a thread other than the main thread. So a call on
/// the main queue counts as a call on the main thread.
nonisolated final class CallLog: @unchecked Sendable {
    private let lock = NSLock()
    private var calls: [(name: String, isOnMain: Bool)] = []
    private static let mainQueue = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    init() { _ = Self.mainQueue }

    /// Adds a call on the current thread.
    func record(_ name: String = #function) {
        let isOnMain = Thread.isMainThread || DispatchQueue.getSpecific(key: Self.mainQueue) != nil
        lock.withLock { calls.append((name, isOnMain)) }
    }

    /// The names of the calls on the main thread.
    var onMain: Set<String> { names(true) }
    /// The names of the calls on other threads.
    var elsewhere: Set<String> { names(false) }

    private func names(_ isOnMain: Bool) -> Set<String> {
        lock.withLock { Set(calls.filter { $0.isOnMain == isOnMain }.map(\.name)) }
    }
}

/// Runs `body` on a background thread, and returns its result.
nonisolated func inBackground<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
}

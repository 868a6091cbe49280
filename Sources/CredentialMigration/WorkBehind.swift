import Dispatch
import PushBridgePlatform

/// Runs pieces of work in order on another thread while the caller goes on.
///
/// One runs and one waits at most, so that what they hold stays bounded. Proofs behind save a migration of many records a
/// quarter of its time on two cores; on a phone's few records neither gains nor loses.
final class WorkBehind: Sendable {
    private let queue = DispatchQueue(label: "WorkBehind")
    private let free = DispatchSemaphore(value: 0)
    private let failure = Lock<(any Error)?>(nil)

    init() {
        // Signalled, not created with: a semaphore may not end below the value it was created with.
        free.signal()
        free.signal()
    }

    /// Hands over a piece of work; throws what an earlier one threw.
    func submit(_ work: @escaping @Sendable () throws -> Void) throws {
        free.wait()
        queue.async { [free, failure] in
            defer { free.signal() }
            guard failure.withValue({ $0 }) == nil else { return }
            do {
                try work()
            } catch {
                failure.withValue { $0 = error }
            }
        }
        try check()
    }

    /// Waits for all work; throws what it threw.
    func finish() throws {
        queue.sync {}
        try check()
    }

    private func check() throws {
        if let error = failure.withValue({ $0 }) { throw error }
    }
}

import Foundation
import PushBridgeTestSupport

/// A clock for sleeping tasks.
///
/// Only the test advances the clock.
package final class TestClock: Clock {
    package struct Instant: InstantProtocol {
        var offset: Duration = .zero

        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private struct State {
        var now = Instant()
        var sleepers: [UUID: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    private let state = Guarded(State())

    package init() {}

    package var now: Instant { state.withValue(\.now) }
    package var minimumResolution: Duration { .zero }
    /// The number of sleeping tasks.
    package var sleepers: Int { state.withValue(\.sleepers.count) }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withValue { $0.sleepers[id] = (deadline, continuation) }
                // If the task was cancelled before this call, its cancellation handler has already run and
                // has not woken any task.
                if Task.isCancelled { wake(id, throwing: true) }
                if deadline <= now { wake(id) }
            }
        } onCancel: {
            wake(id, throwing: true)
        }
    }

    package func advance(by duration: Duration) {
        let due = state.withValue { state in
            state.now = state.now.advanced(by: duration)
            return state.sleepers.filter { $0.value.deadline <= state.now }.map(\.key)
        }
        for id in due { wake(id) }
    }

    private func wake(_ id: UUID, throwing: Bool = false) {
        let sleeper = state.withValue { $0.sleepers.removeValue(forKey: id) }
        if throwing {
            sleeper?.continuation.resume(throwing: CancellationError())
        } else {
            sleeper?.continuation.resume()
        }
    }
}

import PushBridgePlatform

/// The app's switch for the steps of a migration, for example a remote setting.
///
/// Reading accounts, answering pushes and enrolling never wait for a gate.
public struct MigrationGate: Sendable {
    /// The step about which the app decides.
    ///
    /// Later versions may add steps.
    public enum Step: String, CaseIterable, Codable, Sendable {
        /// Importing the legacy records into the store.
        case apply
        /// Removing proven records from the legacy store.
        case retire
        /// Before the move: converting and proving the records in memory, without writing.
        case rehearse
        /// After the move: comparing the legacy records with the store, without writing.
        case compare

        /// Whether the step only reads, and changes neither store.
        var isCheck: Bool { self == .rehearse || self == .compare }
    }

    /// The app's answer.
    public enum Answer: String, CaseIterable, Codable, Sendable {
        /// The step may run now.
        case go
        /// The step may run now, even if the guard blocks it after attempts without an outcome.
        case retry
        /// The step must not run now; the gate is queried again at the next start.
        case wait
        /// The step must not run in this release.
        case off

        /// Whether the step may run.
        public var isAllowed: Bool { self == .go || self == .retry }
    }

    private let timeout: Duration
    private let ask: @Sendable (Step) async -> Answer
    private let last = LastAnswers()

    /// Creates a gate.
    /// - Parameters:
    ///   - timeout: The time within which the app must answer. If there is no answer in time, the app's last
    ///     answer is used; if there is no last answer, ``Answer/wait`` is used. A ``MigrationRollout`` stores
    ///     the last answers; a gate alone keeps them only while the process runs.
    ///   - ask: Returns the app's answer; called on any thread, once each time a step is due. After the
    ///     timeout, the call is cancelled, and the gate does not wait for its end.
    public init(timeout: Duration = .seconds(10), ask: @escaping @Sendable (Step) async -> Answer) {
        self.timeout = timeout
        self.ask = ask
    }

    /// Returns the app's answer for a step.
    ///
    /// If the app does not answer in time, returns its last answer or, if there is none, ``Answer/wait``.
    /// - Parameter step: The step.
    /// - Returns: The answer.
    public func answer(to step: Step) async -> Answer {
        guard let answer = await answerInTime(to: step) else { return last.answer(to: step) ?? .wait }
        last.record(answer, to: step)
        return answer
    }

    /// Returns the app's answer for a step; returns `nil` if the app does not answer in time.
    func answerInTime(to step: Step) async -> Answer? {
        let asking = Task { [ask] in await ask(step) }
        defer { asking.cancel() }
        return await asking.value(within: timeout)
    }

    /// The answers that were given during this process.
    private final class LastAnswers: Sendable {
        private let answers = Lock<[Step: Answer]>([:])

        func answer(to step: Step) -> Answer? { answers.withValue { $0[step] } }
        func record(_ answer: Answer, to step: Step) { answers.withValue { $0[step] = answer } }
    }
}

extension Task where Failure == Never {
    /// Returns the task's value; returns `nil` if the task takes longer than `time`, or if the caller is
    /// cancelled first.
    ///
    /// After the timeout, the task continues. A task group is not used, because it would wait for closures
    /// that ignore cancellation.
    func value(within time: Duration) async -> Success? {
        let (values, continuation) = AsyncStream<Success?>.makeStream()
        let waiting = [
            Task<Void, Never> { continuation.yield(await value) },
            Task<Void, Never> {
                do {
                    try await Task<Never, Never>.sleep(for: time)
                    continuation.yield(nil)
                } catch {}
            },
        ]
        defer { for task in waiting { task.cancel() } }
        for await first in values { return first }
        return nil
    }
}

import PushBridgePlatform

/// Asks the app whether a migration may do something, so that a remote switch can hold it back.
///
/// A gate blocks only migration steps: reading, answering and enrolling never wait for it.
public struct MigrationGate: Sendable {
    /// The step that the app decides about; later versions may add steps.
    public enum Step: String, CaseIterable, Codable, Sendable {
        /// Bringing the legacy records into the store.
        case apply
        /// Removing proven records from the legacy store.
        case retire
        /// Before the records move: converting and proving them in memory, without writing.
        case rehearse
        /// After the records moved: comparing the legacy records with the store, without writing.
        case compare

        /// Whether the step only reads.
        var isCheck: Bool { self == .rehearse || self == .compare }
    }

    /// The app's answer.
    public enum Answer: String, CaseIterable, Codable, Sendable {
        /// It may be done now.
        case go
        /// It may be done now, also where the guard holds it back after attempts that ended without an outcome.
        case retry
        /// Not now; the gate is evaluated again at the next start.
        case wait
        /// Not with this release.
        case off

        /// Whether the step may be taken.
        public var lets: Bool { self == .go || self == .retry }
    }

    private let timeout: Duration
    private let ask: @Sendable (Step) async -> Answer
    private let last = LastAnswers()

    /// Creates a gate.
    /// - Parameters:
    ///   - timeout: How long the app may take to answer; after that its last answer counts, and without one it is
    ///     ``Answer/wait``. A ``MigrationRollout`` remembers answers durably; alone, a gate remembers those of the process.
    ///   - ask: Asks the app; called on no particular thread, once for each time a step is due. It is cancelled when the
    ///     time is over, and not waited for.
    public init(timeout: Duration = .seconds(10), ask: @escaping @Sendable (Step) async -> Answer) {
        self.timeout = timeout
        self.ask = ask
    }

    /// The app's answer to a step, or its last one if it does not answer in time.
    /// - Parameter step: The step.
    /// - Returns: The answer.
    public func answer(to step: Step) async -> Answer {
        guard let answer = await answerInTime(to: step) else { return last.answer(to: step) ?? .wait }
        last.record(answer, to: step)
        return answer
    }

    /// The app's answer to a step; `nil` if it does not answer in time.
    func answerInTime(to step: Step) async -> Answer? {
        let asking = Task { [ask] in await ask(step) }
        defer { asking.cancel() }
        return await asking.value(within: timeout)
    }

    /// The answers of this process.
    private final class LastAnswers: Sendable {
        private let answers = Lock<[Step: Answer]>([:])

        func answer(to step: Step) -> Answer? { answers.withValue { $0[step] } }
        func record(_ answer: Answer, to step: Step) { answers.withValue { $0[step] = answer } }
    }
}

extension Task where Failure == Never {
    /// The task's value; `nil` if it takes longer than a time, or the caller is cancelled before.
    ///
    /// Waits for nothing else: a task group would wait for closures that ignore a cancellation. The task continues.
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

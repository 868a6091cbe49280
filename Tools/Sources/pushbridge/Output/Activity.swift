import PushBridgeCommandLine

/// Says on stderr what a command is doing, while it waits for others.
///
/// Nothing appears in the first second, and then as ``ProgressBar`` has it; what a person has to do appears at once.
actor Activity {
    private let bar = ProgressBar()
    private var words: String?
    /// How often the same was shown.
    private var repetitions = 0

    /// Names what is being done from now on.
    func tell(_ words: String) {
        (self.words, repetitions) = (words, 0)
        bar.show(words: words)
    }

    /// Says what a person has to do.
    func say(_ sentence: String) {
        bar.finish()
        Terminal.diagnose("\(sentence)\n")
    }

    /// Shows what is being done while `body` runs, also while that waits.
    nonisolated func during<Value>(_ body: () async throws -> Value) async throws -> Value {
        let ticking = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(500))
                await show()
            }
        }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        ticking.cancel()
        await finish()
        return try result.get()
    }

    private func show() {
        // A log need not repeat the same line; a line of a terminal is there until it is drawn again.
        repetitions += 1
        if let words, repetitions < 6 || Terminal.isErrorInteractive { bar.show(words: words) }
    }

    private func finish() {
        words = nil
        bar.finish()
    }
}

/// Reports on stderr what a command is doing while it waits for others.
///
/// Nothing appears in the first second; then the output is like that of ``ProgressBar``. Instructions for the user appear at
/// once.
package actor Activity {
    private let bar: ProgressBar
    private var words: String?
    /// How often the same text was shown.
    private var repetitions = 0

    package init() { bar = ProgressBar() }

    /// Sets the text for the current action.
    package func tell(_ words: String) {
        (self.words, repetitions) = (words, 0)
        bar.show(words: words)
    }

    /// Prints an instruction for the user.
    package func say(_ sentence: String) {
        bar.finish()
        Terminal.diagnose("\(sentence)\n")
    }

    /// Shows the current action while `body` runs or waits.
    package nonisolated func during<Value>(_ body: () async throws -> Value) async throws -> Value {
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
        // A log must not repeat the same line; a terminal line stays until it is redrawn.
        repetitions += 1
        if let words, repetitions < 6 || Terminal.isErrorInteractive { bar.show(words: words) }
    }

    private func finish() {
        words = nil
        bar.finish()
    }
}

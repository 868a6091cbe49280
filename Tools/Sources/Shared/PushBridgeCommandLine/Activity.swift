/// Reports on stderr what a command is doing while it waits.
///
/// The report appears after one second, in the form of ``ProgressBar``. Instructions for the user appear immediately.
package actor Activity {
    private let bar: ProgressBar
    private var words: String?
    /// The number of times that the current text was due to be shown again.
    private var repetitions = 0

    package init() { bar = ProgressBar() }

    /// Sets the description of the current action.
    package func show(_ words: String) {
        (self.words, repetitions) = (words, 0)
        bar.show(words: words)
    }

    /// Prints an instruction for the user.
    package func notify(_ sentence: String) {
        bar.finish()
        Terminal.diagnose("\(sentence)\n")
    }

    /// Shows the current action while `body` runs.
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
        // A log keeps every line, so the current text is repeated there at most five times. A terminal redraws its
        // line, so the text can be shown again and again.
        repetitions += 1
        if let words, repetitions < 6 || Terminal.isErrorInteractive { bar.show(words: words) }
    }

    private func finish() {
        words = nil
        bar.finish()
    }
}

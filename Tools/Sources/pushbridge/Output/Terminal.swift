import CredentialMigration
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// The two streams of a command: results on stdout, diagnostics on stderr.
enum Terminal {
    /// Whether a person watches stderr.
    static var isErrorInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    /// How wide the terminal is that stdout is; `nil` if it is none, 80 if it does not say.
    static var columns: Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes a result; a closed or full stdout is a failure of the command.
    ///
    /// A reader that went away ends the process, as it does for every command.
    static func write(_ bytes: Data) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: bytes)
        } catch {
            throw CommandFailure(
                status: .unwritableOutput,
                sentence: "The result cannot be written to standard output."
            )
        }
    }

    /// Writes a result.
    static func write(_ text: String) throws {
        try write(Data(text.utf8))
    }

    /// Writes a diagnostic; where nobody can see one, the exit status has to do.
    static func diagnose(_ text: String) {
        do {
            try FileHandle.standardError.write(contentsOf: Data(text.utf8))
        } catch {
            return
        }
    }
}

/// Shows on stderr how far long work is.
///
/// Nothing appears in the first second. A person sees a bar that redraws itself; a log gets a plain line every few
/// seconds.
final class ProgressBar {
    private let isInteractive: Bool
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var lastShown: ContinuousClock.Instant?
    private let write: (String) -> Void

    init(
        isInteractive: Bool = Terminal.isErrorInteractive,
        startedBefore age: Duration = .zero,
        write: @escaping (String) -> Void = Terminal.diagnose
    ) {
        self.isInteractive = isInteractive
        self.write = write
        start = clock.now - age
    }

    /// Shows the progress if it is time to.
    func show(_ progress: MigrationProgress) {
        show(words: progress.words, bar: progress.bar)
    }

    /// Shows how many of all scenarios were played, if it is time to.
    func show(scenarios completed: Int, of total: Int) {
        let words = "playing \(completed) of \(total) scenarios"
        show(words: words, bar: Self.bar(completed, of: total, words))
    }

    private func show(words: String, bar: String) {
        let now = clock.now
        guard now - start > .seconds(1) else { return }
        if let lastShown, now - lastShown < (isInteractive ? .milliseconds(100) : .seconds(2)) { return }
        lastShown = now
        write(isInteractive ? "\r\u{1B}[K\(bar)" : "\(words)\n")
    }

    /// The words behind a bar of 30 cells.
    fileprivate static func bar(_ completed: Int, of total: Int, _ words: String) -> String {
        let filled = min(30, completed * 30 / total)
        return
            "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: 30 - filled))] \(words)"
    }

    /// Removes the bar.
    func finish() {
        if isInteractive, lastShown != nil { write("\r\u{1B}[K") }
        lastShown = nil
    }
}

extension MigrationProgress {
    /// For example `applying 12000 of 60000 records`.
    var words: String {
        let amount = total.map { "\(completed) of \($0)" } ?? "\(completed)"
        return "\(step) \(amount) records"
    }

    /// The words behind a bar of 30 cells; without a total, the words alone.
    var bar: String {
        guard let total, total > 0 else { return words }
        return ProgressBar.bar(completed, of: total, words)
    }
}

import Foundation

/// Shows the progress of long work on stderr.
///
/// Nothing appears in the first second. A terminal shows a bar that is redrawn; a log gets a plain line at most every
/// two seconds.
package final class ProgressBar {
    private let isInteractive: Bool
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var lastShown: ContinuousClock.Instant?
    private let columns: Int?
    private let write: (String) -> Void
    /// The number of records of the source; `nil` if the number is unknown before the records are read.
    package let records: Int?

    /// Creates a bar; the work started `age` ago.
    package init(
        records: Int? = nil,
        isInteractive: Bool = Terminal.isErrorInteractive,
        columns: Int? = Terminal.errorWidth,
        startedBefore age: Duration = .zero,
        write: @escaping (String) -> Void = Terminal.diagnose
    ) {
        self.isInteractive = isInteractive
        self.columns = columns
        self.write = write
        self.records = records
        start = clock.now - age
    }

    /// Shows the number of records read, if an update is due.
    package func show(_ action: String, records completed: Int) {
        guard let records else { return show(words: "\(action): \(completed.counted("record")) read") }
        show(action, records: completed, of: max(records, completed))
    }

    /// Shows the number of completed records of a known total if an update is due.
    package func show(_ action: String, records completed: Int, of total: Int) {
        let words = "\(action): \(completed) of \(total) records, \(completed.percent(of: total))"
        show(words: words, bar: Self.bar(completed, of: max(1, total), words))
    }

    /// Shows the number of completed units, such as `MB`, of a known total if an update is due.
    package func show(_ action: String, _ completed: Int, of total: Int, unit: String) {
        let words = "\(action): \(completed) of \(total) \(unit), \(completed.percent(of: total))"
        show(words: words, bar: Self.bar(completed, of: max(1, total), words))
    }

    /// Shows the number of played scenarios if an update is due.
    package func show(scenarios completed: Int, of total: Int) {
        let words = "playing \(completed) of \(total) scenarios, \(completed.percent(of: total))"
        show(words: words, bar: Self.bar(completed, of: total, words))
    }

    /// Shows the number of completed steps of a move if an update is due.
    package func show(steps completed: Int, of total: Int) {
        let words = "moving: \(completed) of \(total) steps done, \(completed.percent(of: total))"
        show(words: words, bar: Self.bar(completed, of: total, words))
    }

    /// Shows the number of migrated stores if an update is due.
    package func show(stores completed: Int, of total: Int) {
        let words =
            "migrating: \(completed) of \(total.counted("store")) done, \(completed.percent(of: total))"
        show(words: words, bar: Self.bar(completed, of: total, words))
    }

    /// Shows the progress of work whose total is unknown.
    package func show(words: String) { show(words: words, bar: words) }

    /// Shows `bar` on a terminal, or prints `words` in a log, if an update is due.
    package func show(words: String, bar: String) {
        let now = clock.now
        guard now - start > .seconds(1) else { return }
        if let lastShown, now - lastShown < (isInteractive ? .milliseconds(100) : .seconds(2)) { return }
        lastShown = now
        write(isInteractive ? "\r\u{1B}[K\(fitted(words, bar))" : "\(words)\n")
    }

    /// Returns the bar if it fits on one line of the terminal; otherwise, as much of the words as fits.
    ///
    /// A longer line could not be redrawn.
    private func fitted(_ words: String, _ bar: String) -> String {
        guard let columns, DisplayWidth.of(bar) >= columns else { return bar }
        return words.wrapped(to: max(1, columns - 2)).count == 1
            ? words : "\(words.prefix(max(1, columns - 2)))…"
    }

    /// Returns a bar of 30 cells, followed by the text.
    package static func bar(_ completed: Int, of total: Int, _ words: String) -> String {
        let filled = min(30, completed * 30 / total)
        return
            "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: 30 - filled))] \(words)"
    }

    /// Removes the bar.
    package func finish() {
        if isInteractive, lastShown != nil { write("\r\u{1B}[K") }
        lastShown = nil
    }
}

extension Int {
    /// Returns this number's share of a total in whole percent, such as `50 %`.
    package func percent(of total: Int) -> String {
        "\(total == 0 ? 100 : Swift.min(100, self * 100 / total)) %"
    }
}

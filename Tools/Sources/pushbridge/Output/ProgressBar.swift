import CredentialMigration
import Foundation
@_spi(PushBridgeTools) import LegacyFiles
import PushBridgeCommandLine

/// Shows the progress of long work on stderr.
///
/// Nothing appears in the first second. A terminal shows a bar that is redrawn; a log gets a plain line every few seconds.
final class ProgressBar {
    private let isInteractive: Bool
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var lastShown: ContinuousClock.Instant?
    private let write: (String) -> Void
    /// The number of records of the source, if it is known before they are read.
    private(set) var records: Int?

    /// A bar for a command that reads a store, whose records are counted first if that is cheap.
    convenience init(recordsOf store: String) throws {
        self.init()
        records = LegacyFile.recordCount(of: try URL(storeAt: store))
    }

    init(
        isInteractive: Bool = Terminal.isErrorInteractive,
        startedBefore age: Duration = .zero,
        write: @escaping (String) -> Void = Terminal.diagnose
    ) {
        self.isInteractive = isInteractive
        self.write = write
        start = clock.now - age
    }

    /// Shows the progress if an update is due.
    func show(_ progress: MigrationProgress) {
        var progress = progress
        if progress.total == nil, let records {
            // The count may contain lines of other services, and a source may grow.
            progress = MigrationProgress(
                step: progress.step,
                completed: progress.completed,
                total: max(records, progress.completed)
            )
        }
        show(words: progress.words, bar: progress.bar)
    }

    /// Shows the number of records that were read if an update is due.
    func show(_ action: String, records completed: Int) {
        guard let records else { return show(words: "\(action): \(completed.counted("record")) read") }
        let words =
            "\(action): \(completed) of \(max(records, completed)) records, \(completed.percent(of: records))"
        show(words: words, bar: Self.bar(completed, of: max(1, records), words))
    }

    /// Shows the number of played scenarios if an update is due.
    func show(scenarios completed: Int, of total: Int) {
        let words = "playing \(completed) of \(total) scenarios, \(completed.percent(of: total))"
        show(words: words, bar: Self.bar(completed, of: total, words))
    }

    /// Shows the number of completed steps of a move if an update is due.
    func show(steps completed: Int, of total: Int) {
        let words = "moving: \(completed) of \(total) steps done, \(completed.percent(of: total))"
        show(words: words, bar: Self.bar(completed, of: total, words))
    }

    /// Shows the number of migrated stores if an update is due.
    func show(stores completed: Int, of total: Int) {
        let words =
            "migrating: \(completed) of \(total.counted("store")) done, \(completed.percent(of: total))"
        show(words: words, bar: Self.bar(completed, of: total, words))
    }

    /// Shows work whose total is unknown.
    func show(words: String) { show(words: words, bar: words) }

    private func show(words: String, bar: String) {
        let now = clock.now
        guard now - start > .seconds(1) else { return }
        if let lastShown, now - lastShown < (isInteractive ? .milliseconds(100) : .seconds(2)) { return }
        lastShown = now
        write(isInteractive ? "\r\u{1B}[K\(bar)" : "\(words)\n")
    }

    /// The text after a bar of 30 cells.
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
        guard let total else { return "\(step) \(completed) records" }
        return "\(step) \(completed) of \(total) records, \(completed.percent(of: total))"
    }

    /// The text after a bar of 30 cells; without a total, only the text.
    var bar: String {
        guard let total, total > 0 else { return words }
        return ProgressBar.bar(completed, of: total, words)
    }
}

extension Int {
    /// The share of a total in whole percent: `50 %`.
    func percent(of total: Int) -> String { "\(total == 0 ? 100 : Swift.min(100, self * 100 / total)) %" }
}

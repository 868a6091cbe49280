package import CredentialMigration
import Foundation
@_spi(PushBridgeTools) import LegacyFiles
package import PushBridgeCommandLine

extension ProgressBar {
    /// A bar for a command that reads a store, whose records are counted first if that is cheap.
    package convenience init(recordsOf store: String) throws {
        self.init(records: LegacyFile.recordCount(of: try URL(storeAt: store)))
    }

    /// Shows the progress if an update is due.
    package func show(_ progress: MigrationProgress) {
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

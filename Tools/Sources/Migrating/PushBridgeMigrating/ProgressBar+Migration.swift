package import CredentialMigration
import Foundation
@_spi(PushBridgeTools) import LegacyFiles
package import PushBridgeCommandLine

extension ProgressBar {
    /// Creates a bar for a command that reads a store; counts the store's records first if counting is fast.
    package convenience init(recordsOf store: String) throws {
        self.init(records: LegacyFile.recordCount(of: try URL(storeAt: store)))
    }

    /// Returns a function that shows how much of some files has been read.
    ///
    /// The function shows nothing if the files contain less than 1 MB in total.
    ///
    /// - Parameter paths: The files.
    /// - Returns: A function that takes the number of bytes of each part that was read.
    package func reading(_ paths: [String]) -> (Int) -> Void {
        let total = paths.reduce(0) { $0 + Evidence.Input.size(at: $1) }
        guard total >= 1 << 20 else { return { _ in } }
        var read = 0
        return { [self] count in
            read += count
            show("reading", read >> 20, of: max(total, read) >> 20, unit: "MB")
        }
    }

    /// Shows the progress if an update is due.
    package func show(_ progress: CredentialMigration.Progress) {
        var progress = progress
        if progress.total == nil, let records {
            // The counted total may be wrong. It is too large if it includes lines of other services, and too small
            // if the source has grown.
            progress = CredentialMigration.Progress(
                step: progress.step,
                completed: progress.completed,
                total: max(records, progress.completed)
            )
        }
        show(words: progress.words, bar: progress.bar)
    }
}

extension CredentialMigration.Progress {
    /// The progress in words, such as `applying 12000 of 60000 records`.
    var words: String {
        guard let total else { return "\(step) \(completed) records" }
        return "\(step) \(completed) of \(total) records, \(completed.percent(of: total))"
    }

    /// A bar of 30 cells, followed by the words; only the words if the total is unknown or 0.
    var bar: String {
        guard let total, total > 0 else { return words }
        return ProgressBar.bar(completed, of: total, words)
    }
}

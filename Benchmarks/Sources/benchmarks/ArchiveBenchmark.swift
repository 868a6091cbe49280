import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeInternals

/// Compares this project's archive reader with `NSKeyedUnarchiver` on the same archives.
struct ArchiveBenchmark {
    let records: Int

    func run() throws {
        let archives = Array(GeneratedStore(records: records))
        let comparison = try Comparison(rounds: 7) {
            for archive in archives { try ArchivedObject.unarchive(archive.data) }
        } second: {
            for archive in archives { try archive.read() }
        }
        let perArchive = 1e6 / Double(records)
        print("\(records) keyed archives")
        print(
            String(
                format: "  NSKeyedUnarchiver %.1f µs, LegacyRecord(archive:) %.1f µs each, ratio %.1f",
                comparison.first * perArchive,
                comparison.second * perArchive,
                comparison.ratio
            )
        )
    }
}

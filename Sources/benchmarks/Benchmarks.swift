import Foundation

/// Measures what the project promises about speed, as ratios taken in one run.
@main
enum Benchmarks {
    static func main() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "benchmarks-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        print("Medians of several rounds; the two sides of a ratio take turns.\n")
        try ArchiveBenchmark(records: 2_000).run()
        print()
        try MigrationBenchmark(records: 60_000, folder: folder).run()
    }
}

import Foundation

/// Measures what the project promises about speed, as ratios taken in one run.
///
/// `benchmarks generate 60000 FILE` writes the store that is measured, to try things out on.
@main
enum Benchmarks {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "generate", arguments.count == 3, let records = Int(CommandLine.arguments[2]) {
            try GeneratedStore(records: records).write(to: URL(fileURLWithPath: CommandLine.arguments[3]))
        } else {
            try measure()
        }
    }

    private static func measure() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        print("Medians of several rounds; the two sides of a ratio take turns.\n")
        try ArchiveBenchmark(records: 2_000).run()
        print()
        try MigrationBenchmark(records: 60_000, folder: folder).run()
        try FileManager.default.removeItem(at: folder)
    }
}

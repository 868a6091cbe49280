import Foundation

/// Compares the commands `inspect`, `migrate` and `doctor` with bare SQLite on a large keychain database.
struct MigrationBenchmark {
    let records: Int
    let folder: URL

    func run() throws {
        let source = folder.appendingPathComponent("legacy.sqlite")
        let destination = folder.appendingPathComponent("new.db")
        try GeneratedStore(records: records).write(to: source)
        let bare = BareSQLite(source: source, destination: folder.appendingPathComponent("bare.db"))
        print("\(records) records in a keychain database of \(try size(of: source) / 1_000_000) MB")

        var peak = 0
        let inspection = try Comparison(rounds: 5) {
            peak = max(peak, try ChildProcess.peakMemory(of: [tool, "inspect", source.path, "--json"]))
        } second: {
            try bare.run()
        }
        report("inspect", inspection, peak: peak)

        peak = 0
        let migration = try Comparison(rounds: 5) {
            try removeDestination(destination)
            let command = [tool, "migrate", source.path, "--to", destination.path, "--json"]
            peak = max(peak, try ChildProcess.peakMemory(of: command))
        } second: {
            try bare.run()
        }
        report("migrate", migration, peak: peak)

        for store in [source, destination] {
            peak = 0
            let examination = try Comparison(rounds: 5) {
                peak = max(peak, try ChildProcess.peakMemory(of: [tool, "doctor", store.path, "--json"]))
            } second: {
                try bare.run()
            }
            report("doctor of \(store.lastPathComponent)", examination, peak: peak)
        }
    }

    private func report(_ name: String, _ comparison: Comparison, peak: Int) {
        let times = String(format: "%.2f s, bare SQLite %.2f s", comparison.first, comparison.second)
        let ratio = String(format: "ratio %.1f", comparison.ratio)
        print("  \(name): \(times), \(ratio), peak memory \(peak / 1_000_000) MB")
    }

    /// The path of the command-line tool, which is built beside this program.
    private var tool: String {
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("pushbridge").path
    }

    private func removeDestination(_ url: URL) throws {
        for suffix in ["", "-wal", "-shm", ".key"] {
            try FileManager.default.clear(url.path + suffix)
        }
    }

    private func size(of url: URL) throws -> Int {
        try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    }
}

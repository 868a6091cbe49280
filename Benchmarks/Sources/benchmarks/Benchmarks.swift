import Foundation

/// Measures the speed of PushBridge; most benchmarks compare PushBridge with other code in the same run.
///
/// If the argument is `archives`, `start`, `in-place`, `legacy`, `migration`, `own`, `legacy-own`, `keychain` or
/// `notifications`, only that benchmark runs.
///
/// `benchmarks generate 60000 FILE` writes a generated store with 60,000 records to FILE, for experiments.
@main
enum Benchmarks {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "generate", arguments.count == 3, let records = Int(CommandLine.arguments[2]) {
            try GeneratedStore(records: records).write(to: URL(fileURLWithPath: CommandLine.arguments[3]))
        } else {
            try await measure(only: arguments.first)
        }
    }

    /// Runs the named benchmark, or all benchmarks if `name` is `nil`, in a temporary folder.
    ///
    /// The notification benchmark runs last. Otherwise, the memory that it uses in this process would count as
    /// memory of the child processes that the migration benchmark measures.
    private static func measure(only name: String?) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        print(
            "Medians of several rounds; the two sides of a ratio run alternately, except in the benchmark `own`."
        )
        if name ?? "archives" == "archives" {
            print()
            try ArchiveBenchmark(records: 2_000).run()
        }
        if name ?? "start" == "start" {
            for notificationsEach in [5, 50] {
                print()
                try StartBenchmark(accounts: 20, notificationsEach: notificationsEach).run()
            }
        }
        if name ?? "in-place" == "in-place" {
            print()
            try await InPlaceBenchmark(accounts: [150, 1_500, 15_000]).run()
        }
        if name ?? "legacy" == "legacy" {
            for (accounts, notificationsEach) in [(20, 5), (500, 4)] {
                print()
                try await LegacyBenchmark(
                    accounts: accounts,
                    notificationsEach: notificationsEach,
                    folder: folder
                ).run()
            }
        }
        if name ?? "migration" == "migration" {
            print()
            try MigrationBenchmark(records: 60_000, folder: folder).run()
        }
        if name ?? "own" == "own" {
            for credentials in [20, 500] {
                print()
                try await OwnStorageBenchmark(credentials: credentials).run()
            }
        }
        if name ?? "legacy-own" == "legacy-own" {
            for accounts in [20, 100] { try await LegacyOwnStorageBenchmark(accounts: accounts).run() }
        }
        if name ?? "keychain" == "keychain" {
            for credentials in [20, 500] {
                print()
                try await KeychainBenchmark(credentials: credentials).run()
            }
        }
        if name ?? "notifications" == "notifications" {
            print()
            try await NotificationBenchmark(notifications: 100_000, folder: folder).run()
        }
        try FileManager.default.removeItem(at: folder)
    }
}

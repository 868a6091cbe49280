import ArgumentParser
import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeLab
import PushBridgeMigrating
import PushParity

/// The command `parity`, which plays scenarios on both APIs and lists the differences.
struct Parity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: MovedCommand.parity.abstract,
        discussion: """
            Plays the built-in scenarios, unless --scenario or --random names others. Everything happens \
            on this machine with sample accounts. Examples/SCENARIOS.md explains the form of a \
            scenario file. The exit status is 1 if there is a difference that is not by design.
            """
    )

    @Option(
        name: .customLong("scenario"),
        help: ArgumentHelp("Play the scenarios of a JSON file; may be repeated.", valueName: "file")
    )
    var files: [String] = []

    @Option(help: ArgumentHelp("Play this many scenarios, generated from the seed.", valueName: "count"))
    var random: Int?

    @Option(help: "The seed of generated scenarios.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Play only scenarios whose name contains this text.", valueName: "text"))
    var only: String?

    @Flag(
        help: """
            Let the legacy API work on the legacy SDK's own keychain items, and read them back as that SDK's classes do.
            """
    )
    var inPlace = false

    @OptionGroup var server: ServerVersionOptions

    @Flag(name: .customLong("divergences"), help: "List what is different by design, and play nothing.")
    var listsDivergences = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var reportFile: ReportOptions
    @OptionGroup var documents: DocumentOptions

    func validate() throws {
        if let random, random < 1 { throw ValidationError("--random takes a number above 0.") }
        let playsMore =
            !files.isEmpty || random != nil || only != nil || inPlace || !reportFile.reports.isEmpty
        guard !listsDivergences || !playsMore else {
            throw ValidationError(
                "--divergences cannot be combined with --scenario, --random, --only, --in-place or --report."
            )
        }
        try documents.validate(for: reportFile)
    }

    func run() async throws {
        try await perform(storeRole: .input) {
            let interruptions = Interruption.removesUnfinishedFiles(message: Interruption.startsOver)
            defer { for interruption in interruptions { interruption.cancel() } }
            if listsDivergences { return try DivergenceReport().deliver(asJSON: output.json) }
            let read = self.files.map { Evidence.Input(at: $0) }
            let scenarios = try scenarios()
            let files = try reportFile.files()
            let versions = try server.announcedVersions()
            let report = ParityReport(
                results: try await play(scenarios, on: versions),
                versions: versions,
                documents: documents.address
            )
            try report.deliver(asJSON: output.json, to: files, made: try evidence(of: scenarios, in: read))
        }
    }

    /// Returns the evidence of a run: the files of the scenarios, or the scenarios of this program.
    private func evidence(of scenarios: [Scenario], in files: [Evidence.Input]) throws -> Evidence {
        let contents = try scenarios.reduce(into: Data()) { $0 += try $1.file }
        let own = Evidence.Input("\(scenarios.count.counted("scenario")) of this program", contents: contents)
        return Evidence(of: files.isEmpty ? [own] : files)
    }

    private func scenarios() throws -> [Scenario] {
        var scenarios: [Scenario] = []
        for file in files { scenarios += try Scenario.list(contentsOf: URL(fileURLWithPath: file)) }
        if let random { scenarios += RandomScenarios(count: random, seed: seed) }
        if files.isEmpty, random == nil { scenarios = Scenario.catalogue }
        guard let only else { return scenarios }
        let named = scenarios.filter { $0.name.localizedCaseInsensitiveContains(only) }
        guard !named.isEmpty else {
            throw CommandFailure(status: .usage, sentence: "No scenario's name contains \(only).")
        }
        return named
    }

    private func play(
        _ scenarios: [Scenario],
        on versions: [ServerVersion]
    ) async throws -> [ScenarioResult] {
        let progress = ProgressBar()
        defer { progress.finish() }
        var results: [ScenarioResult] = []
        for version in versions {
            let runner = ParityRunner(version: version, inPlace: inPlace)
            for scenario in scenarios {
                progress.show(scenarios: results.count, of: scenarios.count * versions.count)
                results.append(try await runner.run(scenario))
            }
        }
        return results
    }
}

/// The report of `parity --divergences`: all intended differences.
struct DivergenceReport: Report {
    /// One of the registers.
    ///
    /// The register contains the column titles of the documents, the member names of the JSON, and the rows.
    private struct Register {
        let name: String
        let titles: [String]
        let members: [String]
        let rows: [[String]]

        /// The register as a table, fitted to the width of the terminal.
        ///
        /// If the width is unknown, for example in a pipe, the table is in Markdown, as in the documents.
        var text: String { Terminal.width == nil ? markdown : table }

        private var table: String {
            var table = Table(titles.map { ($0, .left) })
            table.limit = 1_000
            for row in rows { table.add(row) }
            return table.text
        }

        private var markdown: String {
            let rows = rows.map { ["`\($0[0])`"] + $0.dropFirst() }
            return ([titles, titles.map { _ in "---" }] + rows)
                .map { "| \($0.joined(separator: " | ")) |\n" }.joined()
        }

        var json: JSONValue {
            .array(
                rows.map { row in
                    .object(Dictionary(uniqueKeysWithValues: zip(members, row.map(JSONValue.string))))
                }
            )
        }
    }

    private let registers = [
        Register(
            name: "divergences",
            titles: ["id", "FRAuthenticator", "PingPush", "why"],
            members: ["id", "legacy", "async", "reason"],
            rows: Divergence.register.map { [$0.id, $0.legacy, $0.async, $0.reason] }
        ),
        Register(
            name: "versions",
            titles: ["id", "since AM", "before", "from then on"],
            members: ["id", "version", "before", "after"],
            rows: VersionDivergence.register.map { [$0.id, $0.version.rawValue, $0.before, $0.after] }
        ),
        Register(
            name: "equivalences",
            titles: ["the same, as", "FRAuthenticator", "PingPush"],
            members: ["id", "legacy", "async"],
            rows: Equivalence.all.map { [$0.id, $0.legacy, $0.async] }
        ),
        Register(
            name: "inPlace",
            titles: ["id, with --in-place", "FRAuthenticator", "PingPush", "why"],
            members: ["id", "legacy", "async", "reason"],
            rows: (Divergence.inPlace + Equivalence.inPlace).map { [$0.id, $0.legacy, $0.async, $0.reason] }
        ),
    ]

    let status = ExitStatus.success

    var text: String { registers.map(\.text).joined(separator: "\n") }

    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let report = JSONValue.object(registers.reduce(into: ["schema": 1]) { $0[$1.name] = $1.json })
        try write(Data(report.line.utf8))
    }
}

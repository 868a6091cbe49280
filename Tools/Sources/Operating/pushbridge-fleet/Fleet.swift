public import ArgumentParser
import Foundation
import LegacyStore
import PushBridgeCommandLine
import PushBridgeCore
public import PushBridgeFleet
import PushBridgeInternals
import PushBridgeMigrating

/// The command `pushbridge fleet`: judges a roll-out by the phones' events, and simulates roll-outs.
@main
struct Fleet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushbridge fleet",
        abstract: MovedCommand.fleet.abstract,
        discussion: """
            pushbridge fleet EVENTS... [--phase PERCENT] [--release VERSION] [--policy FILE] [--json] [--report FILE]
            pushbridge fleet --sql sqlite|duckdb|postgresql
            pushbridge fleet simulate --phones N [--seed S] [--defect KIND] [--to FILE]
            pushbridge fleet trial [--roll-outs N] [--policy FILE]

            docs/fleet.md explains the verdict. Exit status: 0 continue; 2 hold; 3 stop; the other numbers are those of all commands.
            """,
        subcommands: [JudgeFleet.self, SimulateFleet.self, TrialFleet.self],
        defaultSubcommand: JudgeFleet.self
    )

    /// Runs the subcommand that the arguments name.
    static func main() async {
        endIfMisspelt(Array(CommandLine.arguments.dropFirst()))
        await main(nil)
    }
}

/// Judges the events of a fleet.
struct JudgeFleet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge",
        abstract: "Summarise migration events, and report continue, hold or stop.",
        discussion: """
            Reads JSON lines with one MigrationEvent each. A file may be compressed by gzip; standard input (-) may \
            not. Events may arrive twice, late and in any order.

            Exit status: 0 continue; 2 hold; 3 stop; 64 usage; 66 a file cannot be read or contains no event.
            """
    )

    @Argument(help: ArgumentHelp("Files of events.", valueName: "events"))
    var events: [String] = []

    @Option(
        help: ArgumentHelp(
            "The current phase of the roll-out: the percentage of phones that are offered the release (default: the last phase).",
            valueName: "percent"
        )
    )
    var phase: Int?

    @Option(help: "Judge only this release (default: all releases, and the newest must have enough phones).")
    var release: String?

    @Option(
        help: ArgumentHelp(
            """
            How many phones have the release, in all (120000) or of a system version ('iOS 26.1.0=40000'); may be \
            repeated. Without this number, the report cannot count phones that never send an event.
            """,
            valueName: "phones"
        ),
        transform: InstalledCount.init
    )
    var installed: [InstalledCount] = []

    @Option(
        help: ArgumentHelp(
            "The last day whose events are complete (default: the day before the newest day with an event).",
            valueName: "day"
        )
    )
    var until: String?

    @Option(help: "Days without an attempt after which a phone that has not moved counts as not seen.")
    var days = 30

    @Option(
        name: .customLong("max-age"),
        help: ArgumentHelp("Warn if the newest event is older than this many days.", valueName: "days")
    )
    var mostAge = 3

    @Option(
        help: ArgumentHelp(
            "A policy in the format that --default-policy prints; members may be omitted.",
            valueName: "file"
        )
    )
    var policy: String?

    @Option(
        help: ArgumentHelp(
            "Print SQL for your own database: the schema, the loading and the queries, for sqlite, duckdb or postgresql.",
            valueName: "dialect"
        )
    )
    var sql: FleetDialect?

    @Flag(name: .customLong("default-policy"), help: "Print the policy that applies without --policy.")
    var printsPolicy = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var reportFile: ReportOptions

    func validate() throws {
        let prints = sql != nil || printsPolicy
        guard prints != !events.isEmpty else {
            throw ValidationError(
                prints
                    ? "--sql and --default-policy cannot be combined with events."
                    : "Name a file of events, or - for standard input."
            )
        }
        guard until.map({ FleetCalendar.number($0) != nil }) ?? true else {
            throw ValidationError("--until needs a day such as 2026-11-03.")
        }
        guard 1...100_000 ~= days, 0...100_000 ~= mostAge else {
            throw ValidationError(
                "--days needs a number from 1 to 100000, and --max-age a number from 0 to 100000."
            )
        }
        guard installed.count(where: { $0.system == nil }) < 2 else {
            throw ValidationError(
                "--installed accepts one number for all phones; give the other numbers with a system version."
            )
        }
        guard sql == nil || !printsPolicy, !prints || !output.json else {
            throw ValidationError(
                "--sql and --default-policy cannot be combined with each other or with --json."
            )
        }
    }

    func run() throws {
        try perform(storeRole: .input) {
            if let sql { return try Terminal.write(sql.script) }
            if printsPolicy { return try Terminal.write(FleetPolicy().text) }
            let policy = try policy.map(FleetPolicy.init(contentsOf:)) ?? FleetPolicy()
            let phase = try phase(of: policy)
            let files = try reportFile.files()
            let evidence = Evidence(of: (events + [self.policy].compactMap(\.self)).map { .init(at: $0) })
            let counts = FleetInstalled(
                total: installed.first { $0.system == nil }?.phones,
                systems: Dictionary(
                    installed.compactMap { count in count.system.map { ($0, count.phones) } },
                    uniquingKeysWith: +
                )
            )
            let progress = ProgressBar()
            defer { progress.finish() }
            let database = try FleetDatabase()
            for path in events {
                let name = path == "-" ? "standard input" : path
                try database.add(FleetLines(at: path), named: name) { count in
                    progress.show(words: "reading: \(count.counted("line"))")
                }
            }
            progress.show(words: "counting")
            let answers = try database.answers()
            progress.finish()
            try check(database.lines, answers)
            let verdict = FleetVerdict(
                answers,
                lines: database.lines,
                policy: policy,
                phase: phase,
                release: release,
                installed: counts,
                until: until
            )
            let report = FleetReport(
                verdict: verdict,
                answers: answers,
                lines: database.lines,
                policy: policy,
                installed: counts,
                days: days,
                mostAge: mostAge
            )
            try report.deliver(
                asJSON: output.json,
                to: files,
                made: evidence
            )
        }
    }

    private func phase(of policy: FleetPolicy) throws -> FleetPolicy.Phase {
        guard let phase else { return policy.phases[policy.phases.count - 1] }
        guard let found = policy.phase(percent: phase) else {
            let all = policy.phases.map { "\($0.percent)" }.joined(separator: ", ")
            throw CommandFailure(
                status: .usage,
                sentence: "The policy has no phase of \(phase) %; it has \(all)."
            )
        }
        return found
    }

    private func check(_ lines: FleetDatabase.Lines, _ answers: [FleetQuery: [FleetDatabase.Row]]) throws {
        if lines.all > 0, lines.unread == lines.all {
            let reason =
                lines.newer > 0 ? "in a newer format than this version supports" : "not a migration event"
            throw CommandFailure(
                status: .unreadableInput,
                sentence: """
                    \(lines.all == 1 ? "The only line cannot" : "None of \(lines.all) lines can") be counted: \(lines.places.first ?? "") is \(reason). Each line has \
                    to be the JSON of a MigrationEvent.
                    """
            )
        }
        guard let release else { return }
        let releases = Set((answers[.sharesByRelease] ?? []).compactMap { $0["appVersion"]?.plainText })
        guard !releases.contains(release), lines.all > 0 else { return }
        let all = releases.sorted().joined(separator: ", ")
        throw CommandFailure(
            status: .usage,
            sentence: "There is no event of the release \(release), only events of these releases: \(all)."
        )
    }
}

/// A value of `--installed`: the number of all phones, or of the phones with one system version.
struct InstalledCount {
    let system: String?
    let phones: Int

    /// Parses `120000` or `iOS 26.1.0=40000`.
    init(_ text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init
        )
        guard let phones = Int(parts[parts.count - 1]), 0...1_000_000_000_000 ~= phones, parts[0] != "" else {
            throw ValidationError("A number of phones is needed, as in 120000 or 'iOS 26.1.0=40000'.")
        }
        (system, self.phones) = (parts.count == 2 ? parts[0] : nil, phones)
    }
}

extension FleetDialect: ExpressibleByArgument {}
extension FleetSimulation.Defect.Kind: ExpressibleByArgument {}

extension FleetPolicy {
    /// The policy in the format of its file.
    var text: String {
        guard case .object(let members) = json else { return "" }
        let lines = members.keys.sorted().map { name -> String in
            guard case .array(let phases)? = members[name] else {
                return "  \"\(name)\": \((members[name] ?? .null).text)"
            }
            let rows = phases.map { "    \($0.text)" }.joined(separator: ",\n")
            return "  \"\(name)\": [\n\(rows)\n  ]"
        }
        return "{\n\(lines.joined(separator: ",\n"))\n}\n"
    }
}

/// Simulates a phased release.
struct SimulateFleet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulate a release in seven daily phases, and write the events of its phones.",
        discussion: """
            Without --to, the events go to standard output, and the report goes to standard error. With --to, the events go to \
            the file, and the report goes to standard output. The report contains the load on the servers, and the policy's \
            verdicts. The same options produce the same events.
            """
    )

    @Option(help: "The number of phones.")
    var phones: Int

    @Option(help: "The seed of the pseudorandom numbers; a different seed gives different phones.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "Plant a defect: \(FleetSimulation.Defect.Kind.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "kind"
        )
    )
    var defect: FleetSimulation.Defect.Kind?

    @Option(help: ArgumentHelp("The system version that has the defect, or all.", valueName: "version"))
    var defectSystem = "iOS 18.7.2"

    @Option(help: ArgumentHelp("The share of phones that have the defect, from 0 to 1.", valueName: "share"))
    var defectShare = 0.3

    @Option(
        help: ArgumentHelp(
            "A policy in the format that fleet --default-policy prints; members may be omitted.",
            valueName: "file"
        )
    )
    var policy: String?

    @Option(help: ArgumentHelp("Write the events into a new file.", valueName: "file"))
    var to: String?

    @Flag(
        name: .customLong("events-only"),
        help: "Write only events, without verdicts; suitable for millions of phones."
    )
    var eventsOnly = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard 1...100_000_000 ~= phones else {
            throw ValidationError("--phones takes a number from 1 to 100000000.")
        }
        guard 0...1 ~= defectShare else {
            throw ValidationError("--defect-share takes a number from 0 to 1.")
        }
        let systems = FleetSimulation.systems.map(\.name)
        guard defectSystem == "all" || systems.contains(defectSystem) else {
            throw ValidationError("--defect-system takes all, or one of \(systems.joined(separator: ", ")).")
        }
        guard !output.json || to != nil else {
            throw ValidationError("--json needs --to, because without --to the events go to standard output.")
        }
    }

    func run() throws {
        try perform(storeRole: .output) {
            let policy = try policy.map(FleetPolicy.init(contentsOf:)) ?? FleetPolicy()
            let planted = defect.map {
                FleetSimulation.Defect(
                    kind: $0,
                    system: defectSystem == "all" ? nil : defectSystem,
                    share: defectShare
                )
            }
            let simulation = FleetSimulation(phones: phones, seed: seed, defect: planted)
            let file = try to.map { try NewToolFile(URL(fileURLWithPath: $0), replacing: false) }
            let progress = ProgressBar()
            defer { progress.finish() }
            let rehearsal = try FleetRehearsal(
                simulation,
                policy: eventsOnly ? nil : policy,
                write: { bytes in
                    if let file { try file.write(bytes) } else { try Terminal.write(bytes) }
                },
                progress: { progress.show(words: "playing: \($0.counted("event"))") }
            )
            try file?.finish()
            progress.finish()
            let report = FleetRehearsalReport(simulation: simulation, rehearsal: rehearsal)
            guard to == nil else { return try report.deliver(asJSON: output.json) }
            Terminal.diagnose(report.text)
        }
    }
}

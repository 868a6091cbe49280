import ArgumentParser
import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeFleet
import PushBridgeMigrating

/// The command `fleet trial`, which measures the error rates of a policy.
struct TrialFleet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trial",
        abstract:
            "Simulate many roll-outs with and without defects, and count how many of them the policy notices.",
        discussion: """
            Each roll-out is judged at the end of each of its 14 days. The same options produce the same results.
            """
    )

    @Option(name: .customLong("roll-outs"), help: "The number of roll-outs of each kind.")
    var rollOuts = 100

    @Option(help: "The number of phones in each roll-out.")
    var phones = 20_000

    @Option(
        help: ArgumentHelp(
            "A policy in the format that fleet --default-policy prints; members may be omitted.",
            valueName: "file"
        )
    )
    var policy: String?

    @Option(help: ArgumentHelp("Simulate only kinds whose name contains this text.", valueName: "text"))
    var only: String?

    @OptionGroup var output: OutputOptions

    private var cases: [FleetTrial.Case] {
        FleetTrial.cases.filter { kind in only.map { kind.name.localizedCaseInsensitiveContains($0) } ?? true
        }
    }

    func validate() throws {
        guard 1...100_000 ~= rollOuts, 1...10_000_000 ~= phones else {
            throw ValidationError(
                "--roll-outs needs a number from 1 to 100000, and --phones a number from 1 to 10000000."
            )
        }
        guard !cases.isEmpty else {
            let names = FleetTrial.cases.map(\.name).joined(separator: ", ")
            throw ValidationError("No kind's name contains \(only ?? ""). The kinds are: \(names).")
        }
    }

    func run() throws {
        try perform(storeRole: .input) {
            let policy = try policy.map(FleetPolicy.init(contentsOf:)) ?? FleetPolicy()
            let progress = ProgressBar()
            defer { progress.finish() }
            let all = cases.count * rollOuts
            var done = 0
            let results = cases.map { kind in
                FleetTrial.run(kind, rollOuts: rollOuts, phones: phones, policy: policy) {
                    done += 1
                    progress.show(words: "simulating: \(done) of \(all) roll-outs, \(done * 100 / all) %")
                }
            }
            progress.finish()
            try FleetTrialReport(phones: phones, results: results).deliver(asJSON: output.json)
        }
    }
}

/// The report of `fleet trial`.
private struct FleetTrialReport: Report {
    let phones: Int
    let results: [FleetTrial.Result]
    let status = ExitStatus.success

    var text: String {
        var table = Table(
            ("Roll-outs", .left),
            ("Number", .right),
            ("Noticed", .right),
            ("Stopped", .right),
            ("Median day", .right),
            ("Noticed first by", .left)
        )
        for result in results {
            table.add(
                result.kind.name,
                "\(result.rollOuts)",
                "\(result.noticed)",
                "\(result.stopped)",
                result.middleDay.map(String.init) ?? "",
                result.rules.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
                    .map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
            )
        }
        return "fleet trial: \(phones.counted("phone")) each, judged on 14 days\n\n\(table.text)"
    }

    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let report: JSONValue = [
            "schema": 1, "command": "fleet trial", "phones": .integer(phones),
            "kinds": .array(
                results.map { result in
                    [
                        "name": .string(result.kind.name), "rollOuts": .integer(result.rollOuts),
                        "noticed": .integer(result.noticed), "stopped": .integer(result.stopped),
                        "middleDay": result.middleDay.map(JSONValue.integer) ?? .null,
                        "rules": .object(
                            Dictionary(
                                uniqueKeysWithValues: result.rules.map {
                                    ($0.key.rawValue, .integer($0.value))
                                }
                            )
                        ),
                    ]
                }
            ),
        ]
        try write(Data(report.line.utf8))
    }
}

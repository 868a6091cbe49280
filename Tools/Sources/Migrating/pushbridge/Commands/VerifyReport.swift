import ArgumentParser
import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeMigrating

/// The command `report`, whose subcommands examine earlier reports.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Check an earlier report.",
        subcommands: [VerifyReport.self]
    )
}

/// The command `report verify`, which compares the digests in a report with the files.
struct VerifyReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check whether a report still describes the files from which it was made.",
        discussion: """
            Computes the SHA-256 of each file again. Without SOURCE, looks for the files in the folder of the report and in \
            the current folder, by the names in the report. The status is 1 if a file changed.
            """
    )

    @Argument(help: "The report: a page or JSON.")
    var report: String

    @Argument(help: ArgumentHelp("The files, in the order of the report.", valueName: "source"))
    var sources: [String] = []

    @OptionGroup var output: OutputOptions

    func run() throws {
        try perform(storeRole: .input) {
            if let other = sources.first(where: Evidence.isReport(at:)) {
                throw CommandFailure(
                    status: .usage,
                    sentence: """
                        \(other) is a report, too: one report is compared at a time, and the files after it are those that it was \
                        made from.
                        """
                )
            }
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: report, isDirectory: &isFolder), isFolder.boolValue {
                throw CommandFailure(
                    status: .unreadableInput,
                    sentence: "\(report) is a folder: one report is compared at a time, so name a file in it."
                )
            }
            guard let evidence = Evidence(in: try Data(named: report)) else {
                let sentence = "\(report) is not a report of this program, or its version wrote no digests."
                throw CommandFailure(status: .unreadableInput, sentence: sentence)
            }
            guard sources.isEmpty || sources.count == evidence.inputs.count else {
                let count = evidence.inputs.count.counted("file")
                throw CommandFailure(status: .usage, sentence: "The report was made from \(count).")
            }
            let comparisons = evidence.inputs.enumerated().map { index, input in
                ReportComparison.Line(input, at: sources.isEmpty ? place(of: input.name) : sources[index])
            }
            try ReportComparison(evidence: evidence, lines: comparisons).deliver(asJSON: output.json)
        }
    }

    private func place(of name: String) -> String? {
        let folder = URL(fileURLWithPath: report).deletingLastPathComponent()
        let places = [folder.appendingPathComponent(name).path, name]
        return places.first(where: FileManager.default.fileExists)
    }
}

/// The result of `report verify`.
struct ReportComparison: Report {
    /// One input of the report.
    struct Line {
        /// The result of the comparison of an input.
        enum Verdict: String {
            /// The input has the digest in the report.
            case same
            /// The input has another digest.
            case changed
            /// The input was not found.
            case missing
            /// The input is not a file, or the report contains no digest of the input.
            case unknown
        }

        let name: String
        let verdict: Verdict

        init(_ input: Evidence.Input, at path: String?) {
            name = input.name
            let now = path.flatMap { Evidence.Input(at: $0).sha256 }
            verdict =
                if input.sha256 == nil || !input.isFile && path == nil {
                    .unknown
                } else if let now {
                    now == input.sha256 ? .same : .changed
                } else {
                    .missing
                }
        }
    }

    let evidence: Evidence
    let lines: [Line]

    var status: ExitStatus {
        if lines.contains(where: { $0.verdict == .changed }) { return .needsAttention }
        let isUnverified = lines.allSatisfy { $0.verdict == .unknown }
        return isUnverified || lines.contains { $0.verdict == .missing } ? .unreadableInput : .success
    }

    var text: String {
        var table = Table(("Read", .left), ("Now", .left))
        for line in lines { table.add(line.name, line.verdict.rawValue) }
        let made = "Made by \(evidence.tool) on \(evidence.date.formatted(.iso8601))."
        return "\(table.isEmpty ? "" : "\(table.text)\n")\(made) \(verdict)\n"
    }

    private var verdict: String {
        switch status {
        case .needsAttention: "The report no longer describes the files."
        case .unreadableInput where lines.contains { $0.verdict == .missing }:
            "A file was not found; name the files after the report."
        case .unreadableInput: "The report contains no digest of a single file."
        default: "The report describes the current files."
        }
    }

    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let value: JSONValue = [
            "schema": 1, "command": "report verify", "date": .string(evidence.date.formatted(.iso8601)),
            "tool": .string(evidence.tool),
            "inputs": .array(
                lines.map { ["name": .string($0.name), "now": .string($0.verdict.rawValue)] }
            ),
        ]
        try write(Data(value.line.utf8))
    }
}

import ArgumentParser
import Foundation

/// The option every command with a credential store has.
struct KeyOptions: ParsableArguments {
    @Option(
        name: .customLong("key-file"),
        help: ArgumentHelp(
            "The file with the sealing key (default: DB.key).",
            valueName: "file"
        )
    )
    var keyFile: String?
}

/// The option every command has.
struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print JSON instead of tables.")
    var json = false
}

/// The option of commands that report on every record.
struct ReportOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Also write a report: .json for machines, .html for people.", valueName: "file")
    )
    var report: String?

    /// Takes the place of the report, if one was asked for.
    func file() throws -> ReportFile? { try report.map(ReportFile.taking) }

    func validate() throws {
        guard let report else { return }
        guard ["json", "html"].contains(URL(fileURLWithPath: report).pathExtension.lowercased()) else {
            throw ValidationError("The report's name must end in .json or .html.")
        }
    }
}

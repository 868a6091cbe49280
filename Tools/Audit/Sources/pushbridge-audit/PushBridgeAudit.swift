import ArgumentParser
import Foundation
import PushBridgeAudit
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeSymbols

/// The command `pushbridge audit`.
@main
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushbridge audit",
        abstract: MovedCommand.audit.abstract,
        discussion: """
            Reads the index that every debug build of Xcode and SwiftPM writes, for Swift and Objective-C; builds and \
            changes nothing. The index lacks sources that no target compiled, inactive parts of #if, typealiases inside \
            functions, and code that a macro moves, such as didSet of an @Observable. Uses in packages, pods and \
            generated sources are not counted, unless --sources names their folder. MIGRATION.md explains the classes, \
            and where Xcode stores the index; the pages in docs explain each use.

            Exit status: 0; 1 with --fail-on-new if a use is not in the baseline, if this index lacks a source that the \
            baseline's index had, or if a source changed after the index was written; 64 usage; 66 the index is missing \
            or damaged; 69 the index library is missing; 73 the output cannot be written.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The index, or a folder that contains it: the folder of a build or package, or one in DerivedData (default: the "
                + "newest index of the project in this folder).",
            valueName: "index-or-build-folder"
        )
    )
    var index: String?

    @Option(
        name: .customLong("module"),
        help: ArgumentHelp(
            "A module to look for; may be repeated (default: FRAuthenticator and FRCore).",
            valueName: "name"
        )
    )
    var modules: [String] = []

    @Option(
        help: ArgumentHelp(
            "A folder whose sources count; may be repeated (default: all except packages, pods and generated sources).",
            valueName: "folder"
        )
    )
    var sources: [String] = []

    @Option(
        help: ArgumentHelp(
            "The project's folder, with its manifests; the report's paths start there (default: the project of the index).",
            valueName: "folder"
        )
    )
    var project: String?

    @Option(
        help: ArgumentHelp(
            "The index library (default: the library in the toolchain of swiftc).",
            valueName: "file"
        )
    )
    var library: String?

    @Option(
        help: ArgumentHelp(
            "Output of an earlier audit --json; the report marks new uses and counts removed ones.",
            valueName: "file"
        )
    )
    var baseline: String?

    @Flag(
        name: .customLong("fail-on-new"),
        help:
            "Exit with 1 if a use is not in the baseline, if this index lacks a source that the baseline's index had, or if a source is newer than this index."
    )
    var failsOnNew = false

    @Flag(help: "Print SARIF 2.1.0, for code hosts and editors.")
    var sarif = false

    @Flag(name: .customLong("table"), help: "Print the replacement of every symbol; reads no index.")
    var printsTable = false

    @Flag(
        name: .customLong("reference"),
        help: """
            Print the replacements of symbols by class, and the differences in behaviour, as Markdown for a coding assistant \
            (skills/migrate-frauthenticator).
            """
    )
    var printsReference = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var reportFile: ReportOptions
    @OptionGroup var documents: DocumentOptions

    func validate() throws {
        guard index != "" else { throw ValidationError("The name of the index's folder is empty.") }
        guard !modules.contains("") else { throw ValidationError("--module needs the name of a module.") }
        if failsOnNew, baseline == nil { throw ValidationError("--fail-on-new needs --baseline.") }
        if sarif, output.json { throw ValidationError("Use either --sarif or --json.") }
        let reads = index != nil || baseline != nil || sarif || !reportFile.reports.isEmpty
        if printsReference, reads || printsTable || output.json {
            throw ValidationError("--reference cannot be combined with other options.")
        }
        if printsTable, reads { throw ValidationError("--table reads no index, and allows only --json.") }
        try documents.validate(for: reportFile)
    }

    /// Runs the command.
    static func main() {
        endIfMisspelt(Array(CommandLine.arguments.dropFirst()))
        main(nil)
    }

    func run() throws {
        try perform(translating: CommandFailure.init(unexpected:)) {
            if printsTable { return try TableReport().deliver(asJSON: output.json) }
            if printsReference { return try Terminal.write(SymbolTable.record.reference) }
            let files = try reportFile.files()
            let earlier = try baseline.map { try Baseline(named: $0) }
            var progress = ReadingProgress()
            let options = Audit.Options(
                index: index,
                project: project,
                library: library,
                modules: modules,
                sources: sources
            )
            let audit = try Audit.read(options) { progress.show($0, of: $1) }
            progress.finish()
            let report = AuditReport(
                audit,
                since: earlier,
                failsOnNew: failsOnNew,
                documents: documents.address
            )
            Terminal.diagnose("\(report.origin.visible)\n")
            let warnings =
                sarif || output.json
                ? report.warnings : failsOnNew ? [report.staleness].compactMap(\.self) : []
            for warning in warnings { Terminal.diagnose("audit: \(warning.visible)\n") }
            let evidence = Evidence(of: [.init(all: report.sources, noun: "source")])
            if sarif {
                try report.writeSARIF(to: Terminal.write)
                try report.write(to: files, made: evidence)
                try report.status.exit()
            } else {
                try report.deliver(asJSON: output.json, to: files, made: evidence)
            }
        }
    }
}

extension CommandFailure {
    fileprivate init(unexpected error: any Error) {
        self =
            error as? CommandFailure
            ?? CommandFailure(status: .fault, sentence: "An internal error: \(error.localizedDescription)")
    }
}

/// Shows the progress on a terminal if reading takes more than a second.
private struct ReadingProgress {
    private let clock = ContinuousClock()
    private var next: ContinuousClock.Instant
    private var isShown = false

    init() {
        next = clock.now + .seconds(1)
    }

    mutating func show(_ completed: Int, of total: Int) {
        guard Terminal.isErrorInteractive, clock.now > next else { return }
        next = clock.now + .milliseconds(100)
        isShown = true
        Terminal.diagnose("\r\u{1B}[Kreading \(completed) of \(total) records")
    }

    func finish() {
        if isShown { Terminal.diagnose("\r\u{1B}[K") }
    }
}

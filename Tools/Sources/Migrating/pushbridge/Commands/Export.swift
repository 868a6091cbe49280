import ArgumentParser
@_spi(PushBridgeTools) import CredentialMigration
import Foundation
@_spi(PushBridgeTools) import LegacyFiles
import LegacyStore
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals
import PushBridgeMigrating

/// The command `export`, which writes a legacy store from a credential store.
struct Export: ParsableCommand {
    /// The formats in which the command writes a legacy store.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case legacyStore = "legacy-store"
        case legacyJSON = "legacy-json"
        case migrationExport = "migration-export"
    }

    static let configuration = CommandConfiguration(
        abstract: "Write a credential store as a legacy store: the way back.",
        discussion: """
            A legacy-store is a keychain database by default. If the name of the file ends in .plist or .jsonl, it is a \
            property list or JSON lines. Without --include-secrets, only legacy-json can be written, and it contains no \
            secrets.
            """
    )

    @Argument(help: ArgumentHelp("The credential database.", valueName: "db"))
    var database: String

    @OptionGroup var key: KeyOptions
    @OptionGroup var output: OutputOptions

    @Option(name: .customLong("as"), help: "The format to write.")
    var format: Format

    @Option(name: .customLong("to"), help: ArgumentHelp("The new file; must not exist.", valueName: "file"))
    var file: String

    @Flag(name: .customLong("include-secrets"), help: "Write secrets in clear, as the legacy SDK does.")
    var includeSecrets = false

    func run() throws {
        try perform(storeRole: .input) {
            guard includeSecrets || format == .legacyJSON else {
                throw CommandFailure(
                    status: .usage,
                    sentence: "A \(format.rawValue) without secrets is of no use; add --include-secrets."
                )
            }
            let store = try Destination(path: database, keyFile: key.keyFile).open()
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
            for sentence in try LegacyFile.removeHalves(in: folder) {
                Terminal.diagnose("pushbridge: \(sentence.visible)\n")
            }
            let progress = Lock(ProgressBar())
            defer { progress.withValue { $0.finish() } }
            let export = CredentialExport(of: store) { completed, total in
                progress.withValue { $0.show("exporting", records: completed, of: total) }
            }
            let report = ExportReport(
                store: database,
                format: format.rawValue,
                file: file,
                includesSecrets: includeSecrets,
                summary: try write(export, to: URL(fileURLWithPath: file))
            )
            progress.withValue { $0.finish() }
            Terminal.diagnose(report.warnings)
            try report.deliver(asJSON: output.json)
        }
    }

    private func write(_ export: CredentialExport, to url: URL) throws -> ExportSummary {
        switch format {
        case .legacyJSON:
            return try export.write(to: LegacyJSONWriter(url, withholdingSecrets: !includeSecrets))
        case .migrationExport:
            return try export.write(to: MigrationExportWriter(url, exportedAt: Date()))
        case .legacyStore:
            switch url.pathExtension.lowercased() {
            case "plist": return try export.write(to: PropertyListStoreWriter(url))
            case "jsonl": return try export.write(to: JSONLinesStoreWriter(url))
            default: return try export.write(to: SQLiteStoreWriter(url, date: Date()))
            }
        }
    }
}

/// The report of `export`.
struct ExportReport: Report {
    let store: String
    let format: String
    let file: String
    let includesSecrets: Bool
    let summary: ExportSummary

    /// The warnings on stderr about what the file does not contain.
    var warnings: String {
        var lines: [String] = []
        if !includesSecrets {
            lines.append("Without secrets, the file restores no account; see --include-secrets.")
        }
        if !summary.leftOut.isEmpty {
            lines.append(
                "Left out, because the format \(format) cannot contain them: \(summary.leftOut.words)."
            )
            let names = summary.leftOutMechanisms.map(\.visible).joined(separator: ", ")
            if !names.isEmpty { lines.append("These mechanisms are not in the file: \(names).") }
        }
        if !summary.unreadable.isEmpty {
            let ids = summary.unreadable.joined(separator: ", ")
            lines.append("The database is damaged, and these records cannot be read: \(ids).")
        }
        return lines.map { "pushbridge: \($0)\n" }.joined()
    }

    var status: ExitStatus { summary.unreadable.isEmpty ? .success : .needsAttention }

    var text: String {
        var table = Table(("Kind", .left), ("Records", .right))
        for kind in LegacyRecordKind.allCases {
            if let count = summary.written[kind] { table.add(kind.plainName, "\(count)") }
        }
        return "export: \(store) -> \(file) (\(format))\n\n\(table.text)"
    }

    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let report: JSONValue = [
            "schema": 1, "command": "export", "store": .string(store), "file": .string(file),
            "format": .string(format), "secrets": .bool(includesSecrets),
            "written": .counts(summary.written), "leftOut": .counts(summary.leftOut),
            "leftOutMechanisms": .strings(summary.leftOutMechanisms),
            "unreadable": .strings(summary.unreadable),
        ]
        try write(Data(report.line.utf8))
    }
}

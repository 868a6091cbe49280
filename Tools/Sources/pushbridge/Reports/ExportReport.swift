import CredentialMigration
import Foundation
import PushBridgeCore

/// What `export` says.
struct ExportReport {
    let store: String
    let format: String
    let file: String
    let includesSecrets: Bool
    let summary: ExportSummary

    /// What a person must know before using the file, for stderr.
    var warnings: String {
        var lines: [String] = []
        if !includesSecrets {
            lines.append("Secrets were left out, so the file brings no account back; see --include-secrets.")
        }
        if !summary.leftOut.isEmpty {
            let kinds = LegacyRecordKind.allCases.compactMap { kind in
                summary.leftOut[kind].map { "\($0) \(kind.rawValue)" }
            }
            lines.append("A \(format) has no place for: \(kinds.joined(separator: ", ")).")
        }
        if !summary.unreadable.isEmpty {
            let ids = summary.unreadable.joined(separator: ", ")
            lines.append("The database is damaged, and these cannot be read: \(ids).")
        }
        return lines.map { "pushbridge: \($0)\n" }.joined()
    }

    /// The status to end with.
    var status: ExitStatus { summary.unreadable.isEmpty ? .success : .needsAttention }

    /// The report for a terminal.
    var text: String {
        var table = Table(("Kind", .left), ("Records", .right))
        for kind in LegacyRecordKind.allCases {
            if let count = summary.written[kind] { table.add(kind.rawValue, "\(count)") }
        }
        return "export: \(store) -> \(file) (\(format))\n\n\(table.text)"
    }

    /// The report as JSON.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let document = Document(
            store: store,
            file: file,
            format: format,
            secrets: includesSecrets,
            written: Self.byName(summary.written),
            leftOut: Self.byName(summary.leftOut),
            unreadable: summary.unreadable
        )
        return try encoder.encode(document) + Data("\n".utf8)
    }

    private static func byName(_ counts: [LegacyRecordKind: Int]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) })
    }

    private struct Document: Encodable {
        var schema = 1
        var command = "export"
        let store: String
        let file: String
        let format: String
        let secrets: Bool
        let written: [String: Int]
        let leftOut: [String: Int]
        let unreadable: [String]
    }
}

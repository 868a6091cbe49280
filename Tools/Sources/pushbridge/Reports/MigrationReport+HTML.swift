import CredentialMigration
import PushBridgeCommandLine
import PushBridgeCore

extension MigrationReport {
    var html: String { get throws { try PageTemplate.migration.html(content) } }

    private var content: JSONValue {
        [
            "title": .string("\(command): \(source)"), "command": .string(command),
            "source": .string(source), "container": .string(container), "destination": .string(destination),
            "mood": status == .success ? "good" : "bad", "verdict": .string(verdictSentence),
            "repairs": .optional(repairs),
            "shareOf": "outcome", "totalsHead": "Outcome", "totalsUnit": "Records",
            "shares": .array(shares), "totals": .array(rows.map(\.content)), "sum": .integer(records.count),
            "records": .array(records.map(row)),
        ]
    }

    private var verdictSentence: String {
        let attention = needingAttention(verifying: isVerified).count
        let proven = isVerified ? "accounted for and proven" : "accounted for"
        return switch (records.count, attention) {
        case (0, _): nothingIsLeft
        case (1, 0): "The one record is \(proven)."
        case (let count, 0): "All \(count) records are \(proven)."
        default: attentionSentence(attention)
        }
    }

    /// Each outcome with its width in the bar.
    private var shares: [JSONValue] {
        MigrationOutcome.allCases.filter { totals[$0] > 0 }.map { outcome in
            let name = JSONValue.string(outcome.rawValue)
            return ["style": name, "name": name, "count": .integer(totals[outcome])]
        }
    }

    private func row(_ record: MigrationRecord) -> JSONValue {
        let result = record.result
        return [
            "kind": .string(record.kind.plainName), "key": .string(record.key),
            // Wide parts scroll, also by keyboard.
            "isLong": .bool(record.key.utf8.count > 60),
            "outcome": .string(result.outcome.rawValue),
            "reason": .string(record.reason ?? (record.isRepaired ? "repaired" : "")),
            "proven": result.isVerified ? "proven" : "not proven",
            "credential": .string(result.credentialId ?? ""),
        ]
    }
}

extension MigrationReport.Row {
    fileprivate var content: JSONValue {
        [
            "style": .string(outcome.rawValue), "name": .string(name), "count": .integer(count),
            "meaning": .string(meaning),
        ]
    }
}

import CredentialMigration
import PushBridgeCore

extension MigrationReport {
    /// How many records are listed one by one; `--json` and `--report` list all.
    private static let listed = 40

    /// The report for a terminal.
    var text: String {
        let attention = needingAttention(verifying: isVerified)
        return """
            \(headline)

            \(totalsTable)
            \(attention.isEmpty ? "" : table(of: attention))\(repairs.map { "\($0)\n" } ?? "")\(verdict(attention.count))

            """
    }

    private var headline: String {
        let plural = records.count == 1 ? "record" : "records"
        return "\(command): \(source) (\(container), \(records.count) \(plural)) -> \(destination)"
    }

    private var totalsTable: String {
        var table = Table(("Outcome", .left), ("Records", .right), ("Meaning", .left))
        for outcome in MigrationOutcome.allCases where totals[outcome] > 0 {
            table.add(outcome.rawValue, "\(totals[outcome])", meaning(of: outcome))
        }
        return table.text
    }

    private func table(of attention: [MigrationRecord]) -> String {
        var table = Table(("Kind", .left), ("Key", .left), ("Outcome", .left), ("Reason", .left))
        for record in attention.prefix(Self.listed) {
            let reason = record.result.reason ?? "Could not be proven."
            table.add(record.kind.rawValue, record.key, record.result.outcome.rawValue, reason)
        }
        let rest = attention.count - Self.listed
        return
            "Needing attention\n\n\(table.text)\(rest > 0 ? "... and \(rest) more; see --report.\n" : "")\n"
    }

    private func verdict(_ attention: Int) -> String {
        switch (isVerified, attention) {
        case (true, 0): "All records are accounted for and proven. Nothing was removed from the source."
        case (false, 0): "All records will arrive or be kept. Nothing was written."
        case (true, _): "\(attention) of \(records.count) records need attention; they stay in the source."
        case (false, _): "\(attention) of \(records.count) records will need attention. Nothing was written."
        }
    }
}

extension MigrationReport {
    /// What an outcome means to a support engineer.
    func meaning(of outcome: MigrationOutcome) -> String {
        switch outcome {
        case .migrated where !isVerified: "will be converted, stored, read back and proven equivalent"
        case .migrated: "converted, stored, read back and proven equivalent"
        case .alreadyPresent: "the destination has the same already"
        case .kept: "no credential to make of it; kept for the way back"
        case .conflict: "the destination has something else under this id"
        case .unsupported: "sound, but the new model has no place for it; kept verbatim"
        case .damaged: "cannot be read, or lacks a required field"
        case .locked: "cannot be opened now; try again later"
        case .undecryptable: "cannot be opened ever; the user must enrol again"
        }
    }
}

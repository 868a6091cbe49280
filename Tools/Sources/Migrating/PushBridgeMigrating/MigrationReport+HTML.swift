import CredentialMigration
import Foundation
import PushBridgeCommandLine
import PushBridgeCore

extension MigrationReport {
    /// The maximum size in bytes of a table in a page; the JSON contains all rows.
    private static let budget = 500_000
    /// The maximum size in bytes of a row, not counting its texts.
    private static let frame = 260

    package var html: String { get throws { try PageTemplate.migration.html(content) } }

    private var content: JSONValue {
        let attention = needingAttention(verifying: isVerified)
        let accounts = accounts
        // Accounts that lose all push credentials or all one-time passwords come first. All other accounts follow in
        // the order of the source.
        let ordered = accounts.filter(\.needsAttention) + accounts.filter { !$0.needsAttention }
        let shownAccounts = Self.fitting(ordered) { $0.name.utf8.count }
        let shownAttention = Self.fitting(attention, size: size)
        let shown = Self.fitting(Array(records.indices), size: size)
        return [
            "title": .string("\(command): \(Self.name(source))"), "command": .string(command),
            "source": .string(Self.name(source)), "container": .string(container),
            "destination": .string(Self.name(destination)),
            "mood": status == .success ? "good" : "bad", "verdict": .string(verdictSentence),
            "accountSentence": .optional(AccountSummary.sentence(of: accounts)),
            "hasAttention": .bool(!attention.isEmpty), "attention": .array(shownAttention.map(attentionRow)),
            "moreAttention": Self.rest(attention.count - shownAttention.count),
            "hasAccounts": .bool(!accounts.isEmpty), "accounts": .array(shownAccounts.map(\.content)),
            "moreAccounts": Self.rest(accounts.count - shownAccounts.count),
            "repairs": .optional(repairs),
            "shareOf": "outcome", "totalsHead": "Outcome", "totalsUnit": "Records",
            "shares": .array(shares), "totals": .array(rows.map(\.content)), "sum": .integer(records.count),
            "records": .array(shown.map(row)), "moreRecords": Self.rest(records.count - shown.count),
        ]
    }

    /// Returns as many of the first rows as fit into a table of a page.
    private static func fitting<Row>(_ rows: [Row], size: (Row) -> Int) -> [Row] {
        var left = budget
        return Array(
            rows.prefix { row in
                left -= frame + size(row)
                return left >= 0
            }
        )
    }

    private func size(_ index: Int) -> Int {
        // The size of the key is doubled as a reserve, because escaping may turn one character into six.
        names.keys[index].utf8.count * 2 + (records[index].reason?.utf8.count ?? 0)
            + (names.credentialIds[index]?.utf8.count ?? 0)
    }

    private static func rest(_ count: Int) -> JSONValue { count > 0 ? .integer(count) : .null }

    /// Returns the name of a file without its folders, so that the page does not depend on the machine.
    private static func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

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

    /// The outcomes that occurred, each with the number of records that determines its width in the bar.
    private var shares: [JSONValue] {
        MigrationOutcome.allCases.filter { totals[$0] > 0 }.map { outcome in
            let name = JSONValue.string(outcome.rawValue)
            return ["style": name, "name": name, "count": .integer(totals[outcome])]
        }
    }

    private func attentionRow(_ index: Int) -> JSONValue {
        let record = records[index]
        return [
            "kind": .string(record.kind.plainName), "key": .string(names.keys[index]),
            "style": .string(record.result.outcome.rawValue), "outcome": .string(outcome(of: record)),
            "reason": .string(reason(of: index)),
        ]
    }

    private func row(_ index: Int) -> JSONValue {
        let record = records[index]
        return [
            "kind": .string(record.kind.plainName), "key": .string(names.keys[index]),
            // The template makes a wide cell scrollable with the mouse or the keyboard.
            "isLong": .bool(names.keys[index].utf8.count > 60),
            "outcome": .string(record.result.outcome.rawValue),
            "reason": .string(sentence(of: index) ?? (record.isRepaired ? "repaired" : "")),
            "proven": record.result.isVerified ? "proven" : "not proven",
            "credential": .string(names.credentialIds[index] ?? ""),
        ]
    }
}

extension AccountSummary {
    fileprivate var content: JSONValue {
        [
            "name": .string(name), "mood": needsAttention ? "different" : "migrated",
            "push": .string(push.words), "codes": .string(codes.words),
            "notifications": .string(notifications.words),
        ]
    }
}

extension AccountSummary.Count {
    fileprivate var words: String {
        if all == 0 { return "–" }
        return arriving == all ? "\(all)" : "\(arriving) of \(all)"
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

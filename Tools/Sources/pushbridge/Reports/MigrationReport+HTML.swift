import CredentialMigration
import PushBridgeCommandLine
import PushBridgeCore

extension MigrationReport {
    /// The report as one self-contained page: no script, no network, readable in light and dark and on a phone.
    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>pushbridge \(command.htmlEscaped): \(source.htmlEscaped)</title>
        <style>\(ReportStyle.css)\(filterStyle)</style>
        </head>
        <body>
        <h1>pushbridge \(command.htmlEscaped)</h1>
        <p class="route"><b>\(source.htmlEscaped)</b> (\(container.htmlEscaped)) → <b>\(destination.htmlEscaped)</b></p>
        <p class="verdict \(status == .success ? "good" : "bad")">\(verdictSentence)</p>
        \(repairs.map { "<p>\($0)</p>\n" } ?? "")\(picture)
        \(totalsSection)
        \(recordsSection)
        </body>
        </html>

        """
    }

    private var present: [MigrationOutcome] { MigrationOutcome.allCases.filter { totals[$0] > 0 } }

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

    /// One bar, each outcome as wide as its share.
    private var picture: String {
        let parts = present.map { outcome in
            """
            <span class="\(outcome.rawValue)" style="flex-grow:\(totals[outcome])" \
            title="\(outcome.rawValue): \(totals[outcome])"></span>
            """
        }
        return #"<div class="bar" role="img" aria-label="Share of each outcome">"# + parts.joined() + "</div>"
    }

    private var totalsSection: String {
        let rows = rows.map { row in
            """
            <tr><td class="outcome"><i class="\(row.outcome.rawValue)"></i>\(row.name)</td>\
            <td class="number">\(row.count)</td><td>\(row.meaning.htmlEscaped)</td></tr>
            """
        }
        return """
            <h2>Totals</h2>
            <div class="scroll"><table>
            <thead><tr><th>Outcome</th><th class="number">Records</th><th>Meaning</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))
            <tr class="sum"><td>records</td><td class="number">\(records.count)</td><td></td></tr></tbody>
            </table></div>
            """
    }

    private var recordsSection: String {
        let filters = present.map { outcome in
            """
            <input type="radio" name="filter" id="only-\(outcome.rawValue)">\
            <label for="only-\(outcome.rawValue)">\(outcome.rawValue)</label>
            """
        }
        return """
            <h2>Records</h2>
            <div class="records">
            <input type="radio" name="filter" id="all" checked><label for="all">all</label>
            \(filters.joined(separator: "\n"))
            <div class="scroll"><table>
            <thead><tr><th>Kind</th><th>Key</th><th>Outcome</th><th>Reason</th><th>Proven</th>\
            <th>Credential</th></tr></thead>
            <tbody>
            \(records.map(row).joined(separator: "\n"))
            </tbody>
            </table></div>
            </div>
            """
    }

    private func row(_ record: MigrationRecord) -> String {
        let result = record.result
        return """
            <tr class="r-\(result.outcome.rawValue)"><td>\(record.kind.plainName)</td>\
            <td><div class="key">\(record.key.htmlEscaped)</div></td>\
            <td class="outcome"><i class="\(result.outcome.rawValue)"></i>\(result.outcome.rawValue)</td>\
            <td class="reason">\((record.reason ?? (record.isRepaired ? "repaired" : "")).htmlEscaped)</td>\
            <td class="outcome">\(result.isVerified ? "proven" : "not proven")</td>\
            <td><div class="key">\((result.credentialId ?? "").htmlEscaped)</div></td></tr>
            """
    }

    /// Shows only the rows of the chosen outcome.
    private var filterStyle: String {
        present.map { outcome in
            "#only-\(outcome.rawValue):checked~.scroll tbody tr:not(.r-\(outcome.rawValue)){display:none}"
        }.joined(separator: "\n")
    }
}

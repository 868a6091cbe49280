import AuthenticatorCore
import CredentialMigration

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
        <style>\(Self.style)\(filterStyle)</style>
        </head>
        <body>
        <h1>pushbridge \(command.htmlEscaped)</h1>
        <p class="route"><b>\(source.htmlEscaped)</b> (\(container.htmlEscaped)) → <b>\(destination.htmlEscaped)</b></p>
        <p class="verdict \(status == .success ? "good" : "bad")">\(verdictSentence)</p>
        \(picture)
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
        return attention == 0
            ? "All \(records.count) records are \(proven)."
            : "\(attention) of \(records.count) records need attention; they stay in the source."
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
        let rows = present.map { outcome in
            """
            <tr><td><i class="\(outcome.rawValue)"></i>\(outcome.rawValue)</td>\
            <td class="number">\(totals[outcome])</td><td>\(outcome.meaning.htmlEscaped)</td></tr>
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
            <thead><tr><th>Kind</th><th>Key</th><th>Outcome</th><th>Proven</th><th>Credential</th><th>Reason</th></tr></thead>
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
            <tr class="r-\(result.outcome.rawValue)"><td>\(record.kind.rawValue)</td>\
            <td class="key">\(record.key.htmlEscaped)</td>\
            <td><i class="\(result.outcome.rawValue)"></i>\(result.outcome.rawValue)</td>\
            <td>\(result.isVerified ? "yes" : "no")</td>\
            <td class="key">\((result.credentialId ?? "").htmlEscaped)</td>\
            <td>\((result.reason ?? "").htmlEscaped)</td></tr>
            """
    }

    /// Shows only the rows of the chosen outcome.
    private var filterStyle: String {
        present.map { outcome in
            "#only-\(outcome.rawValue):checked~.scroll tbody tr:not(.r-\(outcome.rawValue)){display:none}"
        }.joined(separator: "\n")
    }

    private static let style = """
        :root{--ink:#1d2430;--paper:#fff;--line:#d8dde6;--soft:#5d6878;--tint:#f4f6f9}
        @media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--paper:#14181f;--line:#333c49;--soft:#9aa6b6;--tint:#1c222b}}
        body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:2rem auto;
        max-width:72rem;padding:0 1rem}
        h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}
        .route{color:var(--soft);overflow-wrap:anywhere}.verdict{font-weight:600;border-left:4px solid;padding-left:.75rem}
        .good{border-color:#2f9e5f}.bad{border-color:#d9480f}
        .bar{display:flex;height:1.25rem;border-radius:.4rem;overflow:hidden;gap:1px}.bar span{min-width:3px}
        .scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}
        th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
        th{color:var(--soft);font-weight:600}.number{text-align:right;font-variant-numeric:tabular-nums}
        .sum td{font-weight:600}.key{overflow-wrap:anywhere;min-width:12rem}
        tbody tr:hover{background:var(--tint)}
        i{display:inline-block;width:.65rem;height:.65rem;border-radius:50%;margin-right:.5rem}
        .records>input{position:absolute;opacity:0}
        .records>label{display:inline-block;padding:.2rem .7rem;margin:0 .3rem .6rem 0;border:1px solid var(--line);
        border-radius:1rem;cursor:pointer}
        .records>input:checked+label{background:var(--ink);color:var(--paper)}
        .records>input:focus-visible+label{outline:2px solid #4c8dff}
        .migrated{background:#2f9e5f}.alreadyPresent{background:#3b82c4}.kept{background:#7a8aa0}
        .conflict{background:#d9480f}.unsupported{background:#b8860b}.damaged{background:#c92a4b}
        .locked{background:#8250c4}.undecryptable{background:#8b1e3f}

        """
}

import PushBridgeCommandLine
import PushBridgeCore

extension StoresReport {
    /// The report as one self-contained page, as that of one store is.
    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="pushbridge-job" content="\(job)">
        <title>pushbridge migrate: \(folder.htmlEscaped)</title>
        <style>\(ReportStyle.css)</style>
        </head>
        <body>
        <h1>pushbridge migrate</h1>
        <p class="route"><b>\(lines.count.counted("store"))</b> → <b>\(folder.htmlEscaped)</b></p>
        <p class="verdict \(status == .success ? "good" : "bad")">\(verdict.htmlEscaped)</p>
        \(picture)
        <h2>Totals</h2>
        <div class="scroll"><table>
        <thead><tr><th>Outcome</th><th class="number">Records</th><th>Meaning</th></tr></thead>
        <tbody>\(rows.map(row).joined(separator: "\n"))
        <tr class="sum"><td>records</td><td class="number">\(totals["records"] ?? 0)</td><td></td></tr></tbody>
        </table></div>
        <h2>Stores</h2>
        <div class="records"><div class="scroll"><table>
        <thead><tr><th>Store</th><th>Database</th><th class="number">Records</th><th>Attention</th></tr></thead>
        <tbody>
        \((attention + lines.filter(\.result.isComplete)).map(row).joined(separator: "\n"))
        </tbody>
        </table></div></div>
        </body>
        </html>

        """
    }

    /// One bar, each outcome as wide as its share.
    private var picture: String {
        let parts = rows.map { row in
            """
            <span class="\(row.outcome.rawValue)" style="flex-grow:\(row.count)" \
            title="\(row.outcome.rawValue): \(row.count)"></span>
            """
        }
        return #"<div class="bar" role="img" aria-label="Share of each outcome">"# + parts.joined() + "</div>"
    }

    private func row(_ row: Row) -> String {
        """
        <tr><td class="outcome"><i class="\(row.outcome.rawValue)"></i>\(row.outcome.rawValue)</td>\
        <td class="number">\(row.count)</td><td>\(row.meaning.htmlEscaped)</td></tr>
        """
    }

    private func row(_ line: Line) -> String {
        let reasons = line.result.reasons.map { reason in
            "<br>\(reason.records) \(reason.outcome): \(reason.reason.htmlEscaped)"
        }
        return """
            <tr><td><div class="key">\(line.source.htmlEscaped)</div></td>\
            <td><div class="key">\(line.result.failure == nil ? line.destination.htmlEscaped : "")</div></td>\
            <td class="number">\(line.result.records)</td>\
            <td class="reason">\(line.result.attention.htmlEscaped)\(reasons.joined())</td></tr>
            """
    }
}

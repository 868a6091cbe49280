import PushBridgeCore
import PushParity

extension ParityReport {
    /// How many scenarios that are as they should be are shown step by step.
    private static let detailed = 150

    /// The report as one self-contained page: no script, no network, readable in light and dark and on a phone.
    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" href="data:,">
        <title>pushbridge parity</title>
        <style>\(ReportStyle.css)\(ParityStyle.css)</style>
        </head>
        <body>
        <h1>pushbridge parity</h1>
        <p class="route">Each scenario was played twice, through <b>FRAuthenticator</b> and through <b>PingPush</b>, \
        on equal stores against equal servers.</p>
        <p class="verdict \(status == .success ? "good" : "bad")">\(verdict.htmlEscaped)</p>
        <h2>Scenarios</h2>
        \(scenarioSections)
        \(divergenceSection)
        </body>
        </html>

        """
    }

    private var divergenceSection: String {
        guard !shown.isEmpty else { return "" }
        let rows = shown.map { divergence, count in
            """
            <tr><td class="outcome" id="\(divergence.id.htmlEscaped)">\(divergence.id.htmlEscaped)</td>\
            <td class="number">\(count)</td><td class="reason of-legacy">\(divergence.legacy.htmlWithCode)</td>\
            <td class="reason of-async">\(divergence.async.htmlWithCode)</td>\
            <td class="reason">\(divergence.reason.htmlWithCode)</td></tr>
            """
        }
        return """
            <h2>Different by design</h2>
            <div class="register"><table>
            <thead><tr><th>Name</th><th class="number">Scenarios</th><th>FRAuthenticator</th><th>PingPush</th>\
            <th>Why</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table></div>
            """
    }

    private var scenarioSections: String {
        let others = results.filter { $0.verdict != .different }
        let hidden = others.count - Self.detailed
        let note =
            hidden > 0
            ? "<p class=\"route\">\(hidden) more are as they should be and not shown here.</p>" : ""
        return (different + others.prefix(Self.detailed)).map(\.htmlSection).joined(separator: "\n") + note
    }
}

extension String {
    /// The text escaped, with what is between backticks as code.
    fileprivate var htmlWithCode: String {
        split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
            let text = String(part).htmlEscaped
            return index.isMultiple(of: 2) ? text : "<code>\(text)</code>"
        }
        .joined()
    }
}

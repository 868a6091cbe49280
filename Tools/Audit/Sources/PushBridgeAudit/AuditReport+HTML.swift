import Foundation
import PushBridgeCommandLine
import PushBridgeSymbols

extension AuditReport {
    /// The report as one self-contained page: no script, no network, readable in light and dark and on a phone.
    public var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" href="data:,">
        <title>pushbridge audit</title>
        <style>\(ReportStyle.css)\(AuditStyle.css)</style>
        </head>
        <body>
        <h1>pushbridge audit</h1>
        <p class="route"><b>\(audit.project.htmlEscaped)</b>, from the index \(audit.index.htmlEscaped), written \
        \(audit.indexTime.ISO8601Format())</p>
        <p class="verdict \(audit.totals[.needsDecision] == nil ? "good" : "bad")">\(verdict.htmlEscaped)</p>
        \(warnings.map { "<p class=\"verdict bad\">\($0.htmlEscaped)</p>" }.joined(separator: "\n"))
        \(picture)
        \(totalsSection)
        \(divergenceSection)
        \(symbolSection)
        \(fileSection)
        \(mentionSection)
        \(unusedSection)
        </body>
        </html>

        """
    }

    /// One bar, each class as wide as its share.
    private var picture: String {
        let parts = Work.allCases.compactMap { work in
            audit.totals[work].map { count in
                "<span class=\"\(work.style)\" style=\"flex-grow:\(count)\" title=\"\(work.rawValue): \(count)\"></span>"
            }
        }
        return "<div class=\"bar\" role=\"img\" aria-label=\"Share of each class\">\(parts.joined())</div>"
    }

    private var totalsSection: String {
        let rows = Work.allCases.map { work in
            """
            <tr><td class="outcome"><i class="\(work.style)"></i>\(work.rawValue)</td>\
            <td class="number">\(audit.totals[work] ?? 0)</td><td>\(work.meaning.htmlEscaped)</td></tr>
            """
        }
        return section(
            "Effort",
            head: "<th>Class</th><th class=\"number\">Uses</th><th>What it means</th>",
            rows: rows
        )
    }

    /// Only what this app's own uses can meet.
    private var divergenceSection: String {
        let groups = audit.divergences.map { register, divergence, uses in
            """
            <details class="reason-group" id="\(divergence.id)"><summary><b>\(divergence.id)</b> \
            <span class="soft">\(register.rawValue), \(uses.count) \(uses.count == 1 ? "use" : "uses")</span> \
            \(divergence.why.htmlWithCode)</summary>
            <p>\(divergence.sentence.htmlWithCode) <span class="soft">\(divergence.place.description)</span></p>
            <ul>\(uses.map { "<li>\(link(to: audit.uses[$0]))</li>" }.joined())</ul></details>
            """
        }
        return groups.isEmpty
            ? "" : "<h2>What behaves otherwise for this app</h2>\n\(groups.joined(separator: "\n"))"
    }

    private var symbolSection: String {
        let uses = Dictionary(grouping: audit.uses, by: \.symbol)
        let order = audit.symbols.indices.sorted { left, right in
            let (first, second) = (audit.symbols[left], audit.symbols[right])
            return (first.work.order, first.spelling) < (second.work.order, second.spelling)
        }
        let rows = order.map { index in
            let symbol = audit.symbols[index]
            return """
                <tr><td class="outcome"><i class="\(symbol.work.style)"></i>\(symbol.work.rawValue)</td>\
                <td><div class="key"><code>\(symbol.spelling.htmlEscaped)</code></div></td>\
                <td class="number">\(uses[index]?.count ?? 0)</td><td>\(symbol.becomes.htmlWithCode)</td>\
                <td class="reason">\(symbol.remark.plainLinks.htmlWithCode)</td>\
                <td class="soft">\(symbol.guide ?? "")</td></tr>
                """
        }
        return section(
            "By kind of work",
            head:
                "<th>Class</th><th>Symbol</th><th class=\"number\">Uses</th><th>Becomes</th><th>Remark</th>"
                + "<th>In PushBridge's documents</th>",
            rows: rows
        )
    }

    private var fileSection: String {
        let uses = Dictionary(grouping: audit.uses.indices) { audit.uses[$0].file }
        let parts = audit.files.enumerated().map { index, file in
            let places = uses[index] ?? []
            let counts = Work.allCases.compactMap { work in
                let count = places.filter { audit.symbols[audit.uses[$0].symbol].work == work }.count
                return count == 0 ? nil : "\(count) \(work.rawValue)"
            }
            return """
                <details class="reason-group"><summary><b>\(file.htmlEscaped)</b> \
                <span class="soft">\(places.count): \(counts.joined(separator: ", "))</span></summary>
                <div class="scroll"><table><tbody>
                \(places.map(row).joined(separator: "\n"))
                </tbody></table></div></details>
                """
        }
        return parts.isEmpty ? "" : "<h2>By file</h2>\n\(parts.joined(separator: "\n"))"
    }

    private func row(_ index: Int) -> String {
        let use = audit.uses[index]
        let symbol = audit.symbols[use.symbol]
        return """
            <tr><td class="number">\(use.line):\(use.column)</td>\
            <td class="outcome"><i class="\(symbol.work.style)"></i>\(symbol.work.rawValue)\
            \(new.contains(index) ? ", new" : "")</td>\
            <td><code>\(symbol.spelling.htmlEscaped)</code></td><td>\(use.role.rawValue)</td>\
            <td>\((use.enclosing.map { audit.names[$0] } ?? "").htmlEscaped)</td>\
            <td>\(symbol.becomes.htmlWithCode)</td></tr>
            """
    }

    private var mentionSection: String {
        let rows = audit.mentions.map { mention in
            "<tr><td class=\"key\">\(mention.file.htmlEscaped):\(mention.line)</td>"
                + "<td><code>\(mention.text.htmlEscaped)</code></td></tr>"
        }
        return rows.isEmpty
            ? "" : section("Manifests and imports", head: "<th>Place</th><th>Line</th>", rows: rows)
    }

    private var unusedSection: String {
        let items = audit.unusedRows.map { "<li>\($0.subject.htmlEscaped)</li>" }.joined()
        return """
            <h2>Not used at all</h2>
            <details><summary>\(audit.unusedRows.count) rows of docs/symbols.md do not concern this app</summary>\
            <ul>\(items)</ul></details>
            """
    }

    private func section(_ title: String, head: String, rows: [String]) -> String {
        """
        <h2>\(title)</h2>
        <div class="scroll"><table><thead><tr>\(head)</tr></thead>
        <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
        """
    }

    private func link(to use: Audit.Use) -> String {
        let around = use.enclosing.map { " in \(audit.names[$0])" } ?? ""
        return "\(audit.place(of: use))\(around)".htmlEscaped
    }
}

extension Work {
    fileprivate var style: String {
        switch self {
        case .stays: "kept"
        case .rename: "migrated"
        case .needsAwait: "alreadyPresent"
        case .needsDecision: "conflict"
        }
    }

    /// Decisions first.
    fileprivate var order: Int { -(Work.allCases.firstIndex(of: self) ?? 0) }
}

extension String {
    /// The text with links of Markdown as their words.
    fileprivate var plainLinks: String { replacing(#/\[([^\]]*)\]\([^)]*\)/#) { String($0.1) } }
}

/// How the page of an audit looks, beside ``ReportStyle``.
private enum AuditStyle {
    static let css = """
        .soft{color:var(--soft)}summary{cursor:pointer;overflow-wrap:anywhere}
        summary:focus-visible{outline:2px solid #4c8dff}
        .reason-group{border-bottom:1px solid var(--line);padding:.4rem 0}
        li{overflow-wrap:anywhere}code{overflow-wrap:anywhere}

        """
}

import PushBridgeCommandLine
import PushBridgeFleet

extension FleetReport {
    /// The report as one self-contained page: no script, no network, readable in light and dark and without colour.
    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" href="data:,">
        <title>pushbridge fleet: \(verdict.decision.rawValue)</title>
        <style>\(ReportStyle.css)\(Self.css)</style>
        </head>
        <body>
        <h1>pushbridge fleet</h1>
        <p class="route">\(input.htmlEscaped)</p>
        <p class="verdict \(verdict.decision == .continue ? "good" : "bad")">\(sentence.htmlEscaped)</p>
        \(causesHTML)
        \(sharesChart)
        \(daysChart)
        \(sections.filter { !$0.rows.isEmpty }.map(\.html).joined(separator: "\n"))
        </body>
        </html>

        """
    }

    private static let css = """
        svg{width:100%;height:auto;max-width:60rem;font:12px system-ui,sans-serif}
        svg text{fill:var(--ink)}svg .range{stroke:var(--ink);stroke-width:2}svg .limit{stroke:var(--red);stroke-width:2;
        stroke-dasharray:4 3}svg .point{fill:var(--paper);stroke:var(--ink);stroke-width:2}svg .over{fill:var(--red)}
        svg .axis{stroke:var(--line)}svg .part{stroke:var(--ink);stroke-width:1}

        """

    private var causesHTML: String {
        guard !verdict.causes.isEmpty else { return "" }
        let rows = verdict.causes.map {
            "<tr><td>\($0.decision.rawValue)</td><td>\($0.rule.rawValue)</td><td>\($0.sentence.htmlEscaped)</td></tr>"
        }
        return """
            <h2>Why</h2>
            <div class="scroll"><table>
            <thead><tr><th>Verdict</th><th>Rule</th><th>Row</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody>
            </table></div>
            """
    }

    /// Each share of the judged release between its bounds, beside its limit, in parts of the limit.
    private var sharesChart: String {
        let shares = shares.filter { $0.group.release == verdict.release && $0.group.system == nil }
        guard !shares.isEmpty else { return "" }
        let (left, width, height) = (150.0, 420.0, 26.0)
        // Twice the limit is the end of the scale.
        func place(_ share: Double, _ limit: Double) -> Double {
            left + width * min(1, limit == 0 ? (share > 0 ? 1 : 0) : share / limit / 2)
        }
        let rows = shares.enumerated().map { index, share in
            let y = height * Double(index) + 30
            let (low, high) = (place(share.bound.lower, share.limit), place(share.bound.upper, share.limit))
            let point = place(share.bound.share, share.limit)
            let isOver = share.bound.lower > share.limit
            let words = """
                \(share.bound.count) of \(share.bound.total), \(share.bound.share.percent) \
                (\(share.bound.lower.percent) to \(share.bound.upper.percent)), limit \(share.limit.percent)\
                \(isOver ? ": above" : "")
                """
            let name = share.measure.rawValue + (share.group.step == "apply" ? "" : ", \(share.group.step)")
            return """
                <text x="0" y="\(y + 4)">\(name.htmlEscaped)</text>\
                <line class="range" x1="\(low)" x2="\(high)" y1="\(y)" y2="\(y)"/>\
                <circle class="point\(isOver ? " over" : "")" cx="\(point)" cy="\(y)" r="5"/>\
                <text x="\(left + width + 15)" y="\(y + 4)">\(words)</text>
                """
        }
        let bottom = height * Double(shares.count) + 24
        return """
            <h2>Shares of \((verdict.release ?? "").htmlEscaped) and their limits</h2>
            <svg viewBox="0 0 1000 \(bottom + 10)" role="img" aria-label="Each share with its bounds beside its limit">
            <text x="\(left)" y="12">0</text><text x="\(left + width / 2 - 14)" y="12">limit</text>\
            <text x="\(left + width - 60)" y="12">twice or more</text>
            <line class="axis" x1="\(left)" x2="\(left)" y1="18" y2="\(bottom)"/>
            <line class="limit" x1="\(left + width / 2)" x2="\(left + width / 2)" y1="18" y2="\(bottom)"/>
            \(rows.joined(separator: "\n"))
            </svg>
            """
    }

    /// Attempts by day, of the judged release, a bar each: what did not end well is hatched at its end.
    private var daysChart: String {
        let rows = rows(.outcomesByDay).filter {
            $0.words("appVersion") == verdict.release && $0.words("step") == "apply"
                && $0.words("outcome") != "held"
        }
        let all = rows.reduce(0) { $0 + $1.number("attempts") }
        // Days of clocks that are wrong have a few attempts each.
        let days = Set(rows.map { $0.words("day") }).sorted().filter { day in
            let count = rows.filter { $0.words("day") == day }.reduce(0) { $0 + $1.number("attempts") }
            return count * 1000 >= all
        }
        guard days.count > 1 else { return "" }
        let counted = days.suffix(60).map { day -> (day: String, well: Int, badly: Int) in
            let own = rows.filter { $0.words("day") == day }
            let badly = own.filter { ["failed", "interrupted", "partial"].contains($0.words("outcome")) }
                .reduce(0) { $0 + $1.number("attempts") }
            return (day, own.reduce(0) { $0 + $1.number("attempts") } - badly, badly)
        }
        let most = Double(max(1, counted.map { $0.well + $0.badly }.max() ?? 1))
        let bars = counted.enumerated().map { index, day in
            let y = Double(index) * 22 + 4
            let (well, badly) = (Double(day.well) / most * 560, Double(day.badly) / most * 560)
            return """
                <text x="0" y="\(y + 13)">\(day.day)</text>\
                <rect class="part" x="110" y="\(y)" width="\(well)" height="16" fill="var(--green)"/>\
                <rect class="part" x="\(110 + well)" y="\(y)" width="\(badly)" height="16" fill="url(#hatch)"/>\
                <text x="\(120 + well + badly)" y="\(y + 13)">\(day.well + day.badly), \
                \(day.badly) failed, interrupted or partial</text>
                """
        }
        return """
            <h2>Attempts of \((verdict.release ?? "").htmlEscaped) by day, as the phones' clocks have it</h2>
            <svg viewBox="0 0 1000 \(counted.count * 22 + 8)" role="img" aria-label="Attempts by day">
            <defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
            <rect width="5" height="5" fill="var(--paper)"/><line x1="0" y1="0" x2="0" y2="5" stroke="var(--red)" \
            stroke-width="5"/></pattern></defs>
            \(bars.joined(separator: "\n"))
            </svg>
            """
    }
}

extension FleetSection {
    /// The table with its title.
    fileprivate var html: String {
        func cell(_ tag: String, _ text: String, _ index: Int) -> String {
            let attribute = columns[index].alignment == .right ? #" class="number""# : ""
            return "<\(tag)\(attribute)>\(text.htmlEscaped)</\(tag)>"
        }
        let head = columns.enumerated().map { cell("th", $1.title, $0) }.joined()
        let body = self.head.map { row in
            "<tr>\(row.enumerated().map { cell("td", $1, $0) }.joined())</tr>"
        }
        return """
            <h2>\(title.htmlEscaped)</h2>
            <div class="scroll"><table>
            <thead><tr>\(head)</tr></thead>
            <tbody>\(body.joined(separator: "\n"))</tbody>
            </table></div>
            \(rest.map { "<p class=\"soft\">\($0.htmlEscaped)</p>" } ?? "")
            """
    }
}

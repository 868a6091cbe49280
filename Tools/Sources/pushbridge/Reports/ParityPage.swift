import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeLab
import PushParity

extension ParityReport {
    /// How many scenarios are shown under one reason.
    private static let detailed = 20

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
        \(differentSection)
        \(notComparedSection)
        \(divergenceSection)
        \(sameSection)
        </body>
        </html>

        """
    }

    private var differentSection: String {
        different.isEmpty ? "" : "<h2>Different</h2>\n\(different.map(\.htmlSection).joined(separator: "\n"))"
    }

    private var notComparedSection: String {
        let results = results.filter { $0.verdict == .notCompared }
        guard !results.isEmpty else { return "" }
        return """
            <h2>Not compared</h2>
            <p class="soft">The sides did different things, or shared a store.</p>
            \(results.map(\.htmlSection).joined(separator: "\n"))
            """
    }

    /// What is different by design, folded by reason; a scenario is under its first reason and names the others.
    private var divergenceSection: String {
        guard !shown.isEmpty else { return "" }
        let byReason = Dictionary(grouping: results.filter { $0.verdict == .differentByDesign }) {
            $0.divergences.first?.divergence.id ?? ""
        }
        let groups = shown.map { divergence, count in
            let scenarios = byReason[divergence.id] ?? []
            let hidden = scenarios.count - Self.detailed
            return """
                <details class="reason-group" id="\(divergence.id.htmlEscaped)">
                <summary><i class="differentByDesign"></i><b>\(divergence.id.htmlEscaped)</b> \
                <span class="soft">\(count) \(count == 1 ? "scenario" : "scenarios")</span> \
                \(divergence.reason.htmlWithCode)</summary>
                <div class="sides"><div class="side"><div class="name">FRAuthenticator</div>\
                \(divergence.legacy.htmlWithCode)</div>\
                <div class="side"><div class="name">PingPush</div>\(divergence.async.htmlWithCode)</div></div>
                <p class="soft">\(divergence.place.htmlEscaped) of PushBridge</p>
                \(scenarios.prefix(Self.detailed).map(\.htmlSection).joined(separator: "\n"))
                \(hidden > 0 ? "<p class=\"soft\">\(hidden) more scenarios are not shown.</p>" : "")
                </details>
                """
        }
        return "<h2>Different by design</h2>\n\(groups.joined(separator: "\n"))"
    }

    private var sameSection: String {
        let names = results.filter { $0.verdict == .same }.map(\.scenario.name)
        guard !names.isEmpty else { return "" }
        let items = names.map { "<li>\($0.htmlEscaped)</li>" }.joined()
        return """
            <h2>Same</h2>
            <details><summary><i class="same"></i>\(names.count) \(names.count == 1 ? "scenario is" : "scenarios are") \
            the same on both APIs</summary><ul>\(items)</ul></details>
            """
    }
}

/// How the page of two timelines looks, beside ``ReportStyle``.
enum ParityStyle {
    static let css = """
        .same{background:none;border:1px solid var(--soft)}.differentByDesign{background:#3b82c4}.different{background:#d9480f}
        .scenario{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;padding:.4rem .8rem}
                .steps{padding-left:1.6rem;margin:.5rem 0}.steps>li{margin:.6rem 0;padding-bottom:.4rem}
        .step{overflow-wrap:anywhere}
        .sides{display:grid;grid-template-columns:1fr 1fr;gap:.8rem;margin-top:.3rem}
        .side{background:var(--tint);border-radius:.4rem;padding:.4rem .6rem;min-width:0}
        .name{color:var(--soft);font-size:.8rem}
        .request,.told,.changes{border-left:3px solid transparent;padding-left:.4rem;margin:.15rem 0}
        .meant{border-left-color:#3b82c4}.wrong{border-left-color:#d9480f}
        .differences{font-size:.85rem;margin-top:.3rem}.differences ul{list-style:none;padding:0;margin:.3rem 0}
        .differences li{border-left:3px solid;padding-left:.5rem;margin:.2rem 0;overflow-wrap:anywhere}
        .differences li.meant{border-color:#3b82c4}.differences li.wrong{border-color:#d9480f}
        .reason-group{border-bottom:1px solid var(--line);padding:.4rem 0}
        @media(max-width:45rem){.sides{grid-template-columns:1fr}.steps{padding-left:1.1rem}}

        """
}

extension ScenarioResult {
    /// The scenario as a part of the page that opens.
    var htmlSection: String {
        let ids = divergences.map { "<a href=\"#\($0.divergence.id)\">\($0.divergence.id)</a>" }
        let steps = scenario.steps.indices.map(htmlStep)
        return """
            <details class="scenario"\(verdict == .different ? " open" : "")>
            <summary><i class="\(verdict.rawValue)"></i><b>\(scenario.name.htmlEscaped)</b> \
            <span class="soft">\(verdict.words)</span></summary>
            <p class="soft">\(ids.isEmpty ? "" : "By design: \(ids.joined(separator: ", ")).")</p>
            \(labLink)
            <ol class="steps">
            \(steps.joined(separator: "\n"))
            </ol>
            </details>
            """
    }

    /// The scenario as a file in the page, and what opens it.
    private var labLink: String {
        do {
            let file = try scenario.file.base64EncodedString()
            return """
                <p><a download="scenario.json" href="data:application/json;base64,\(file)">Save the scenario</a> \
                <span class="soft">and open it in the lab:</span> <code>pushbridge lab --scenario scenario.json</code></p>
                """
        } catch {
            return ""
        }
    }

    private func htmlStep(_ index: Int) -> String {
        let step = scenario.steps[index]
        let marks = StepMarks(self, step: index + 1)
        // What is the same is not repeated where the scenario is as it should be.
        guard [.different, .notCompared].contains(verdict) || !marks.isEmpty else {
            return """
                <li><div class="step"><b>\(step.verb.words.htmlEscaped)</b> \(step.parameters.htmlEscaped) \
                <span class="soft">same</span></div></li>
                """
        }
        return """
            <li><div class="step"><b>\(step.verb.words.htmlEscaped)</b> \(step.parameters.htmlEscaped)</div>
            <div class="sides">
            \(htmlSide("FRAuthenticator", legacy.moments, index, marks))
            \(htmlSide("PingPush", async.moments, index, marks))
            </div>\(marks.html)</li>
            """
    }

    private func htmlSide(_ name: String, _ moments: [Moment], _ index: Int, _ marks: StepMarks) -> String {
        let before = index > 0 ? moments[index - 1] : nil
        return """
            <div class="side"><div class="name">\(name)</div>\
            \(moments[index].html(after: before, marks: marks))</div>
            """
    }
}

/// The marked places of a step: those of its differences, wrong ones before those by design.
struct StepMarks {
    private let wrong: [Difference]
    private let meant: [(id: String, difference: Difference)]

    init(_ result: ScenarioResult, step: Int) {
        wrong = result.differences.filter { $0.step == step }
        meant = result.divergences.flatMap { explained in
            explained.differences.filter { $0.step == step }.map { (explained.divergence.id, $0) }
        }
    }

    /// Whether nothing of the step is different.
    var isEmpty: Bool { wrong.isEmpty && meant.isEmpty }

    /// The class of what is at a path: differences within it colour it.
    func style(of path: String...) -> String {
        if wrong.contains(where: { $0.path.starts(with: path) }) { return " wrong" }
        return meant.contains { $0.difference.path.starts(with: path) } ? " meant" : ""
    }

    /// The differences themselves, below the two sides.
    var html: String {
        let lines =
            wrong.map { Self.line($0, style: "wrong", title: "different") }
            + meant.map { Self.line($0.difference, style: "meant", title: $0.id) }
        guard !lines.isEmpty else { return "" }
        let isOpen = wrong.isEmpty ? "" : " open"
        let count = lines.count == 1 ? "1 difference" : "\(lines.count) differences"
        return """
            <details class="differences"\(isOpen)><summary>\(count)</summary>\
            <ul>\(lines.joined())</ul></details>
            """
    }

    private static func line(_ difference: Difference, style: String, title: String) -> String {
        let legacy = (difference.legacy?.text ?? "nothing").htmlEscaped
        let async = (difference.async?.text ?? "nothing").htmlEscaped
        return """
            <li class="\(style)"><b>\(title.htmlEscaped)</b> <code>\(difference.place.htmlEscaped)</code>: \
            <code>\(legacy)</code> ↔ <code>\(async)</code></li>
            """
    }
}

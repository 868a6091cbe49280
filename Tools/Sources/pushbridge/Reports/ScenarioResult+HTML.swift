import PushBridgeCore
import PushParity

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
            <ol class="steps">
            \(steps.joined(separator: "\n"))
            </ol>
            </details>
            """
    }

    private func htmlStep(_ index: Int) -> String {
        let step = scenario.steps[index]
        let marks = StepMarks(self, step: index + 1)
        return """
            <li><div class="step"><b>\(step.verb.rawValue)</b> \(step.parameters.htmlEscaped)</div>
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

/// What is marked in a step: the places of its differences, wrong ones before those by design.
struct StepMarks {
    private let wrong: [Difference]
    private let meant: [(id: String, difference: Difference)]

    init(_ result: ScenarioResult, step: Int) {
        wrong = result.differences.filter { $0.step == step }
        meant = result.divergences.flatMap { explained in
            explained.differences.filter { $0.step == step }.map { (explained.divergence.id, $0) }
        }
    }

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

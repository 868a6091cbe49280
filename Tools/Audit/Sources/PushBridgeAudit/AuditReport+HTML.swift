import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeSymbols

extension AuditReport {
    /// The report as one self-contained page.
    ///
    /// The page has no scripts, loads nothing from the network, and supports light and dark mode and small screens.
    ///
    /// - Throws: `CommandFailure` if a page template is invalid.
    public var html: String { get throws { try PageTemplate.audit.html(content) } }

    private var content: JSONValue {
        let (divergences, files, mentions) = (divergences, files, mentions)
        return [
            "title": "audit", "command": "audit",
            "project": .string(audit.project), "index": .string(audit.index),
            "indexTime": .string(audit.indexTime.ISO8601Format()),
            "mood": audit.totals[.needsDecision] == nil ? "good" : "bad", "verdict": .string(verdict),
            "warnings": .array(warnings.map(JSONValue.string)),
            "decisions": .optional(decisionSentence),
            "shareOf": "class", "totalsHead": "Class", "totalsUnit": "Uses",
            "shares": .array(totals.filter { $0["count"] != 0 }), "totals": .array(totals),
            "hasDivergences": .bool(!divergences.isEmpty), "divergences": .array(divergences),
            "symbols": .array(symbols),
            "hasFiles": .bool(!files.isEmpty), "files": .array(files),
            "hasMentions": .bool(!mentions.isEmpty), "mentions": .array(mentions),
            "unusedCount": .integer(audit.unusedRows.count),
            "unused": .array(audit.unusedRows.map { .string($0.subject) }),
        ]
    }

    private var totals: [JSONValue] {
        Work.allCases.map { work in
            [
                "style": .string(work.style), "name": .string(work.rawValue),
                "count": .integer(audit.totals[work] ?? 0), "meaning": .string(work.meaning),
            ]
        }
    }

    /// The divergences that apply to this app's uses.
    private var divergences: [JSONValue] {
        audit.divergences.map { register, divergence, uses in
            [
                "id": .string(divergence.id), "register": .string(register.rawValue),
                "useCount": .string("\(uses.count) \(uses.count == 1 ? "use" : "uses")"),
                "why": .marked(divergence.why), "sentence": .marked(divergence.sentence),
                "place": .documentLink(divergence.place.description, at: documents),
                "places": .array(uses.map { .string(place(of: audit.uses[$0])) }),
            ]
        }
    }

    /// The symbols; those that require the most work come first.
    private var symbols: [JSONValue] {
        let uses = Dictionary(grouping: audit.uses.indices) { audit.uses[$0].symbol }
        let order = audit.symbols.indices.sorted { left, right in
            let (first, second) = (audit.symbols[left], audit.symbols[right])
            return (first.work.order, first.spelling) < (second.work.order, second.spelling)
        }
        return order.map { index in
            let symbol = audit.symbols[index]
            let guide = symbol.guide.map { JSONValue.documentLink($0, at: documents) }
            return [
                "style": .string(symbol.work.style), "work": .string(symbol.work.rawValue),
                "symbol": .string(symbol.spelling), "uses": .integer(uses[index]?.count ?? 0),
                "becomes": .marked(symbol.becomes),
                "guide": guide ?? .null,
                "remarks": .array(remarks(on: symbol, uses[index] ?? []).map { ["text": .marked($0)] }),
            ]
        }
    }

    /// Returns the decisions, followed by further remarks.
    private func remarks(on symbol: Audit.Symbol, _ uses: [Int]) -> [String] {
        let decisions = Set(uses.map { audit.decision(at: audit.uses[$0]) }).sorted()
        return (decisions + [symbol.remark.plainLinks]).filter { !$0.isEmpty }
    }

    private var files: [JSONValue] {
        let uses = Dictionary(grouping: audit.uses.indices) { audit.uses[$0].file }
        // These values are computed once for all rows, because there may be a hundred thousand rows.
        let shared = Shared(
            becomes: audit.symbols.map { .marked($0.becomes) },
            decisions: audit.decisions.mapValues(JSONValue.marked),
            enclosing: audit.names.map(JSONValue.string)
        )
        return audit.files.enumerated().map { index, file in
            let places = uses[index] ?? []
            let counts = Work.allCases.compactMap { work in
                let count = places.filter { audit.symbols[audit.uses[$0].symbol].work == work }.count
                return count == 0 ? nil : "\(count) \(work.rawValue)"
            }
            return [
                "file": .string(file),
                "counts": .string("\(places.count): \(counts.joined(separator: ", "))"),
                "uses": .array(places.map { row($0, shared) }),
            ]
        }
    }

    private struct Shared {
        let becomes: [JSONValue]
        let decisions: [Audit.MetKey: JSONValue]
        let enclosing: [JSONValue]
    }

    private func row(_ index: Int, _ shared: Shared) -> JSONValue {
        let use = audit.uses[index]
        let symbol = audit.symbols[use.symbol]
        return [
            "place": .string("\(use.line):\(use.column)"), "style": .string(symbol.work.style),
            "work": .string(symbol.work.rawValue + (new.contains(index) ? ", new" : "")),
            "symbol": .string(symbol.spelling), "role": .string(use.role.rawValue),
            "enclosing": use.enclosing.map { shared.enclosing[$0] } ?? "",
            "becomes": shared.becomes[use.symbol],
            "decision": shared.decisions[.init(symbol: use.symbol, role: use.role)] ?? .array([]),
        ]
    }

    private var mentions: [JSONValue] {
        audit.mentions.map { mention in
            ["place": .string("\(mention.file):\(mention.line)"), "line": .string(mention.text)]
        }
    }

    private func place(of use: Audit.Use) -> String {
        let around = use.enclosing.map { " in \(audit.names[$0])" } ?? ""
        return "\(audit.place(of: use))\(around)"
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

    /// The position in a sorted list, in which uses that need a decision come first.
    fileprivate var order: Int { -(Work.allCases.firstIndex(of: self) ?? 0) }
}

extension String {
    /// The text with each Markdown link replaced by its label.
    fileprivate var plainLinks: String { replacing(#/\[([^\]]*)\]\([^)]*\)/#) { String($0.1) } }
}

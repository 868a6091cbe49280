public import Foundation
public import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeSymbols

/// The report of `audit`.
public struct AuditReport: PageReport {
    /// The audit.
    public let audit: Audit
    /// The exit status.
    public let status: ExitStatus
    let baseline: Baseline?
    /// The indices of uses that the baseline does not contain.
    let new: Set<Int>
    /// The number of uses that only the baseline contains.
    let gone: Int
    /// The address below which PushBridge's documents are; `nil` if the user named none.
    let documents: String?

    /// Creates a report.
    /// - Parameters:
    ///   - audit: The audit.
    ///   - baseline: An earlier audit to compare with.
    ///   - failsOnNew: Whether the exit status is 1 if the audit has a use that the baseline does not contain, if a
    ///     file is missing from the audit's index but not from the baseline's index, or if a file changed after the
    ///     index was written.
    ///   - documents: The address below which PushBridge's documents are, for links on the page.
    public init(
        _ audit: Audit,
        since baseline: Baseline? = nil,
        failsOnNew: Bool = false,
        documents: String? = nil
    ) {
        self.audit = audit
        self.baseline = baseline
        self.documents = documents
        (new, gone) = baseline?.compare(audit) ?? ([], 0)
        let isWorse = !new.isEmpty || baseline?.isFuller(than: audit) == true || !audit.stale.isEmpty
        status = failsOnNew && isWorse ? .needsAttention : .success
    }

    /// The uses, the divergences, the totals and the warnings; on a terminal, the uses fit its width.
    public var text: String { text(columns: Terminal.width) }

    /// Returns the uses, the divergences, the totals and the warnings.
    /// - Parameter columns: The width of the terminal; `nil` prints each use in one line of any length.
    /// - Returns: The text.
    func text(columns: Int?) -> String {
        var text = ""
        if let columns {
            text += narrowText(columns)
        } else if !audit.uses.isEmpty {
            var table = Table(
                ("Place", .left),
                ("Symbol", .left),
                ("Role", .left),
                ("In", .left),
                ("Class", .left),
                ("Becomes", .left)
            )
            // The limit is large enough for long paths, because a truncated place cannot be opened.
            table.limit = 400
            let forms = audit.symbols.map(\.becomes.plain)
            for (index, use) in audit.uses.enumerated() {
                let symbol = audit.symbols[use.symbol]
                let alias = use.alias.map { " as \(audit.names[$0])" } ?? ""
                table.add(
                    audit.place(of: use),
                    symbol.spelling + alias,
                    use.role.rawValue,
                    use.enclosing.map { audit.names[$0] } ?? "",
                    symbol.work.rawValue + (new.contains(index) ? ", new" : ""),
                    forms[use.symbol]
                )
            }
            text += table.text + "\n"
        }
        text += divergenceText + totalsText + mentionText
        for warning in warnings { text += "\(warning)\n" }
        return text + "\(verdict)\n"
    }

    /// Returns the uses by file, each on one line that fits the terminal's width.
    private func narrowText(_ columns: Int) -> String {
        let uses = Dictionary(grouping: audit.uses.indices) { audit.uses[$0].file }
        let width = Work.allCases.map(\.rawValue.count).max() ?? 0
        return audit.files.indices.map { file in
            let lines = (uses[file] ?? []).map { index -> String in
                let use = audit.uses[index]
                let symbol = audit.symbols[use.symbol]
                let place = "\(use.line):\(use.column)".padding(toLength: 8, withPad: " ", startingAt: 0)
                let work = symbol.work.rawValue.padding(toLength: width, withPad: " ", startingAt: 0)
                let mark = new.contains(index) ? "new " : ""
                let line = "  \(place) \(work)  \(mark)\(symbol.spelling) -> \(symbol.becomes.plain)".visible
                return line.count <= columns ? line : line.prefix(max(0, columns - 1)) + "…"
            }
            return "\(audit.files[file].visible)\n\(lines.joined(separator: "\n"))\n\n"
        }
        .joined()
    }

    /// The number of decisions.
    ///
    /// All methods of one conformance to a protocol, or of one subclass, need one decision together.
    var decisions: Int {
        Set(
            audit.uses.filter { audit.symbols[$0.symbol].work == .needsDecision }.enumerated().map {
                index,
                use in
                let symbol = audit.symbols[use.symbol]
                guard use.role == .override, let enclosing = use.enclosing else { return "\(index)" }
                let type = audit.names[enclosing].split(separator: ".").dropLast().joined(separator: ".")
                return
                    "\(symbol.owners.joined(separator: ".")) \(type.isEmpty ? audit.files[use.file] : type)"
            }
        )
        .count
    }

    private var totalsText: String {
        var table = Table(("Class", .left), ("Uses", .right), ("What it means", .left))
        for work in Work.allCases {
            table.add(work.rawValue, "\(audit.totals[work] ?? 0)", work.meaning)
        }
        return "\(table.text)\(decisionSentence.map { "\($0)\n" } ?? "")\n"
    }

    /// The sentence about uses that share a decision; `nil` if no uses share one.
    var decisionSentence: String? {
        guard let uses = audit.totals[.needsDecision], uses > decisions else { return nil }
        let needed = decisions.counted("decision")
        return "\(uses) uses need \(needed): the methods of one conformance or subclass share one decision."
    }

    private var divergenceText: String {
        let met = audit.divergences
        guard !met.isEmpty else { return "" }
        let lines = met.map { _, divergence, uses in
            let first = uses.first.map { audit.place(of: audit.uses[$0]) } ?? ""
            let count = uses.count == 1 ? "1 use, at" : "\(uses.count) uses, the first at"
            return "  \(divergence.id) (\(count) \(first)): \(divergence.sentence.plain)\n"
        }
        let head = "Differences in behaviour for this app, each a row of PushBridge's docs/divergences.md:\n"
        return "\(head)\(lines.joined())\n"
    }

    private var mentionText: String {
        let manifests = audit.mentions.filter { $0.kind == .manifest }
        guard !manifests.isEmpty else { return "" }
        var table = Table(("Manifest", .left), ("Line", .left))
        table.limit = 400
        for mention in manifests { table.add("\(mention.file):\(mention.line)", mention.text) }
        return table.text + "\n"
    }

    /// Warnings about uses that the audit does not cover, and about modules that no source imports.
    public var warnings: [String] {
        var warnings: [String] = []
        if !audit.stale.isEmpty {
            warnings.append(
                "\(Self.list(audit.stale)) changed after the index was written: build again with "
                    + "\(audit.refreshCommand)."
            )
        }
        if !audit.unindexed.isEmpty {
            warnings.append(
                "Not counted: uses in files that import the legacy API but are not in the index "
                    + "(\(Self.list(audit.unindexed))). No built target contains these files, or a condition excludes "
                    + "them. Build all targets, including the tests, and audit again."
            )
        }
        if !audit.dependencies.isEmpty {
            warnings.append(
                "Not counted: uses in dependencies and generated files (\(Self.list(audit.dependencies))). To count "
                    + "these uses, name the folder of the files with --sources."
            )
        }
        for module in audit.unknownModules {
            warnings.append("No source imports a module \(module): --module expects the name in an import.")
        }
        return warnings
    }

    /// The sentence about sources that changed after the index was written; `nil` if there are none.
    public var staleness: String? { audit.stale.isEmpty ? nil : warnings.first }

    private static func list(_ files: [String]) -> String {
        let names = files.prefix(3).joined(separator: ", ")
        return switch files.count - 3 {
        case 1: "\(names) and 1 more file"
        case 2...: "\(names) and \(files.count - 3) more files"
        default: names
        }
    }

    var verdict: String {
        let imports = audit.mentions.filter { $0.kind == .import }.count
        var sentence: String
        if audit.uses.isEmpty {
            sentence = "No use of the legacy API in \(audit.indexedFiles.counted("file"))."
            if imports > 0 {
                sentence += " \(imports.counted("import")) \(imports == 1 ? "is" : "are") left."
            }
        } else {
            sentence =
                "\(audit.uses.count.counted("use")) of \(audit.symbols.count.counted("symbol")) in "
                + "\(audit.files.count) of \(audit.indexedFiles.counted("file"))."
        }
        if let baseline {
            sentence +=
                " Compared with the \(baseline.uses.counted("use")) of the baseline, "
                + "\(gone) \(gone == 1 ? "is" : "are") gone and \(new.count) \(new.count == 1 ? "is" : "are") new."
        }
        return sentence
    }

    /// The location and the time of the index, and the library that read it, for stderr.
    public var origin: String {
        "audit: \(audit.index), written \(audit.indexTime.ISO8601Format()), read with \(audit.library)"
    }
}

extension Audit {
    /// `file:line:column`, the format of compilers.
    func place(of use: Use) -> String { "\(files[use.file]):\(use.line):\(use.column)" }
}

extension String {
    /// The text without Markdown syntax.
    var plain: String { replacing("`", with: "").replacing(#/\[([^\]]*)\]\([^)]*\)/#) { String($0.1) } }
}

// MARK: - JSON

extension AuditReport {
    /// Writes the document: the input of the audit, its totals, divergences and symbols, and finally every use.
    /// - Parameter write: Receives the document in parts.
    /// - Throws: The errors of `write`.
    public func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        var head = head
        head["divergences"] = .array(
            audit.divergences.map { register, divergence, uses in
                .object([
                    "id": .string(divergence.id),
                    "register": .string(register.rawValue),
                    "sentence": .string(divergence.sentence),
                    "why": .string(divergence.why),
                    "anchor": .string(divergence.place.description),
                    "uses": .array(uses.map(JSONValue.integer)),
                ])
            }
        )
        head["symbols"] = .array(symbolList)
        var text = String(JSONValue.object(head).text.dropLast()) + ",\"uses\":["
        for (index, use) in audit.uses.enumerated() {
            text += (index == 0 ? "\n" : ",\n") + json(of: use, at: index)
            if text.utf8.count > 1 << 16 {
                try write(Data(text.utf8))
                text.removeAll(keepingCapacity: true)
            }
        }
        try write(Data((text + "]}\n").utf8))
    }

    private var head: [String: JSONValue] {
        var totals: [String: JSONValue] = [
            "uses": .integer(audit.uses.count), "files": .integer(audit.files.count),
            "symbols": .integer(audit.symbols.count), "indexedFiles": .integer(audit.indexedFiles),
            "decisions": .integer(decisions),
        ]
        for work in Work.allCases { totals[work.rawValue] = .integer(audit.totals[work] ?? 0) }
        var head: [String: JSONValue] = [
            "schema": 1,
            "index": .string(audit.index),
            "indexTime": .string(audit.indexTime.ISO8601Format()),
            "library": .string(audit.library),
            "project": .string(audit.project),
            "modules": .array(audit.modules.map(JSONValue.string)),
            "totals": .object(totals),
            "stale": .array(audit.stale.map(JSONValue.string)),
            "unindexed": .array(audit.unindexed.map(JSONValue.string)),
            "dependencies": .array(audit.dependencies.map(JSONValue.string)),
            "refresh": .string(audit.refreshCommand),
            "mentions": .array(
                audit.mentions.map { mention in
                    .object([
                        "kind": .string(mention.kind.rawValue), "file": .string(mention.file),
                        "line": .integer(mention.line), "text": .string(mention.text),
                    ])
                }
            ),
            "unused": .array(audit.unusedRows.map { .string($0.subject) }),
        ]
        if let baseline {
            head["baseline"] = .object([
                "uses": .integer(baseline.uses), "gone": .integer(gone), "new": .integer(new.count),
            ])
        }
        return head
    }

    private var symbolList: [JSONValue] {
        let counts = audit.uses.reduce(into: [Int: Int]()) { $0[$1.symbol, default: 0] += 1 }
        return audit.symbols.enumerated().map { index, symbol in
            .object([
                "symbol": .string(symbol.spelling),
                "module": .string(symbol.module),
                "class": .string(symbol.work.rawValue),
                "becomes": .string(symbol.becomes),
                "remark": .string(symbol.remark),
                "anchor": symbol.guide.map(JSONValue.string) ?? .null,
                "uses": .integer(counts[index] ?? 0),
            ])
        }
    }

    private func json(of use: Audit.Use, at index: Int) -> String {
        let symbol = audit.symbols[use.symbol]
        var members: [String: JSONValue] = [
            "file": .string(audit.files[use.file]),
            "line": .integer(Int(use.line)),
            "column": .integer(Int(use.column)),
            "symbol": .string(symbol.spelling),
            "module": .string(symbol.module),
            "role": .string(use.role.rawValue),
            "class": .string(symbol.work.rawValue),
            "becomes": .string(symbol.becomes),
        ]
        if let enclosing = use.enclosing { members["enclosing"] = .string(audit.names[enclosing]) }
        if let alias = use.alias { members["alias"] = .string(audit.names[alias]) }
        if let guide = symbol.guide { members["anchor"] = .string(guide) }
        let met = audit.divergences(of: use)
        if !met.isEmpty { members["divergences"] = .array(met.map { .string($0.id) }) }
        if symbol.work == .needsDecision { members["decision"] = .string(audit.decision(at: use)) }
        if baseline != nil { members["isNew"] = .bool(new.contains(index)) }
        return JSONValue.object(members).text
    }
}

extension Audit.Symbol {
    /// The place in the documentation; `nil` if the table of symbols contains neither the symbol nor its type.
    var guide: String? { entry?.place.description }
}

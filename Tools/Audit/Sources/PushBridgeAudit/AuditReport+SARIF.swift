public import Foundation
import PushBridgeCore
import PushBridgeSymbols

extension AuditReport {
    /// Writes the uses as SARIF 2.1.0, which code hosts and editors show at their places.
    /// - Parameter write: Takes the document part by part.
    /// - Throws: What `write` throws.
    public func writeSARIF(to write: @escaping (Data) throws -> Void) throws {
        let rules = Work.allCases.map { work -> JSONValue in
            .object([
                "id": .string(work.ruleID),
                "shortDescription": .object(["text": .string(work.rawValue)]),
                "fullDescription": .object(["text": .string(work.meaning)]),
                "defaultConfiguration": .object(["level": .string(work.level)]),
            ])
        }
        let driver: JSONValue = .object([
            "name": "pushbridge audit", "rules": .array(rules),
        ])
        let base = URL(fileURLWithPath: audit.project, isDirectory: true).absoluteString
        let head: [String: JSONValue] = [
            "tool": .object(["driver": driver]),
            "columnKind": "utf16CodeUnits",
            "originalUriBaseIds": .object(["PROJECT": .object(["uri": .string(base)])]),
        ]
        let schema = "https://json.schemastore.org/sarif-2.1.0.json"
        var text =
            "{\"$schema\":\"\(schema)\",\"version\":\"2.1.0\",\"runs\":["
            + JSONValue.object(head).text.dropLast() + ",\"results\":["
        var lines = SourceLines()
        for (index, use) in audit.uses.enumerated() {
            text += (index == 0 ? "\n" : ",\n") + result(of: use, at: index, &lines).text
            if text.utf8.count > 1 << 16 {
                try write(Data(text.utf8))
                text.removeAll(keepingCapacity: true)
            }
        }
        try write(Data((text + "]}]}\n").utf8))
    }

    private func result(of use: Audit.Use, at index: Int, _ lines: inout SourceLines) -> JSONValue {
        let symbol = audit.symbols[use.symbol]
        let file = audit.files[use.file]
        let isInside = !file.hasPrefix("/")
        let path = isInside ? URL(fileURLWithPath: audit.project).appendingPathComponent(file).path : file
        let column = lines.utf16Column(use.column, line: use.line, of: path)
        let location =
            isInside
            ? ["uri": JSONValue.string(file.percentEncoded), "uriBaseId": "PROJECT"]
            : ["uri": .string(URL(fileURLWithPath: file).absoluteString)]
        let identity = audit.identity(of: use)
        var result: [String: JSONValue] = [
            "ruleId": .string(symbol.work.ruleID),
            "level": .string(symbol.work.level),
            "message": .object(["text": .string(message(of: use))]),
            "locations": .array([
                .object([
                    "physicalLocation": .object([
                        "artifactLocation": .object(location),
                        "region": .object([
                            "startLine": .integer(Int(use.line)), "startColumn": .integer(column),
                        ]),
                    ])
                ])
            ]),
            "partialFingerprints": .object([
                "legacyUse/v1": .string("\(identity.symbol) \(identity.role) \(identity.enclosing)")
            ]),
        ]
        if baseline != nil { result["baselineState"] = new.contains(index) ? "new" : "unchanged" }
        return .object(result)
    }

    private func message(of use: Audit.Use) -> String {
        let symbol = audit.symbols[use.symbol]
        let sentence = "\(symbol.spelling) becomes \(symbol.becomes.plain)."
        return symbol.work == .needsDecision ? "\(sentence) \(audit.decision(at: use).plain)" : sentence
    }
}

extension Work {
    fileprivate var ruleID: String { rawValue.replacing(" ", with: "-") }

    fileprivate var level: String {
        switch self {
        case .stays: "none"
        case .rename, .needsAwait: "note"
        case .needsDecision: "warning"
        }
    }
}

/// Lines of sources, the last file kept, because uses are sorted by file.
private struct SourceLines {
    private var file = ""
    private var lines: [Substring.UTF8View] = []

    /// The column in units of UTF-16, from 1, of a column in bytes of UTF-8.
    mutating func utf16Column(_ column: UInt32, line: UInt32, of file: String) -> Int {
        if file != self.file {
            self.file = file
            do {
                let text = try String(contentsOfFile: file, encoding: .utf8)
                lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(\.utf8)
            } catch {
                lines = []
            }
        }
        let index = Int(line) - 1
        guard lines.indices.contains(index) else { return Int(column) }
        return String(decoding: lines[index].prefix(Int(column) - 1), as: UTF8.self).utf16.count + 1
    }
}

extension String {
    fileprivate var percentEncoded: String {
        addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? self
    }
}

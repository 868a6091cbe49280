public import Foundation
import PushBridgeCommandLine
@_spi(PushBridgeTools) import PushBridgeCore
import PushBridgeSymbols

extension AuditReport {
    /// Writes the uses as SARIF 2.1.0, so that code hosts and editors show them in the source.
    /// - Parameter write: Receives the document in parts.
    /// - Throws: The errors of `write`.
    public func writeSARIF(to write: @escaping (Data) throws -> Void) throws {
        let rules = Work.allCases.map { work -> JSONValue in
            .object([
                "id": .string(work.ruleID),
                "shortDescription": .object(["text": .string(work.rawValue)]),
                "fullDescription": .object(["text": .string(work.meaning)]),
                "help": .object(["text": .string(Self.help)]),
                "defaultConfiguration": .object(["level": .string(work.level)]),
            ])
        }
        let driver: JSONValue = .object([
            "name": "pushbridge audit", "semanticVersion": .string(PackageVersion.current),
            "rules": .array(rules),
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
        var messages: [Audit.MetKey: String] = [:]
        var seen: [Audit.Identity: Int] = [:]
        let locations = audit.files.map { location(of: $0).text }
        let paths = audit.files.map(path)
        for (index, use) in audit.uses.enumerated() {
            let kind = Audit.MetKey(symbol: use.symbol, role: use.role)
            let message = messages[kind] ?? JSONValue.object(["text": .string(message(of: use))]).text
            messages[kind] = message
            let column = lines.utf16Column(use.column, line: use.line, of: paths[use.file])
            let identity = audit.identity(of: use)
            let count = seen[identity, default: 0]
            seen[identity] = count + 1
            let fingerprint = JSONValue.string(identity.fingerprint(count)).text
            let work = audit.symbols[use.symbol].work
            // The text is concatenated, because encoding a hundred thousand uses as values would take too long.
            text += index == 0 ? "\n" : ",\n"
            if baseline != nil {
                text += "{\"baselineState\":\"\(new.contains(index) ? "new" : "unchanged")\","
            } else {
                text += "{"
            }
            // SARIF allows a level only for failures; results of other kinds must have `none`.
            if work == .stays { text += "\"kind\":\"informational\"," }
            text += "\"level\":\"\(work.level)\",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":"
            text +=
                "\(locations[use.file]),\"region\":{\"startColumn\":\(column),\"startLine\":\(max(use.line, 1))}}}],"
            text += "\"message\":\(message),\"partialFingerprints\":{\"legacyUse/v1\":\(fingerprint)},"
            text += "\"ruleId\":\"\(work.ruleID)\",\"ruleIndex\":\(work.ruleIndex)}"
            if text.utf8.count > 1 << 16 {
                try write(Data(text.utf8))
                text.removeAll(keepingCapacity: true)
            }
        }
        try write(Data((text + "]}]}\n").utf8))
    }

    private static let help =
        "The section \"Audit\" of PushBridge's MIGRATION.md explains the classes, and PushBridge's docs/symbols.md lists the "
        + "replacement of each symbol."

    /// The paths of the sources that contain uses.
    public var sources: [String] { audit.files.map(path) }

    /// Returns the absolute path of the file.
    private func path(of file: String) -> String {
        file.hasPrefix("/") ? file : URL(fileURLWithPath: audit.project).appendingPathComponent(file).path
    }

    private func location(of file: String) -> JSONValue {
        file.hasPrefix("/")
            ? ["uri": .string(URL(fileURLWithPath: file).absoluteString)]
            : ["uri": .string(file.percentEncoded), "uriBaseId": "PROJECT"]
    }

    private func message(of use: Audit.Use) -> String {
        let symbol = audit.symbols[use.symbol]
        var sentences = ["\(symbol.spelling), in the async API: \(symbol.becomes.plain)."]
        if symbol.work == .needsDecision { sentences.append(audit.decision(at: use).plain) }
        let places = [symbol.guide] + audit.divergences(of: use).map(\.place.description)
        sentences.append(
            "See \(places.compactMap { $0 }.joined(separator: ", ")) in PushBridge's repository."
        )
        return sentences.joined(separator: " ")
    }
}

extension Audit.Identity {
    /// Returns a text that identifies a use in later runs, even if lines above the use change.
    ///
    /// The count distinguishes uses that are otherwise equal.
    fileprivate func fingerprint(_ count: Int) -> String {
        "\(file) \(symbol) \(role) \(enclosing) \(count)"
    }
}

extension Work {
    fileprivate var ruleID: String { rawValue.replacing(" ", with: "-") }

    fileprivate var ruleIndex: Int { Work.allCases.firstIndex(of: self) ?? 0 }

    fileprivate var level: String {
        switch self {
        case .stays: "none"
        case .rename, .needsAwait: "note"
        case .needsDecision: "warning"
        }
    }
}

/// The lines of source files; only the last file is cached, because uses are sorted by file.
private struct SourceLines {
    private var file = ""
    private var lines: [Data] = []

    /// Converts a column in bytes of UTF-8 to a column in units of UTF-16; both columns start at 1.
    mutating func utf16Column(_ column: UInt32, line: UInt32, of file: String) -> Int {
        if file != self.file {
            self.file = file
            do {
                // The bytes are split, because in a `String` a carriage return and the following newline are one
                // `Character`.
                lines = try Data(contentsOf: URL(fileURLWithPath: file))
                    .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            } catch {
                lines = []
            }
        }
        let index = Int(line) - 1
        // An index contains 0 for an unknown line or column; SARIF counts from 1.
        let column = max(Int(column), 1)
        guard lines.indices.contains(index) else { return column }
        return String(decoding: lines[index].prefix(column - 1), as: UTF8.self).utf16.count + 1
    }
}

extension String {
    fileprivate var percentEncoded: String {
        addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? self
    }
}

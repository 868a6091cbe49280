public import Foundation
public import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeSymbols

/// The report of `audit --table`: the table of every legacy symbol's replacement, as in docs/symbols.md.
public struct TableReport: Report {
    /// The exit status, which is always success.
    public let status = ExitStatus.success

    /// Creates the report.
    public init() {}

    /// The tables in Markdown.
    public var text: String { SymbolTable.record.sections.map(\.markdown).joined(separator: "\n") }

    /// Writes one JSON object with the replacement of every symbol.
    /// - Parameter write: Receives the document.
    /// - Throws: The errors of `write`.
    public func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let symbols = SymbolTable.record.sections.flatMap { section in
            section.rows.flatMap { row in
                row.pairs.map { subject, becomes -> JSONValue in
                    .object([
                        "symbol": .string(subject.owner.map { "\($0).\(subject.name)" } ?? subject.name),
                        "becomes": .string(becomes),
                        "remark": .string(row.remark),
                        "class": .string(row.work.rawValue),
                        "anchor": .string(section.place.description),
                    ])
                }
            }
        }
        try write(Data(JSONValue.object(["schema": 1, "symbols": .array(symbols)]).line.utf8))
    }
}

import Foundation
import PushBridgeCommandLine
import PushBridgeCore

/// What a command says: in words, in JSON, and by its exit status.
protocol Report {
    /// The report for a terminal.
    var text: String { get }
    /// The status to end with.
    var status: ExitStatus { get }
    /// Writes the documented JSON.
    func writeJSON(to write: @escaping (Data) throws -> Void) throws
}

extension Report {
    /// Prints the report, does what else there is to do with it, and ends with its status.
    func deliver(asJSON: Bool, also finish: () throws -> Void = {}) throws {
        try asJSON ? writeJSON(to: Terminal.write) : Terminal.write(text)
        try finish()
        try status.exit()
    }
}

extension JSONValue {
    static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// How many records there are of each kind.
    static func counts(_ counts: [LegacyRecordKind: Int]) -> JSONValue {
        .object(Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, .integer($0.value)) }))
    }
}

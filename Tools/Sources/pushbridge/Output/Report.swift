import PushBridgeCommandLine
import PushBridgeCore

extension JSONValue {
    static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// The number of records of each kind.
    static func counts(_ counts: [LegacyRecordKind: Int]) -> JSONValue {
        .object(Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, .integer($0.value)) }))
    }
}

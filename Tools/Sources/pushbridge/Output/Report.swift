import PushBridgeCommandLine
import PushBridgeCore

extension JSONValue {
    static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// How many records there are of each kind.
    static func counts(_ counts: [LegacyRecordKind: Int]) -> JSONValue {
        .object(Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, .integer($0.value)) }))
    }
}

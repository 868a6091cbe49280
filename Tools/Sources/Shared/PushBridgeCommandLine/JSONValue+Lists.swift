package import PushBridgeCore

extension JSONValue {
    package static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// Returns an object with the number of records of each kind.
    package static func counts(_ counts: [LegacyRecordKind: Int]) -> JSONValue {
        .object(Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, .integer($0.value)) }))
    }
}

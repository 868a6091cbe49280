public import PushBridgeCore

extension JSONValue {
    /// The JSON of the value, as one line.
    public var line: String { "\(text)\n" }

    /// The text of a string value; `nil` for other values.
    public var plainText: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// Returns a string value, or null for `nil`.
    public static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}

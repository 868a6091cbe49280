public import PushBridgeCore

extension JSONValue {
    /// The value as one line.
    public var line: String { "\(text)\n" }

    /// The text; `nil` if the value is not text.
    public var plainText: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The text, or null.
    public static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}

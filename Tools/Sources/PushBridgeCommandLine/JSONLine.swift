public import PushBridgeCore

extension JSONValue {
    /// The value on a line of its own.
    public var line: String { "\(text)\n" }

    /// The text, or null.
    public static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}

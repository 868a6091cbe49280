public import Foundation

extension JSONValue {
    /// The value as JSON text: members in the order of their names, no white space, no escaped slashes.
    ///
    /// The same value always has the same text. A number that JSON cannot express becomes `null`.
    public var text: String {
        switch self {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .number(let number): number.isFinite ? String(number) : "null"
        case .string(let text): text.quotedForJSON
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
        case .object(let members): Self.text(of: members)
        }
    }

    /// ``text`` in UTF-8.
    public var data: Data { Data(text.utf8) }

    private static func text(of members: [String: JSONValue]) -> String {
        let sorted = members.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
        return "{\(sorted.map { "\($0.key.quotedForJSON):\($0.value.text)" }.joined(separator: ","))}"
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A flag.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// An object; of a repeated name the last counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

extension String {
    /// The text between quotes, with the escapes JSON demands and no others.
    fileprivate var quotedForJSON: String {
        var quoted = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x10: quoted += "\\u000\(String(scalar.value, radix: 16))"
            case _ where scalar.value < 0x20: quoted += "\\u00\(String(scalar.value, radix: 16))"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

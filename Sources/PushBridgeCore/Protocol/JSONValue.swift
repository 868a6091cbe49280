public import Foundation

/// A JSON value of any shape, for claims, policies and an app's own payload.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number that `Int` can represent.
    case integer(Int)
    /// Any other number.
    case number(Double)
    /// Text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members by name.
    case object([String: JSONValue])

    /// The maximum nesting that is parsed, so that hostile text cannot exhaust the stack.
    static let deepest = 32

    /// Parses UTF-8 JSON; `nil` if it is invalid or nested deeper than 32 levels.
    public init?(json: Data) {
        guard json.nestsAtMost(Self.deepest) else { return nil }
        do {
            self = try JSONDecoder().decode(JSONValue.self, from: json)
        } catch {
            return nil
        }
    }

    /// A member of an object; `nil` if it is absent or `null`, or if this value is not an object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name].flatMap { $0 == .null ? nil : $0 }
    }
}

extension JSONValue {
    /// The text; `nil` if the value is not text.
    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The number; `nil` if the value is not a number.
    package var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}

extension JSONValue: Decodable {
    /// Decodes any value.
    ///
    /// - Throws: `DecodingError` if the value is not JSON.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = value.decoded(String.self) {
            self = .string(text)
        } else if let members = value.decoded([String: JSONValue].self) {
            self = .object(members)
        } else if let number = value.decoded(Int.self) {
            self = .integer(number)
        } else if let flag = value.decoded(Bool.self) {
            self = .bool(flag)
        } else if let elements = value.decoded([JSONValue].self) {
            self = .array(elements)
        } else {
            self = .number(try value.decode(Double.self))
        }
    }
}

extension SingleValueDecodingContainer {
    fileprivate func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
        do {
            return try decode(type)
        } catch {
            return nil
        }
    }
}

extension Data {
    /// Returns whether brackets are nested at most `limit` levels deep.
    ///
    /// If the data contains a zero byte, the result is `false`, because the data is not JSON in UTF-8; it may be in
    /// UTF-16, for example.
    func nestsAtMost(_ limit: Int) -> Bool {
        var depth = 0
        var isText = false
        var isEscaped = false
        for byte in self {
            switch byte {
            case 0: return false
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isText
            case UInt8(ascii: "\""): isText.toggle()
            case _ where isText: continue
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: continue
            }
            guard depth <= limit else { return false }
        }
        return true
    }
}

extension JSONValue: Encodable {
    /// Encodes the value.
    ///
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number):
            // JSON cannot express infinity and NaN. They are encoded as `null`, so that the record can still be stored.
            if number.isFinite { try container.encode(number) } else { try container.encodeNil() }
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSONValue {
    /// The value as JSON text, with its members sorted by name, and without white space or escaped slashes.
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
    /// Creates a string, without parsing the text as JSON.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates an object.
    ///
    /// If a name is repeated, its last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

extension String {
    /// The text as a JSON string: in quotation marks, with only the escapes that JSON requires.
    fileprivate var quotedForJSON: String {
        let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        guard !isPlain else { return "\"\(self)\"" }
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

extension JSONValue {
    /// Converts Foundation's form of JSON or of a property list; `nil` for any other value.
    ///
    /// The result is also `nil` for a list with an element that cannot be converted. A member of an object that cannot
    /// be converted is left out. Values that are nested deeper than 32 levels cannot be converted.
    package init?(_ value: Any, depth: Int = 0) {
        guard depth <= 32 else { return nil }
        switch value {
        case let text as String: self = .string(text)
        case let number as NSNumber: self.init(number)
        case let elements as [Any]:
            let values = elements.compactMap { JSONValue($0, depth: depth + 1) }
            guard values.count == elements.count else { return nil }
            self = .array(values)
        case let members as [AnyHashable: Any]:
            self = .payload(members, depth: depth)
        case is NSNull: self = .null
        default: return nil
        }
    }

    /// Converts a number or flag.
    ///
    /// `objCType` distinguishes numbers from flags; a cast does not: `NSNumber(value: 1) as? Bool` is `true`.
    private init(_ number: NSNumber) {
        switch UInt8(bitPattern: number.objCType[0]) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): self = .bool(number.boolValue)
        case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .number(number.doubleValue)
        default: self = Int(exactly: number).map(JSONValue.integer) ?? .number(number.doubleValue)
        }
    }

    /// Converts a dictionary, such as the payload of a push.
    ///
    /// Members that are not JSON are left out, because the server cannot have sent them.
    package static func payload(_ members: [AnyHashable: Any], depth: Int = 0) -> JSONValue {
        var object: [String: JSONValue] = [:]
        for (name, value) in members {
            guard let name = name as? String, let value = JSONValue(value, depth: depth + 1) else { continue }
            object[name] = value
        }
        return .object(object)
    }

    /// The value as `JSONSerialization` returns it; for example, `as? Double` also succeeds for a whole
    /// number.
    package var foundationValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let flag): NSNumber(value: flag)
        case .integer(let number): NSNumber(value: number)
        case .number(let number): NSNumber(value: number)
        case .string(let text): text
        case .array(let elements): elements.map(\.foundationValue)
        case .object(let members): members.mapValues(\.foundationValue)
        }
    }
}

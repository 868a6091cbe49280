public import Foundation

/// A JSON value of any shape, for what has no fixed one: claims, policies and an app's own payload.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction.
    case integer(Int)
    /// Any other number.
    case number(Double)
    /// Text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members by name.
    case object([String: JSONValue])

    /// The deepest nesting that is read, so that hostile text cannot exhaust the stack.
    static let deepest = 32

    /// Reads UTF-8 JSON; `nil` if it is not JSON or nested deeper than 32 levels.
    public init?(json: Data) {
        guard json.nestsAtMost(Self.deepest) else { return nil }
        do {
            self = try JSONDecoder().decode(JSONValue.self, from: json)
        } catch {
            return nil
        }
    }

    /// A member of an object; `nil` if it is absent, `null`, or this is no object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name].flatMap { $0 == .null ? nil : $0 }
    }
}

extension JSONValue: Decodable {
    /// Reads whatever value is there.
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
    /// Whether brackets nest at most `limit` deep; never for another encoding than UTF-8, whose ASCII has zeros.
    fileprivate func nestsAtMost(_ limit: Int) -> Bool {
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

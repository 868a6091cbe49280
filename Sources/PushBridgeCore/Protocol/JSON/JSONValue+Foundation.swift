import Foundation

extension JSONValue {
    /// Takes a property list or JSON object as Foundation holds it; `nil` if it holds anything else or nests
    /// deeper than 32 levels.
    package init?(_ value: Any, depth: Int = 0) {
        guard depth <= 32 else { return nil }
        switch value {
        case let text as String: self = .string(text)
        case let flag as Bool: self = .bool(flag)
        case let number as Int: self = .integer(number)
        case let number as Double: self = .number(number)
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

    /// Takes a payload; members that are no JSON are left out, as they cannot be the server's.
    package static func payload(_ members: [AnyHashable: Any], depth: Int = 0) -> JSONValue {
        var object: [String: JSONValue] = [:]
        for (name, value) in members {
            guard let name = name as? String, let value = JSONValue(value, depth: depth + 1) else { continue }
            object[name] = value
        }
        return .object(object)
    }

    /// The value as Foundation holds it, for an app's own code that expects it so.
    package var foundationValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let flag): flag
        case .integer(let number): number
        case .number(let number): number
        case .string(let text): text
        case .array(let elements): elements.map(\.foundationValue)
        case .object(let members): members.mapValues(\.foundationValue)
        }
    }
}

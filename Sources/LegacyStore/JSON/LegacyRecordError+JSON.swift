extension LegacyRecordError {
    static func missing(_ field: String) -> LegacyRecordError {
        LegacyRecordError(.damaged, reason: "The field \(field) is missing.")
    }

    static func empty(_ field: String) -> LegacyRecordError {
        LegacyRecordError(.damaged, reason: "The field \(field) is empty.")
    }

    /// Names the type if it looks like one: in a damaged record it may be any text, even the secret.
    static func unsupported(type: String, besides secret: String) -> LegacyRecordError {
        let isName = 1...12 ~= type.utf8.count && type.utf8.allSatisfy { 0x61...0x7A ~= $0 }
        let name = isName && !secret.lowercased().contains(type) ? "type \(type)" : "an unknown type"
        return LegacyRecordError(.unsupported, reason: "Mechanisms of \(name) are not supported.")
    }

    /// Names the field that kept JSON from being decoded, never its value.
    init(_ error: any Error) {
        switch error {
        case let error as LegacyRecordError: self = error
        case DecodingError.keyNotFound(let key, let context): self = .missing(context.field(key))
        case DecodingError.valueNotFound(_, let context) where !context.codingPath.isEmpty:
            self = .missing(context.field())
        case DecodingError.valueNotFound: self.init(.damaged, reason: "The record is not an object.")
        case DecodingError.typeMismatch(let type, let context):
            self.init(.damaged, reason: "\(context.subject) is not \(description(of: type)).")
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init(.damaged, reason: "The field \(context.field()) has a value out of range.")
        default: self.init(.damaged, reason: "The record is not well-formed JSON.")
        }
    }
}

extension DecodingError.Context {
    fileprivate func field(_ key: (any CodingKey)? = nil) -> String {
        (codingPath + [key].compactMap(\.self)).map(\.stringValue).joined(separator: ".")
    }

    fileprivate var subject: String {
        codingPath.isEmpty ? "The record" : "The field \(field())"
    }
}

private func description(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "text"
    case is Bool.Type: "true or false"
    case is Double.Type, is Int.Type: "a number"
    default: "an object"
    }
}

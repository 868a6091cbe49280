extension LegacyRecordError {
    static func missing(_ field: String) -> LegacyRecordError {
        LegacyRecordError(.damaged, reason: "The field \(field) is missing.")
    }

    static func unsupported(type: String) -> LegacyRecordError {
        LegacyRecordError(.unsupported, reason: "Mechanisms of type \(type.prefix(20)) are not supported.")
    }

    /// Names the field that kept JSON from being decoded, never its value.
    init(_ error: any Error) {
        switch error {
        case let error as LegacyRecordError: self = error
        case DecodingError.keyNotFound(let key, let context): self = .missing(context.field(key))
        case DecodingError.valueNotFound(_, let context): self = .missing(context.field())
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

import Foundation
import PushBridgeCore

/// A field as a key of JSON.
struct LegacyJSONKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// Reads the fields of one JSON object in the shape of `toJson()` or of a migration export.
///
/// A key that is absent, which is how Android says it, and `null` are the same.
struct JSONFieldReader: LegacyFieldReader {
    var defaults = LegacyDefaults()
    private let members: KeyedDecodingContainer<LegacyJSONKey>
    private let isToken: Bool

    init(_ decoder: any Decoder, isToken: Bool = false) throws(LegacyRecordError) {
        do {
            members = try decoder.container(keyedBy: LegacyJSONKey.self)
        } catch {
            throw LegacyRecordError(error)
        }
        self.isToken = isToken
    }

    func name(of field: LegacyField) -> String {
        (members.codingPath.map(\.stringValue) + [field.jsonKey ?? field.rawValue]).joined(separator: ".")
    }

    /// Whether there is a key, be it with `null`.
    func contains(_ field: LegacyField) -> Bool {
        field.jsonKey.map { members.contains(LegacyJSONKey($0)) } ?? false
    }

    func text(_ field: LegacyField) throws(LegacyRecordError) -> String? {
        try read(String.self, field)
    }

    func secret(_ field: LegacyField) throws(LegacyRecordError) -> SharedSecret? {
        try text(field).flatMap { SharedSecret(utf8: $0) }
    }

    func integer(_ field: LegacyField) throws(LegacyRecordError) -> Int? {
        try read(Int.self, field)
    }

    func number(_ field: LegacyField) throws(LegacyRecordError) -> Double? {
        try read(Double.self, field)
    }

    /// Dates are milliseconds since 1970; those of device tokens are seconds on iOS.
    func date(_ field: LegacyField) throws(LegacyRecordError) -> Date? {
        try number(field).map {
            // 1e11 seconds is the year 5138, 1e11 ms is March 1973.
            Date(timeIntervalSince1970: isToken && $0 <= 1e11 ? $0 : $0 / 1000)
        }
    }

    func flag(_ field: LegacyField) throws(LegacyRecordError) -> Bool? {
        try read(Bool.self, field)
    }

    /// Reads the object in a field.
    func object(_ field: LegacyField) throws(LegacyRecordError) -> JSONFieldReader? {
        guard let key = field.jsonKey.map(LegacyJSONKey.init), contains(field) else { return nil }
        do {
            guard try !members.decodeNil(forKey: key) else { return nil }
            return try JSONFieldReader(try members.superDecoder(forKey: key))
        } catch {
            throw LegacyRecordError(error)
        }
    }

    private func read<Value: Decodable>(
        _ type: Value.Type,
        _ field: LegacyField
    ) throws(LegacyRecordError) -> Value? {
        guard let key = field.jsonKey else { return nil }
        do {
            return try members.decodeIfPresent(type, forKey: LegacyJSONKey(key))
        } catch {
            throw LegacyRecordError(error)
        }
    }
}

/// Writes the fields of one JSON object, dates in milliseconds.
struct JSONFieldWriter: LegacyFieldWriter {
    let form: LegacyForm
    private var members: KeyedEncodingContainer<LegacyJSONKey>
    private let isToken: Bool
    private let withholdsSecrets: Bool

    init(_ encoder: any Encoder, _ form: LegacyForm, isToken: Bool = false, withholdsSecrets: Bool = false) {
        self.form = form
        members = encoder.container(keyedBy: LegacyJSONKey.self)
        self.isToken = isToken
        self.withholdsSecrets = withholdsSecrets
    }

    /// Writes a text; for `nil`, an explicit `null` as iOS does, and nothing into an export.
    mutating func write(_ text: String?, for field: LegacyField) throws {
        try write(text as (any Encodable)?, field)
    }

    /// Writes the text of a secret, or `null` where secrets are withheld.
    mutating func write(_ secret: SharedSecret?, for field: LegacyField) throws {
        try write(withholdsSecrets ? nil : secret.map { $0.withUTF8 { $0 } }, for: field)
    }

    mutating func write(_ integer: Int?, for field: LegacyField) throws {
        if let integer { try write(integer as any Encodable, field) }
    }

    /// Writes a number, without a fraction when there is none.
    mutating func write(_ number: Double, for field: LegacyField) throws {
        if let whole = Int64(exactly: number) {
            try write(whole as any Encodable, field)
        } else {
            try write(number as any Encodable, field)
        }
    }

    mutating func write(_ date: Date, for field: LegacyField) throws {
        guard !isToken else { return try write(date.timeIntervalSince1970, for: field) }
        try write(date.millisecondsSince1970 as any Encodable, field)
    }

    mutating func write(_ flag: Bool, for field: LegacyField) throws {
        try write(flag as any Encodable, field)
    }

    /// Calls `body` with a writer of the object in a field.
    mutating func writeObject(
        for field: LegacyField,
        form: LegacyForm,
        _ body: (inout JSONFieldWriter) throws -> Void
    ) throws {
        guard let key = field.jsonKey else { return }
        var object = JSONFieldWriter(members.superEncoder(forKey: LegacyJSONKey(key)), form)
        try body(&object)
    }

    private mutating func write(_ value: (any Encodable)?, _ field: LegacyField) throws {
        guard let name = field.jsonKey else { return }
        let key = LegacyJSONKey(name)
        if let value {
            try members.encode(value, forKey: key)
        } else if form != .export {
            try members.encodeNil(forKey: key)
        }
    }
}

extension LegacyRecordError {
    static func absent(_ field: String) -> LegacyRecordError {
        .damaged("The field \(field) is missing or empty.")
    }

    /// Names the field that kept JSON from being decoded, never its value.
    init(_ error: any Error) {
        switch error {
        case let error as LegacyRecordError: self = error
        case DecodingError.keyNotFound(let key, let context): self = .absent(context.field(key))
        case DecodingError.valueNotFound(_, let context) where !context.codingPath.isEmpty:
            self = .absent(context.field())
        case DecodingError.valueNotFound: self = .damaged("The record is not an object.")
        case DecodingError.typeMismatch(let type, let context):
            self = .damaged("\(context.subject) is not \(description(of: type)).")
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            self = .damaged("The field \(context.field()) has a value out of range.")
        default: self = .damaged("The record is not well-formed JSON.")
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

import Foundation
import PushBridgeCore

/// Reads the fields of one JSON object in the format of `toJson()`, of a migration export, or of the successor SDK.
///
/// An absent key, as in Android's JSON, has the same meaning as `null`.
struct JSONFieldReader: LegacyFieldReader {
    enum DateForm {
        case milliseconds
        /// The dates of device tokens are in seconds on iOS and in milliseconds on Android.
        case secondsOrMilliseconds
        /// The dates of the successor SDK: seconds since 2001 in one-time-password credentials, otherwise ISO 8601
        /// text.
        case iso8601OrSecondsSince2001
    }

    var defaults = LegacyDefaults()
    var dates = DateForm.milliseconds
    /// For each field whose key differs from its key in `toJson()`, the key that this JSON uses.
    var names: [LegacyField: String] = [:]
    private let members: [String: JSONValue]
    private var path = ""

    init(_ value: JSONValue) throws(LegacyRecordError) {
        guard case .object(let members) = value else { throw .damaged("The record is not an object.") }
        self.members = members
    }

    init(_ json: Data) throws(LegacyRecordError) {
        guard let value = JSONValue(json: json) else {
            throw .damaged("The record is not well-formed JSON.")
        }
        try self.init(value)
    }

    func name(of field: LegacyField) -> String {
        path + (names[field] ?? field.jsonKey ?? field.rawValue)
    }

    func contains(_ name: String) -> Bool { members[name] != nil }

    func text(_ field: LegacyField) throws(LegacyRecordError) -> String? {
        try read(field, "text") { value in
            // Some addresses have the type `URL` in the SDK's types, and property list encoders write a `URL`
            // as an object.
            if field.isAddress, case .object(let members) = value {
                members["relative"]?.string
            } else {
                value.string
            }
        }
    }

    func integer(_ field: LegacyField) throws(LegacyRecordError) -> Int? {
        try read(field, "a whole number") { value in
            switch value {
            case .integer(let number): number
            case .number(let number): Int(exactly: number)
            default: nil
            }
        }
    }

    func number(_ field: LegacyField) throws(LegacyRecordError) -> Double? {
        try read(field, "a number", \.double)
    }

    func date(_ field: LegacyField) throws(LegacyRecordError) -> Date? {
        guard dates != .iso8601OrSecondsSince2001 else {
            return try read(field, "a date") { value in
                value.string.flatMap(Date.init(storedText:))
                    ?? value.double.map(Date.init(timeIntervalSinceReferenceDate:))
            }
        }
        return try number(field).map {
            // As seconds, 1e11 is a date in the year 5138; as milliseconds, it is a date in March 1973. So a number
            // up to 1e11 counts as seconds.
            Date(timeIntervalSince1970: dates == .secondsOrMilliseconds && $0 <= 1e11 ? $0 : $0 / 1000)
        }
    }

    func flag(_ field: LegacyField) throws(LegacyRecordError) -> Bool? {
        try read(field, "true or false") { if case .bool(let flag) = $0 { flag } else { nil } }
    }

    func object(_ name: String) throws(LegacyRecordError) -> JSONFieldReader? {
        switch members[name] {
        case nil, .null?: return nil
        case .object(let members)?:
            var reader = try JSONFieldReader(.object(members))
            reader.path = "\(path)\(name)."
            return reader
        default: throw .invalidField("The field \(path)\(name) is not an object.")
        }
    }

    private func read<Value>(
        _ field: LegacyField,
        _ kind: String,
        _ convert: (JSONValue) -> Value?
    ) throws(LegacyRecordError) -> Value? {
        guard let name = names[field] ?? field.jsonKey, let stored = members[name], stored != .null else {
            return nil
        }
        guard let value = convert(stored) else {
            throw .invalidField("The field \(self.name(of: field)) is not \(kind).")
        }
        return value
    }
}

/// Collects the fields of one JSON object; writes dates in milliseconds.
struct JSONFieldWriter: LegacyFieldWriter {
    typealias Failure = LegacyRecordError

    let form: LegacyForm
    private let withholdsSecrets: Bool
    private(set) var members: [String: JSONValue] = [:]

    init(_ form: LegacyForm, withholdsSecrets: Bool = false) {
        self.form = form
        self.withholdsSecrets = withholdsSecrets
    }

    /// Writes a value.
    ///
    /// A missing string is written as an explicit `null`, as on iOS. In an export, the key is omitted.
    mutating func write(_ value: LegacyFieldValue, for field: LegacyField) throws(LegacyRecordError) {
        guard let name = field.jsonKey else { return }
        switch value {
        case .null where form == .export: return
        case .null: members[name] = .null
        case .text(let text): members[name] = .string(text)
        case .secret where withholdsSecrets: members[name] = .null
        case .secret(let secret): members[name] = .string(secret.withUTF8 { $0 })
        case .integer(let integer): members[name] = .integer(integer)
        case .number(let number):
            guard number.isFinite else {
                throw .unsupported("A number in the record cannot be written as JSON.")
            }
            members[name] = Int(exactly: number).map(JSONValue.integer) ?? .number(number)
        case .date(let date): members[name] = .integer(Int(date.millisecondsSince1970))
        case .flag(let flag): members[name] = .bool(flag)
        }
    }

    mutating func write(_ object: JSONValue, for field: LegacyField) {
        if let name = field.jsonKey { members[name] = object }
    }
}

package import Foundation
package import PushBridgeCore

extension LegacyAccount {
    /// Reads an account in the format of `toJson()`.
    ///
    /// - Throws: ``LegacyRecordError`` or `DecodingError` if the data has another format.
    package init(legacyJSON decoder: any Decoder) throws {
        try self.init(fields: JSONFieldReader(decoder))
    }
}

extension LegacyMechanism {
    /// Reads a mechanism in the format of `toJson()`, or of a migration export.
    ///
    /// - Throws: ``LegacyRecordError`` or `DecodingError` if the data has another format.
    package init(legacyJSON decoder: any Decoder) throws {
        (self, _) = try JSONFieldReader(decoder).mechanism()
    }

    /// Returns the mechanism as an element of a migration export, without fields that do not apply.
    ///
    /// - Throws: ``LegacyRecordError`` if a number cannot be written as JSON.
    package func exportedJSON(account: LegacyAccount?) throws(LegacyRecordError) -> Data {
        var fields = JSONFieldWriter(.export)
        try write(to: &fields)
        if let account { fields.write(try account.jsonObject(), for: .account) }
        return JSONValue.object(fields.members).data
    }
}

extension PushNotification {
    package init(legacyJSON decoder: any Decoder) throws {
        try self.init(fields: JSONFieldReader(decoder))
    }
}

extension PushDeviceToken {
    package init(legacyJSON decoder: any Decoder) throws {
        try self.init(json: JSONFieldReader(decoder))
    }

    fileprivate init(json fields: JSONFieldReader) throws(LegacyRecordError) {
        var fields = fields
        fields.dates = .secondsOrMilliseconds
        try self.init(fields: fields)
    }
}

extension LegacyValue {
    /// Writes the format of `toJson()`, which contains unencrypted secrets.
    ///
    /// Valid addresses are encoded as `URL`s, as in the SDK's types; property list encoders write a `URL` as an object.
    package func encodeLegacyJSON(to encoder: any Encoder) throws {
        guard case .object(let members) = try jsonObject() else { return }
        let addresses = Set(LegacyField.allCases.filter(\.isAddress).compactMap(\.jsonKey))
        var container = encoder.container(keyedBy: FieldKey.self)
        for (name, value) in members {
            let key = FieldKey(stringValue: name)
            if addresses.contains(name), let text = value.string, let url = URL(string: text),
                url.absoluteString == text
            {
                try container.encode(url, forKey: key)
            } else {
                try container.encode(value, forKey: key)
            }
        }
    }

    fileprivate func jsonObject(withholdingSecrets: Bool = false) throws(LegacyRecordError) -> JSONValue {
        var fields = JSONFieldWriter(.json, withholdsSecrets: withholdingSecrets)
        try write(to: &fields)
        return .object(fields.members)
    }
}

/// The name of a field for encoders and decoders.
private struct FieldKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}

extension JSONFieldReader {
    /// Reads the fields from a decoder.
    ///
    /// The decoder's key strategy may have changed the names of the keys: both `mechanism_uid` and
    /// `mechanismUid` are read as `mechanismUID`.
    fileprivate init(_ decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FieldKey.self)
        var members: [String: JSONValue] = [:]
        for key in container.allKeys {
            let name = Self.names[Self.plain(key.stringValue)] ?? key.stringValue
            members[name] = try container.decode(JSONValue.self, forKey: key)
        }
        try self.init(.object(members))
    }

    /// The JSON names of all fields.
    ///
    /// The key of each entry is the same name in lower case, without underscores.
    private static let names = Dictionary(
        LegacyField.allCases.compactMap(\.jsonKey).map { (plain($0), $0) }
    ) { first, _ in first }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }
}

extension LegacyRecord {
    /// Returns the record in the format of the legacy SDK's `toJson()` on iOS.
    ///
    /// The result has all keys; a missing value is `null`.
    ///
    /// - Parameter withholdingSecrets: Whether secrets, registration challenges and the device token are
    ///   replaced with `null`. Otherwise, they are unencrypted.
    /// - Returns: One JSON object; its keys are sorted.
    /// - Throws: An error with the code `unsupported` if a number is not finite, because JSON cannot express
    ///   such a number.
    package func legacyJSON(withholdingSecrets: Bool = false) throws(LegacyRecordError) -> Data {
        try jsonObject(withholdingSecrets: withholdingSecrets).data
    }
}

extension DecodedItem {
    /// Reads one object in the format of the legacy SDK's `toJson()` or of a migration export.
    init(json: Data, service: LegacyService, isExported: Bool) throws(LegacyRecordError) {
        let fields = try JSONFieldReader(json)
        switch service {
        case .account: self.init(record: .account(try LegacyAccount(fields: fields)))
        case .mechanism:
            let (mechanism, account) = try fields.mechanism(isExported: isExported)
            self.init(record: .mechanism(mechanism), embeddedAccount: account)
        case .notification: self.init(record: .notification(try PushNotification(fields: fields)))
        case .deviceToken: self.init(record: .deviceToken(try PushDeviceToken(json: fields)))
        }
    }
}

extension JSONFieldReader {
    /// Reads a mechanism.
    ///
    /// In a migration export, the mechanism contains its account, which is read as well.
    fileprivate func mechanism(
        isExported: Bool = false
    ) throws(LegacyRecordError) -> (LegacyMechanism, LegacyAccount?) {
        var fields = self
        let nested = try object("account")
        // Only exports contain the key `account`. A record that a migration stored verbatim does not contain the name
        // of its container, so this key identifies the record's form.
        let isExported = isExported || contains("account")
        if isExported {
            _ = try require(.id, text(.id))
            fields.defaults = .scheme
            // An export may omit dates. A mechanism without a date gets its account's date or, if that is missing too,
            // 1970-01-01, which means "unknown".
            fields.defaults.timeAdded = try nested?.date(.timeAdded) ?? Date(timeIntervalSince1970: 0)
        }
        let mechanism = try LegacyMechanism(fields: fields, kind: mechanismKind(isExported: isExported))
        let account = try nested.map { nested throws(LegacyRecordError) in
            try LegacyAccount(fields: nested, timeAdded: mechanism.timeAdded)
        }
        return (mechanism, account)
    }

    /// Returns the kind of a mechanism.
    ///
    /// The field `type` shows whether the mechanism is for push. For one-time passwords, the kind is stored under
    /// `oathType` or, in older exports, under `type`. If an export contains no kind, a mechanism with a counter is
    /// HOTP, and any other mechanism is TOTP.
    private func mechanismKind(isExported: Bool) throws(LegacyRecordError) -> LegacyRecordKind {
        let type = try requiredText(.type)
        if ["push", "pushauth"].contains(type.lowercased()) { return .push }
        if type.lowercased() == "otpauth" {
            if let oathType = try text(.oathType) { return try oathKind(oathType) }
            guard isExported else { throw .absent(name(of: .oathType)) }
            return try integer(.counter) == nil ? .totp : .hotp
        }
        let kind = try oathKind(type)
        return try text(.oathType).map(oathKind) ?? kind
    }

    func oathKind(_ name: String) throws(LegacyRecordError) -> LegacyRecordKind {
        switch name.lowercased() {
        case "totp": return .totp
        case "hotp": return .hotp
        default:
            // In a damaged record, the type may be any string, even the secret. So the message contains
            // the type only if it looks like a name and is not a part of the secret.
            let secret = try requiredText(.secret).lowercased()
            let isName = 1...12 ~= name.utf8.count && name.utf8.allSatisfy { 0x61...0x7A ~= $0 }
            let type = isName && !secret.contains(name) ? "type \(name)" : "an unknown type"
            throw .unsupported("Mechanisms of \(type) are not supported.")
        }
    }
}

public import Foundation
public import PushBridgeCore

/// A legacy value that is read from the SDK's `toJson()` shape; secrets are in clear, as there.
package protocol LegacyJSONValue {
    /// Reads the shape of `toJson()`.
    init(legacyJSON decoder: any Decoder) throws
    /// Writes the shape of `toJson()`.
    func encodeLegacyJSON(to encoder: any Encoder) throws
}

extension LegacyAccount: LegacyJSONValue {
    package init(legacyJSON decoder: any Decoder) throws {
        try self.init(fields: JSONFieldReader(decoder))
    }

    package func encodeLegacyJSON(to encoder: any Encoder) throws {
        try LegacyRecord.account(self).encode(to: encoder)
    }
}

extension LegacyMechanism: LegacyJSONValue {
    package init(legacyJSON decoder: any Decoder) throws {
        self = try MechanismElement(decoder).mechanism
    }

    package func encodeLegacyJSON(to encoder: any Encoder) throws {
        try LegacyRecord.mechanism(self).encode(to: encoder)
    }
}

extension LegacyNotification: LegacyJSONValue {
    package init(legacyJSON decoder: any Decoder) throws {
        try self.init(fields: JSONFieldReader(decoder))
    }

    package func encodeLegacyJSON(to encoder: any Encoder) throws {
        try LegacyRecord.notification(self).encode(to: encoder)
    }
}

extension PushDeviceToken: LegacyJSONValue {
    package init(legacyJSON decoder: any Decoder) throws {
        try self.init(fields: JSONFieldReader(decoder, isToken: true))
    }

    package func encodeLegacyJSON(to encoder: any Encoder) throws {
        try LegacyRecord.deviceToken(self).encode(to: encoder)
    }
}

extension LegacyRecord {
    /// The record in the shape of the legacy SDK's `toJson()` on iOS: every key, `null` where there is no value.
    ///
    /// - Parameter withholdingSecrets: Whether `null` stands for secrets, registration challenges and the device
    ///   token, which are in clear otherwise.
    /// - Returns: One JSON object, its keys sorted.
    /// - Throws: An error with the code `unsupported` if a number is infinite, which JSON cannot express.
    public func legacyJSON(withholdingSecrets: Bool = false) throws(LegacyRecordError) -> Data {
        try WrittenElement { try encode(to: $0, withholdingSecrets: withholdingSecrets) }.data()
    }

    fileprivate func encode(to encoder: any Encoder, withholdingSecrets: Bool = false) throws {
        let isToken = kind == .deviceToken
        var fields = JSONFieldWriter(encoder, .json, isToken: isToken, withholdsSecrets: withholdingSecrets)
        try write(to: &fields)
    }
}

extension LegacyMechanism {
    /// The mechanism as an element of a migration export; what does not apply is left out.
    func exportedJSON(account: LegacyAccount?) throws(LegacyRecordError) -> Data {
        try WrittenElement { encoder in
            var fields = JSONFieldWriter(encoder, .export)
            try write(to: &fields)
            guard let account else { return }
            try fields.writeObject(for: .account, form: .json) { try account.write(to: &$0) }
        }.data()
    }
}

extension DecodedItem {
    /// Reads one object in the shape of the legacy SDK's `toJson()` or of a migration export.
    init(json: Data, service: LegacyService, isExported: Bool) throws(LegacyRecordError) {
        do {
            switch service {
            case .account: self.init(record: .account(try ReadElement(json).value))
            case .mechanism:
                let element: MechanismElement =
                    isExported
                    ? try ReadElement<ExportedMechanismElement>(json).value.element
                    : try ReadElement(json).value
                self.init(record: .mechanism(element.mechanism), embeddedAccount: element.account)
            case .notification: self.init(record: .notification(try ReadElement(json).value))
            case .deviceToken: self.init(record: .deviceToken(try ReadElement(json).value))
            }
        } catch {
            throw LegacyRecordError(error)
        }
    }
}

/// One mechanism in JSON, and the account that a migration export nests in it.
private struct MechanismElement: LegacyJSONValue {
    let mechanism: LegacyMechanism
    let account: LegacyAccount?

    init(legacyJSON decoder: any Decoder) throws {
        try self.init(decoder)
    }

    init(_ decoder: any Decoder, isExported: Bool = false) throws(LegacyRecordError) {
        var fields = try JSONFieldReader(decoder)
        let nested = try fields.object(.account)
        // Only exports know the key; a record that was kept has lost where it lay.
        let isExported = isExported || fields.contains(.account)
        if isExported {
            _ = try fields.require(.id, fields.text(.id))
            fields.defaults = .scheme
            // An export may leave out either date; without both, the beginning of time says "unknown".
            fields.defaults.timeAdded = try nested?.date(.timeAdded) ?? Date(timeIntervalSince1970: 0)
        }
        let kind = try fields.mechanismKind(isExported: isExported)
        let mechanism = try LegacyMechanism(fields: fields, kind: kind)
        self.mechanism = mechanism
        if let nested {
            account = try LegacyAccount(fields: nested, timeAdded: mechanism.timeAdded)
        } else {
            account = nil
        }
    }

    func encodeLegacyJSON(to encoder: any Encoder) throws {
        try mechanism.encodeLegacyJSON(to: encoder)
    }
}

/// A mechanism that lay in a migration export.
private struct ExportedMechanismElement: LegacyJSONValue {
    let element: MechanismElement

    init(legacyJSON decoder: any Decoder) throws {
        element = try MechanismElement(decoder, isExported: true)
    }

    func encodeLegacyJSON(to encoder: any Encoder) throws {
        try element.encodeLegacyJSON(to: encoder)
    }
}

extension JSONFieldReader {
    /// The kind of a mechanism; `oathType` decides, which older exports say in `type`.
    fileprivate func mechanismKind(isExported: Bool) throws(LegacyRecordError) -> LegacyRecordKind {
        let stated = try requiredText(.type)
        let type = stated.lowercased()
        if type == "push" || type == "pushauth" { return .push }
        let kinds = ["totp": LegacyRecordKind.totp, "hotp": .hotp]
        guard kinds[type] != nil || type == "otpauth" else { throw try unsupported(stated) }
        guard let oathType = try text(.oathType) else {
            if let kind = kinds[type] { return kind }
            guard isExported else { throw .absent(name(of: .oathType)) }
            return try integer(.counter) == nil ? .totp : .hotp
        }
        guard let kind = kinds[oathType.lowercased()] else { throw try unsupported(oathType) }
        return kind
    }

    private func unsupported(_ type: String) throws(LegacyRecordError) -> LegacyRecordError {
        .unsupported(type: type, besides: try requiredText(.secret))
    }
}

extension LegacyRecordError {
    /// Names the type if it looks like one: in a damaged record it may be any text, even the secret.
    static func unsupported(type: String, besides secret: String) -> LegacyRecordError {
        let isName = 1...12 ~= type.utf8.count && type.utf8.allSatisfy { 0x61...0x7A ~= $0 }
        let name = isName && !secret.lowercased().contains(type) ? "type \(type)" : "an unknown type"
        return LegacyRecordError(.unsupported, reason: "Mechanisms of \(name) are not supported.")
    }
}

/// A value that Foundation's decoder reads through its fields.
private struct ReadElement<Value: LegacyJSONValue>: Decodable {
    let value: Value

    init(_ json: Data) throws {
        self = try JSONDecoder().decode(Self.self, from: json)
    }

    init(from decoder: any Decoder) throws {
        value = try Value(legacyJSON: decoder)
    }
}

/// A value that Foundation's encoder writes through its fields.
private struct WrittenElement: Encodable {
    let write: (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws {
        try write(encoder)
    }

    func data() throws(LegacyRecordError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(self)
        } catch {
            throw LegacyRecordError(.unsupported, reason: "A number of the record cannot be written in JSON.")
        }
    }
}

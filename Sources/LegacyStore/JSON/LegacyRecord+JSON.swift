public import Foundation
public import PushBridgeCore

extension DecodedItem {
    /// Reads one object in the shape of the legacy SDK's `toJson()` or of a migration export.
    init(json: Data, service: LegacyService, isExported: Bool) throws(LegacyRecordError) {
        let decoder = JSONDecoder()
        if isExported { decoder.expectMigrationExport() }
        do {
            try self.init(decoding: json, service: service, decoder)
        } catch {
            throw LegacyRecordError(error)
        }
    }

    private init(decoding json: Data, service: LegacyService, _ decoder: JSONDecoder) throws {
        switch service {
        case .account:
            let element = try decoder.decode(AccountJSON.self, from: json)
            self.init(record: .account(try element.account()))
        case .mechanism:
            let element = try decoder.decode(MechanismElement.self, from: json)
            self.init(record: .mechanism(element.mechanism), embeddedAccount: element.account)
        case .notification:
            let element = try decoder.decode(NotificationJSON.self, from: json)
            self.init(record: .notification(element.notification))
        case .deviceToken:
            let element = try decoder.decode(DeviceTokenJSON.self, from: json)
            self.init(record: .deviceToken(try element.token()))
        }
    }
}

extension LegacyRecord {
    /// The record in the shape of the legacy SDK's `toJson()` on iOS: every key, `null` where there is no value.
    ///
    /// Holds secrets, registration challenges and the device token in clear, unless `withholdingSecrets` puts `null`
    /// in their place. Fails only if a number is infinite, which JSON cannot spell.
    public func legacyJSON(withholdingSecrets: Bool = false) throws(LegacyRecordError) -> Data {
        let encoder = JSONEncoder()
        if withholdingSecrets { encoder.withholdSecrets() }
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(json)
        } catch {
            throw LegacyRecordError(.unsupported, reason: "A number of the record cannot be spelled in JSON.")
        }
    }

    private var json: any Encodable {
        switch self {
        case .account(let account): AccountJSON(account)
        case .mechanism(let mechanism): MechanismText(mechanism)
        case .notification(let notification): NotificationJSON(notification)
        case .deviceToken(let token): DeviceTokenJSON(token)
        }
    }
}

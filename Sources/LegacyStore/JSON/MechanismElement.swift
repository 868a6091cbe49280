import Foundation
import PushBridgeCore

/// One mechanism with everything its kind adds, and the account that a migration export nests in it.
struct MechanismElement: Decodable {
    let mechanism: LegacyMechanism
    let account: LegacyAccount?

    init(from decoder: any Decoder) throws {
        let common = try MechanismJSON(from: decoder)
        let members = try decoder.container(keyedBy: Key.self)
        let nested = try members.decodeIfPresent(AccountJSON.self, forKey: .account)
        // Only exports know the key; a record that was kept has lost where it lay.
        let isExported = decoder.readsMigrationExport || members.contains(.account)
        if isExported, common.id == nil { throw LegacyRecordError.missing("id") }
        let factor = try Self.factor(of: common, in: decoder, isExported: isExported)
        // An export may leave out either date; without both, the beginning of time says "unknown".
        let fallback = nested?.timeAdded?.date ?? (isExported ? Date(timeIntervalSince1970: 0) : nil)
        mechanism = try common.mechanism(factor, addedAt: fallback)
        account = try nested?.account(addedAt: mechanism.timeAdded)
    }

    private enum Key: CodingKey {
        case account
    }

    private static func factor(
        of common: MechanismJSON,
        in decoder: any Decoder,
        isExported: Bool
    ) throws -> LegacyFactor {
        let type = common.type.lowercased()
        if type == "push" || type == "pushauth" { return try PushJSON(from: decoder).factor }
        let stated = OathJSON.Kind(rawValue: type)
        guard stated != nil || type == "otpauth" else {
            throw LegacyRecordError.unsupported(type: common.type, besides: common.secret.text)
        }
        let oath = try OathJSON(from: decoder)
        guard oath.isOfKnownType else {
            throw LegacyRecordError.unsupported(type: oath.oathType ?? "", besides: common.secret.text)
        }
        return try oath.factor(stated, withDefaults: isExported)
    }
}

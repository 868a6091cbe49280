import AuthenticatorCore
import Foundation

/// One mechanism with everything its kind adds, and the account that a migration export nests in it.
struct MechanismElement: Decodable {
    let mechanism: LegacyMechanism
    let account: LegacyAccount?

    init(from decoder: any Decoder) throws {
        let common = try MechanismJSON(from: decoder)
        let members = try decoder.container(keyedBy: Key.self)
        let nested = try members.decodeIfPresent(AccountJSON.self, forKey: .account)
        if nested != nil, common.id == nil { throw LegacyRecordError.missing("id") }
        let factor = try Self.factor(of: common.type, in: decoder, isExported: nested != nil)
        // An export may leave out either date; without both, the beginning of time says "unknown".
        let fallback = nested.map { $0.timeAdded?.date ?? Date(timeIntervalSince1970: 0) }
        mechanism = try common.mechanism(factor, addedAt: fallback)
        account = try nested?.account(addedAt: mechanism.timeAdded)
    }

    private enum Key: CodingKey {
        case account
    }

    private static func factor(
        of type: String,
        in decoder: any Decoder,
        isExported: Bool
    ) throws -> LegacyFactor {
        switch type.lowercased() {
        case "pushauth", "push": try PushJSON(from: decoder).factor
        case "otpauth": try OathJSON(from: decoder).factor(nil, withDefaults: isExported)
        case "totp": try OathJSON(from: decoder).factor(.totp, withDefaults: isExported)
        case "hotp": try OathJSON(from: decoder).factor(.hotp, withDefaults: isExported)
        default: throw LegacyRecordError.unsupported(type: type)
        }
    }
}

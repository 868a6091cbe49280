import Foundation
import PushBridgeCore

/// The fields of the legacy SDK's records, by their names in keyed archives, with those that only JSON has last.
///
/// This is the only place that spells them.
package enum LegacyField: String, CaseIterable, Sendable {
    // Accounts, and partly mechanisms.
    case issuer
    case accountName
    case displayIssuer
    case displayAccountName
    case imageURL = "imageUrl"
    case backgroundColor
    case timeAdded
    case policies
    case lockingPolicy
    case lock

    // Mechanisms, and partly notifications.
    case mechanismUUID
    case type
    case version
    case secret
    case uid
    case resourceId
    case algorithm
    case digits
    case period
    case counter
    case authenticationEndpoint = "authEndpoint"
    case registrationEndpoint = "regEndpoint"
    case messageId
    case challenge
    case loadBalancer

    // Notifications.
    case loadBalanceKey
    case ttl
    case pending
    case approved
    case customPayload
    case message
    case pushType
    case numbersChallenge
    case contextInfo

    // The device token.
    case tokenId

    // Only in JSON.
    case id
    case oathType
    case timeExpired
    case platform
    case account
    case server = "serverEndpoint"

    /// The name in a keyed archive; `nil` if archives have no such field.
    package var archiveKey: String? {
        switch self {
        case .id, .oathType, .timeExpired, .platform, .account, .server: nil
        default: rawValue
        }
    }

    /// The name in JSON; `nil` if JSON has no such field.
    package var jsonKey: String? {
        switch self {
        case .version: nil
        case .imageURL: "imageURL"
        case .mechanismUUID: "mechanismUID"
        case .authenticationEndpoint: "authenticationEndpoint"
        case .registrationEndpoint: "registrationEndpoint"
        case .loadBalanceKey: "amlbCookie"
        default: rawValue
        }
    }
}

/// What a form of the legacy records spells in its own way.
package enum LegacyForm: Sendable {
    /// A keyed archive; all values are as the legacy SDK holds them.
    case archive
    /// The SDK's `toJson()`.
    case json
    /// A migration export: what does not apply is left out, and so is what was left of a push registration.
    case export

    /// The kind of a mechanism, as the field `type` says it.
    func type(_ kind: LegacyRecordKind) -> String {
        switch self {
        case .archive: kind.rawValue
        case .json: kind == .push ? "pushauth" : "otpauth"
        case .export: kind == .push ? "push" : "otpauth"
        }
    }
}

/// What absent fields of a mechanism stand for; `nil` where the field must be there.
package struct LegacyDefaults: Sendable {
    /// Archives may leave out the hash function.
    package static let archive = LegacyDefaults(algorithm: "sha1")
    /// Migration exports may leave out what the `otpauth` URI scheme lets out.
    static let scheme = LegacyDefaults(algorithm: "sha1", digits: 6, period: 30, counter: 0)

    var algorithm: String?
    var digits: Int?
    var period: Int?
    var counter: Int?
    var timeAdded: Date?
}

package import Foundation
package import PushBridgeCore

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

    /// Whether the SDK's type has it as a `URL`.
    var isAddress: Bool { self == .registrationEndpoint || self == .authenticationEndpoint }

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

/// The spellings that differ between the forms of the legacy records.
package enum LegacyForm: Sendable {
    /// A keyed archive; all values are as the legacy SDK holds them.
    case archive
    /// The SDK's `toJson()`.
    case json
    /// A migration export: what does not apply is left out, and so is what was left of a push registration.
    case export

    /// The kind of a mechanism, as in the field `type`.
    func type(_ kind: LegacyRecordKind) -> String {
        switch self {
        case .archive: kind.rawValue
        case .json: kind == .push ? "pushauth" : "otpauth"
        case .export: kind == .push ? "push" : "otpauth"
        }
    }
}

/// The defaults of absent fields of a mechanism; `nil` for a required field.
package struct LegacyDefaults: Sendable {
    /// Archives may leave out the hash function.
    package static let archive = LegacyDefaults(algorithm: "sha1")
    /// Migration exports may leave out what is optional in the `otpauth` URI scheme.
    static let scheme = LegacyDefaults(algorithm: "sha1", digits: 6, period: 30, counter: 0)

    var algorithm: String?
    var digits: Int?
    var period: Int?
    var counter: Int?
    var timeAdded: Date?
    var challenge: String?
}

/// Reads the fields of one record of any form.
///
/// A field that is absent or null is `nil`; one that cannot be read, or is of another type, is an error.
package protocol LegacyFieldReader {
    var defaults: LegacyDefaults { get }

    func name(of field: LegacyField) -> String
    /// Reads a text, which may be empty.
    func text(_ field: LegacyField) throws(LegacyRecordError) -> String?
    /// Reads a text into guarded memory; `nil` if it is empty.
    func secret(_ field: LegacyField) throws(LegacyRecordError) -> SharedSecret?
    /// Reads an integer, also one that is written as a whole real number.
    func integer(_ field: LegacyField) throws(LegacyRecordError) -> Int?
    /// Reads a finite number.
    func number(_ field: LegacyField) throws(LegacyRecordError) -> Double?
    func date(_ field: LegacyField) throws(LegacyRecordError) -> Date?
    func flag(_ field: LegacyField) throws(LegacyRecordError) -> Bool?
}

extension LegacyFieldReader {
    package func name(of field: LegacyField) -> String { field.rawValue }

    package func secret(_ field: LegacyField) throws(LegacyRecordError) -> SharedSecret? {
        try text(field).flatMap { SharedSecret(utf8: $0) }
    }

    package func date(_ field: LegacyField) throws(LegacyRecordError) -> Date? {
        try number(field).map { Date(timeIntervalSince1970: $0) }
    }

    /// A value that has to be there.
    func require<Value>(_ field: LegacyField, _ value: Value?) throws(LegacyRecordError) -> Value {
        guard let value else { throw .absent(name(of: field)) }
        return value
    }

    /// Reads a text that has to be there, and may be empty.
    func requiredText(_ field: LegacyField) throws(LegacyRecordError) -> String {
        try require(field, text(field))
    }

    /// Reads a text that has to be there and not be empty.
    func identifier(_ field: LegacyField) throws(LegacyRecordError) -> String {
        try require(field, presentText(field))
    }

    /// Reads a text; `nil` if it is empty.
    func presentText(_ field: LegacyField) throws(LegacyRecordError) -> String? {
        try text(field)?.nonEmpty
    }
}

/// Writes the fields of one record in one form.
package protocol LegacyFieldWriter {
    associatedtype Failure: Error

    /// How the form spells what others spell otherwise.
    var form: LegacyForm { get }

    /// Writes a value, or nothing where the form has no such field.
    mutating func write(_ value: LegacyFieldValue, for field: LegacyField) throws(Failure)
}

/// The value of a field to write.
package enum LegacyFieldValue {
    /// No text, in the spelling of the form.
    case null
    case text(String)
    /// Text that is in clear unless the form withholds it.
    case secret(SharedSecret)
    case integer(Int)
    case number(Double)
    case date(Date)
    case flag(Bool)
}

extension LegacyFieldWriter {
    mutating func write(_ text: String?, for field: LegacyField) throws(Failure) {
        try write(text.map(LegacyFieldValue.text) ?? .null, for: field)
    }

    mutating func write(_ secret: SharedSecret?, for field: LegacyField) throws(Failure) {
        try write(secret.map(LegacyFieldValue.secret) ?? .null, for: field)
    }

    /// Writes nothing for `nil`.
    mutating func write(_ integer: Int?, for field: LegacyField) throws(Failure) {
        if let integer { try write(.integer(integer), for: field) }
    }

    mutating func write(_ flag: Bool, for field: LegacyField) throws(Failure) {
        try write(.flag(flag), for: field)
    }
}

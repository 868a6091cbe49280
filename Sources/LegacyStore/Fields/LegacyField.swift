package import Foundation
package import PushBridgeCore

/// The fields of the legacy SDK's records, and their names in keyed archives.
///
/// `NewSDKRecords.swift` contains the names that differ in the successor SDK's records; `FurtherServices` and
/// `PairingSource` contain some of the names, too.
package enum LegacyField: String, CaseIterable, Sendable {
    // Fields of accounts; mechanisms have some of these fields, too.
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

    // Fields of mechanisms; notifications have some of these fields, too.
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

    // Fields of notifications.
    case loadBalanceKey
    case ttl
    case pending
    case approved
    case customPayload
    case message
    case pushType
    case numbersChallenge
    case contextInfo

    // The field of the device token.
    case tokenId

    // Fields that only JSON contains.
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

    /// Whether the SDK's type declares the field as a `URL`.
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

/// The forms of legacy records; some values are spelled differently in each form.
package enum LegacyForm: Sendable {
    /// A keyed archive; all values are as in the legacy SDK's objects.
    case archive
    /// The SDK's `toJson()`.
    case json
    /// A migration export.
    ///
    /// An export omits fields that do not apply to the mechanism, and the message id, challenge and cookie of a
    /// push registration.
    case export

    /// Returns the value of the field `type` for a kind of mechanism.
    func type(_ kind: LegacyRecordKind) -> String {
        switch self {
        case .archive: kind.rawValue
        case .json: kind == .push ? "pushauth" : "otpauth"
        case .export: kind == .push ? "push" : "otpauth"
        }
    }
}

/// The values for fields that a record lacks; `nil` for a required field.
package struct LegacyDefaults: Sendable {
    /// The values for archives: only the hash function has a default.
    package static let archive = LegacyDefaults(algorithm: "sha1")
    /// The values for migration exports, which may omit these parameters of one-time passwords.
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
/// A field that is absent or null is returned as `nil`. A field that cannot be read or has the wrong type
/// causes an error, except in ``CoderFieldReader``.
package protocol LegacyFieldReader {
    var defaults: LegacyDefaults { get }

    func name(of field: LegacyField) -> String
    /// Reads a string, which may be empty.
    func text(_ field: LegacyField) throws(LegacyRecordError) -> String?
    /// Reads a string into guarded memory; `nil` if the string is absent or empty.
    func secret(_ field: LegacyField) throws(LegacyRecordError) -> SharedSecret?
    /// Reads an integer; also accepts a real number without a fraction.
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

    /// Returns a required value; throws if the value is `nil`.
    func require<Value>(_ field: LegacyField, _ value: Value?) throws(LegacyRecordError) -> Value {
        guard let value else { throw .absent(name(of: field)) }
        return value
    }

    /// Reads a required string, which may be empty.
    func requiredText(_ field: LegacyField) throws(LegacyRecordError) -> String {
        try require(field, text(field))
    }

    /// Reads a required string, which must not be empty.
    func identifier(_ field: LegacyField) throws(LegacyRecordError) -> String {
        try require(field, presentText(field))
    }

    /// Reads a string; `nil` if the string is absent or empty.
    func presentText(_ field: LegacyField) throws(LegacyRecordError) -> String? {
        try text(field)?.nonEmpty
    }
}

/// Writes the fields of one record in one form.
package protocol LegacyFieldWriter {
    associatedtype Failure: Error

    /// The form, which determines the spelling of some values.
    var form: LegacyForm { get }

    /// Writes a value; does nothing if the form has no such field.
    mutating func write(_ value: LegacyFieldValue, for field: LegacyField) throws(Failure)
}

/// The value of a field to write.
package enum LegacyFieldValue {
    /// A missing string; the form determines how it is written.
    case null
    case text(String)
    /// A string that is written in clear unless the writer withholds secrets.
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

    /// Writes an integer; does nothing for `nil`.
    mutating func write(_ integer: Int?, for field: LegacyField) throws(Failure) {
        if let integer { try write(.integer(integer), for: field) }
    }

    mutating func write(_ flag: Bool, for field: LegacyField) throws(Failure) {
        try write(.flag(flag), for: field)
    }
}

// A new reason also needs a measure in `PushBridgeFleet/FleetSQL.swift`. `ReasonTests` and `PushDoctorTests`
// compare the documents with these cases.

/// The reason why a record was not migrated, or why an attempt failed.
///
/// The codes are the same in all versions, and contain no data of the record. ``MigrationResult/reason`` is the text
/// for people; it may contain the name of a field.
public enum MigrationReason: String, CaseIterable, Codable, Sendable {
    // The reasons why a record was not migrated.

    /// The destination's credential with the same id has a different secret.
    case otherSecret
    /// The destination's credential with the same id has different endpoints.
    case otherEndpoints
    /// The destination's credential with the same id makes different one-time passwords.
    case otherCodes
    /// The destination contains a different push with the same id.
    case otherPush
    /// The destination contains another, older device token.
    case otherDeviceToken
    /// The destination's account has different details.
    case otherAccount
    /// An earlier record of the source has the same id but different content.
    case repeatedId
    /// The destination's record with the same id, or its ledger entry, cannot be read.
    case unreadableDestination
    /// No credential belongs to the record.
    case noCredential
    /// The record could not be read back from the destination, or differs there from the source record.
    case notReadBack
    /// In the source record, the secret cannot sign, an address is invalid, or no one-time password can be computed.
    case unusableSource
    /// A field is missing, empty or invalid.
    case invalidField
    /// The secret cannot be decoded.
    case invalidSecret
    /// The record's bytes cannot be read.
    case damaged
    /// The record is valid, but PushBridge's records cannot represent it.
    case unsupported
    /// The record cannot be read now.
    case locked
    /// The unlocked keychain refuses to return the record's item, or a record of the destination.
    case refused
    /// The record is sealed with a key that is not available.
    case undecryptable
    /// There is a conflict that no other code describes.
    case conflict

    // The reasons why an attempt failed.

    /// The legacy store could not be read.
    case sourceUnreadable
    /// The legacy store was locked.
    case sourceLocked
    /// The legacy store changed after it was read, or after the migration was planned.
    case sourceChanged
    /// The legacy store could not be changed.
    case sourceNotWritable
    /// The destination was locked.
    case storeLocked
    /// The destination failed.
    case storeFailed
    /// The stored state of the roll-out was damaged and was reset; attempts count from 1 again.
    case stateReset
    /// An error that no other code describes.
    case other
}

extension MigrationReason {
    /// The number that a support desk can search for, such as `PB-R007`.
    ///
    /// The number is the same in all versions.
    public var number: String {
        switch self {
        case .otherSecret: "PB-R001"
        case .otherEndpoints: "PB-R002"
        case .otherCodes: "PB-R003"
        case .otherPush: "PB-R004"
        case .otherDeviceToken: "PB-R005"
        case .otherAccount: "PB-R006"
        case .repeatedId: "PB-R007"
        case .unreadableDestination: "PB-R008"
        case .noCredential: "PB-R009"
        case .notReadBack: "PB-R010"
        case .unusableSource: "PB-R011"
        case .invalidField: "PB-R012"
        case .invalidSecret: "PB-R013"
        case .damaged: "PB-R014"
        case .unsupported: "PB-R015"
        case .locked: "PB-R016"
        case .refused: "PB-R017"
        case .undecryptable: "PB-R018"
        case .conflict: "PB-R019"
        case .sourceUnreadable: "PB-R020"
        case .sourceLocked: "PB-R021"
        case .sourceChanged: "PB-R022"
        case .sourceNotWritable: "PB-R023"
        case .storeLocked: "PB-R024"
        case .storeFailed: "PB-R025"
        case .stateReset: "PB-R026"
        case .other: "PB-R027"
        }
    }
}

/// The reason for the outcome of a record: a code and a sentence for people.
///
/// Sentences with the same code may differ in details that telemetry does not need.
package struct MigrationIssue: Equatable, Sendable {
    /// The code; `nil` if it would be no more specific than the outcome.
    package let code: MigrationReason?
    /// One sentence for people; never contains a secret.
    package let sentence: String

    package init(_ code: MigrationReason?, _ sentence: String) {
        (self.code, self.sentence) = (code, sentence)
    }
}

/// Why records did not arrive, or an attempt failed: a code that stays the same from version to version.
///
/// ``MigrationResult/reason`` is the text for people, which may contain a field's name; a code contains nothing of the
/// record.
public enum MigrationReason: String, CaseIterable, Codable, Sendable {
    // Records.
    /// The destination holds another secret under the id.
    case otherSecret
    /// The destination holds other endpoints under the id.
    case otherEndpoints
    /// The destination makes other codes under the id.
    case otherCodes
    /// The destination holds another push under the id.
    case otherPush
    /// The destination holds another device token.
    case otherDeviceToken
    /// The destination's account has other details.
    case otherAccount
    /// An earlier record of the source has the id and another content.
    case repeatedId
    /// The destination's record of the id cannot be read.
    case unreadableDestination
    /// No credential belongs to the record.
    case noCredential
    /// The record that was read back is absent from the destination, or differs from the source.
    case notReadBack
    /// The source's own secret, addresses or codes do not work.
    case unusableSource
    /// A field is missing, empty or invalid.
    case invalidField
    /// The secret cannot be decoded.
    case invalidSecret
    /// Another outcome than an arrival: a record whose bytes cannot be read.
    case damaged
    /// A record that the new model has no place for.
    case unsupported
    /// A record that could not be opened now.
    case locked
    /// A record whose item the keychain refuses although the device is unlocked.
    case refused
    /// A record that is sealed with a key that is not here.
    case undecryptable
    /// A conflict of another kind.
    case conflict

    // Attempts.
    /// The legacy store could not be read.
    case sourceUnreadable
    /// The legacy store was locked.
    case sourceLocked
    /// The legacy store changed in the meantime.
    case sourceChanged
    /// The legacy store could not be changed.
    case sourceNotWritable
    /// The destination was locked.
    case storeLocked
    /// The destination failed.
    case storeFailed
    /// The stored state of the roll-out was damaged and was reset; attempts count from 1 again.
    case stateReset
    /// An error of another type.
    case other
}

extension MigrationReason {
    /// The number that a support desk can search for, such as `PB-R007`; it stays the same from version to version.
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

/// Why a record has its outcome: a code and a sentence for people.
///
/// An error of a record, a comparison, and a result all contain this value. The sentences of a code differ in details that
/// telemetry does not need.
package struct MigrationIssue: Equatable, Sendable {
    /// The code; `nil` adds nothing to the outcome.
    package let code: MigrationReason?
    /// One sentence for people; never contains a secret.
    package let sentence: String

    package init(_ code: MigrationReason?, _ sentence: String) {
        (self.code, self.sentence) = (code, sentence)
    }
}

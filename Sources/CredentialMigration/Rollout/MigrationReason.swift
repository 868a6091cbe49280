import LegacyStore
import PushBridgeCore

/// Why records did not arrive, or an attempt failed: a code that stays the same from version to version.
///
/// What people read is ``MigrationResult/reason``, which names fields and types of a record; a code names none.
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
    /// What was read back is absent from the destination, or differs from the source.
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
    /// A record that can never be opened.
    case undecryptable
    /// A conflict of another kind.
    case conflict

    // Attempts.
    /// The legacy store could not be read.
    case sourceUnreadable
    /// The legacy store was locked.
    case sourceLocked
    /// The legacy store changed meanwhile.
    case sourceChanged
    /// The legacy store could not be changed.
    case sourceNotWritable
    /// The destination was locked.
    case storeLocked
    /// The destination failed.
    case storeFailed
    /// An error of another type.
    case other

    /// The reason of a result; `nil` if it arrived and was proven, or was there already.
    init?(_ result: MigrationResult) {
        if let code = result.reason.flatMap(Self.code) {
            self = code
            return
        }
        switch result.outcome {
        case .migrated, .alreadyPresent, .kept:
            guard !result.isVerified else { return nil }
            self = .notReadBack
        case .conflict: self = .conflict
        case .unsupported: self = .unsupported
        case .damaged: self = .damaged
        case .locked: self = .locked
        case .undecryptable: self = .undecryptable
        }
    }

    /// The reason of an attempt that failed as a whole.
    init(_ error: any Error) {
        switch error {
        case let error as LegacyStoreError:
            switch error.code {
            case .unreadable, .notALegacyStore: self = .sourceUnreadable
            case .locked: self = .sourceLocked
            case .changed: self = .sourceChanged
            case .notWritable: self = .sourceNotWritable
            }
        case let error as StoreError: self = error.code == .locked ? .storeLocked : .storeFailed
        case let error as MigrationError where error.code == .sourceChanged: self = .sourceChanged
        default: self = .other
        }
    }

    private static func code(_ sentence: String) -> MigrationReason? {
        if let code = sentences[sentence] { return code }
        // These name a field or a format, which is no concern of an event.
        if sentence.hasPrefix("The field ") { return .invalidField }
        if sentence.hasPrefix("The secret") { return .invalidSecret }
        return nil
    }

    /// The sentences of the importer and the proofs; one that is not here has the general code of its outcome.
    private static let sentences: [String: MigrationReason] = [
        "The destination holds another secret under this id.": .otherSecret,
        "The destination holds other endpoints under this id.": .otherEndpoints,
        "The destination makes other codes under this id.": .otherCodes,
        "The destination holds another push under this id.": .otherPush,
        "The destination holds an older device token.": .otherDeviceToken,
        "The destination's account has other details.": .otherAccount,
        "The destination has this account with other details; the record is kept verbatim.": .otherAccount,
        "An earlier record of the source has this id and another content.": .repeatedId,
        "The destination's record with this id cannot be read.": .unreadableDestination,
        "No credential belongs to this notification; the record is kept verbatim.": .noCredential,
        "No credential belongs to this account; it is kept as one.": .noCredential,
        "The source's secret cannot sign.": .unusableSource,
        "The source's addresses are invalid.": .unusableSource,
        "The source makes no codes.": .unusableSource,
        "The stored credential talks to other endpoints.": .otherEndpoints,
        "The stored credential makes other codes.": .otherCodes,
    ]
}

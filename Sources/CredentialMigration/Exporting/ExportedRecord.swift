import LegacyStore
import PushBridgeCore

/// One record on its way back.
enum ExportedRecord {
    /// A record made of what the store holds.
    case legacy(LegacyRecord, Companion)
    /// A record that a migration kept verbatim, and what it says if this version can tell.
    case kept(PreservedRecord, DecodedItem?)
    /// A row of the store that cannot be read, by its id.
    case unreadable(String)

    /// What a record is written together with, where a shape nests one in the other.
    enum Companion {
        case none
        /// The account of a mechanism.
        case account(LegacyAccount?)
        /// The record is an account, and a mechanism carries it.
        case mechanism
    }

    /// The record, if it can be told.
    var value: LegacyRecord? {
        switch self {
        case .legacy(let record, _): record
        case .kept(_, let decoded): decoded?.record
        case .unreadable: nil
        }
    }

    /// The record's kind.
    var kind: LegacyRecordKind {
        switch self {
        case .legacy(let record, _): record.kind
        case .kept(let kept, _): kept.kind
        case .unreadable: .unknown
        }
    }

    /// The account to nest in a mechanism.
    var account: LegacyAccount? {
        switch self {
        case .legacy(_, .account(let account)): account
        case .kept(_, let decoded): decoded?.embeddedAccount
        case .legacy, .unreadable: nil
        }
    }

    /// Whether the record is an account that is nested in a mechanism.
    var isCarried: Bool {
        if case .legacy(_, .mechanism) = self { true } else { false }
    }
}

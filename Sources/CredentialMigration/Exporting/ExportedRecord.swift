import AuthenticatorCore
import LegacyStore

/// One record on its way back.
enum ExportedRecord {
    /// A record made of what the store holds; a mechanism comes with its account, and an account tells whether a
    /// mechanism carries it.
    case legacy(LegacyRecord, Companion)
    /// A record that a migration kept verbatim.
    case kept(PreservedRecord, DecodedItem)

    /// What a record is written together with, where the shape nests one in the other.
    enum Companion {
        case none
        case account(LegacyAccount?)
        case mechanism
    }

    /// The record.
    var value: LegacyRecord {
        switch self {
        case .legacy(let record, _): record
        case .kept(_, let decoded): decoded.record
        }
    }

    /// The account to nest in a mechanism.
    var account: LegacyAccount? {
        switch self {
        case .legacy(_, .account(let account)): account
        case .legacy: nil
        case .kept(_, let decoded): decoded.embeddedAccount
        }
    }

    /// Whether the record is an account that is nested in a mechanism.
    var isCarried: Bool {
        if case .legacy(_, .mechanism) = self { true } else { false }
    }
}

package import Foundation

package enum RecordKind: Int, CaseIterable, Codable, Sendable {
    // The numbers are part of every stored form: add, never change.
    case account = 1
    case push = 2
    case oath = 3
    case notification = 4
    case deviceToken = 5
    case ledger = 6
    case importMark = 7
    case move = 8
    case tombstone = 9

    /// Whether the id of a record names a person, or follows from a secret, so that a store shows only its keyed hash.
    package var idIsPersonal: Bool { self == .account || self == .ledger || self == .tombstone }

    /// Whether records are listed in the order in which they were first stored, not by date.
    package var isListedAsStored: Bool { self == .ledger }

    /// The type of the records of the kind.
    package var type: any StoredRecord.Type {
        switch self {
        case .account: AccountProfile.self
        case .push: PushCredential.self
        case .oath: OathCredential.self
        case .notification: PushNotification.self
        case .deviceToken: PushDeviceToken.self
        case .ledger: LedgerEntry.self
        case .importMark: ImportMark.self
        case .move: LegacyMove.self
        case .tombstone: Tombstone.self
        }
    }

    /// The name of a record in messages.
    package var noun: String {
        switch self {
        case .account: "account"
        case .push: "push credential"
        case .oath: "one-time-password credential"
        case .notification: "notification"
        case .deviceToken: "device token"
        case .ledger: "ledger entry"
        case .importMark: "import mark"
        case .move: "state of the move"
        case .tombstone: "tombstone"
        }
    }
}

/// The values by which records are found and ordered; a store searches nothing else.
package struct RecordIndex: Equatable, Sendable {
    /// Tells the record from all others of its kind.
    package let id: String
    /// The record that this one belongs to: a credential's account, a notification's credential.
    package var owner: String?
    /// Another name of the record: the message id of a notification.
    package var alias: String?
    /// The date that orders records of a kind; equal dates are ordered by id.
    package let date: Date
    /// Whether the record is still to be dealt with: a pending notification, a ledger entry that keeps its record.
    package var isOpen = false

    package init(id: String, owner: String? = nil, alias: String? = nil, date: Date, isOpen: Bool = false) {
        self.id = id
        self.owner = owner
        self.alias = alias
        self.date = date
        self.isOpen = isOpen
    }

    /// Whether a record is listed before another one of its kind.
    package func precedes(_ other: RecordIndex) -> Bool { (date, id) < (other.date, other.id) }
}

/// A value that is one record of a store: its form is its `Codable` encoding, in every store.
package protocol StoredRecord: Codable, Equatable, Sendable {
    static var recordKind: RecordKind { get }
    var recordIndex: RecordIndex { get }
}

/// A stored form is sound, and contains a value that only a newer version knows.
package struct NewerForm: Error {
    package init() {}
}

extension StoredRecord {
    package var recordKind: RecordKind { Self.recordKind }
}

/// Which records of a kind; all of them unless narrowed.
package struct RecordQuery: Hashable, Sendable {
    package var id: String?
    /// Only those that belong to this record.
    package var owner: String?
    /// Only those with this other name.
    package var alias: String?
    /// The id of the record with the alias if another program stored it, for a store whose look-up by alias finds only what
    /// we stored; without it, that store reads all records.
    package var usualId: String?
    /// Only those with dates in this range.
    package var dates: ClosedRange<Date>?
    /// Only those that are still to be dealt with.
    package var openOnly = false
    /// At most so many, the first in order, none if negative; `nil` is no limit.
    package var limit: Int? {
        didSet { limit = limit.map { max(0, $0) } }
    }

    package init(
        id: String? = nil,
        owner: String? = nil,
        alias: String? = nil,
        openOnly: Bool = false,
        limit: Int? = nil
    ) {
        self.id = id
        self.owner = owner
        self.alias = alias
        self.openOnly = openOnly
        self.limit = limit.map { max(0, $0) }
    }

    package static let all = RecordQuery()
    /// All that are still to be dealt with.
    package static let open = RecordQuery(openOnly: true)

    /// Whether a record has to be read to know if the query selects it.
    package var looksInside: Bool { owner != nil || alias != nil || dates != nil || openOnly }

    package func selects(_ index: RecordIndex) -> Bool {
        (id == nil || id == index.id) && (owner == nil || owner == index.owner)
            && (alias == nil || alias == index.alias) && (dates?.contains(index.date) ?? true)
            && (!openOnly || index.isOpen)
    }
}

/// The result of a search: the values that could be read, and an error for each that could not.
package struct Fetched<Value> {
    package var values: [Value]
    /// Why the others could not be read; each names its record, and its code is `damaged` or `newerVersion`.
    package var unreadable: [StoreError]

    package init(_ values: [Value], unreadable: [StoreError] = []) {
        self.values = values
        self.unreadable = unreadable
    }
}

extension Fetched: Sendable where Value: Sendable {}

extension Fetched: RandomAccessCollection {
    package var startIndex: Int { values.startIndex }
    package var endIndex: Int { values.endIndex }
    package subscript(position: Int) -> Value { values[position] }
}

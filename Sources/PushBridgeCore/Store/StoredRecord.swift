package import Foundation

package enum RecordKind: Int, CaseIterable, Codable, Sendable {
    // The numbers are stored. Add new numbers, but never change or reuse a number.
    case account = 1
    case push = 2
    case oath = 3
    case notification = 4
    case deviceToken = 5
    case ledger = 6
    case importMark = 7
    case move = 8
    case tombstone = 9

    /// Whether the records' ids name people or are derived from secrets; a SQLite store contains only keyed hashes of
    /// these ids.
    package var idIsPersonal: Bool { self == .account || self == .ledger || self == .tombstone }

    /// Whether records are listed in the order in which they were first stored, instead of by date.
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

    /// The name of the kind in messages.
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

/// The values by which a store finds and orders records.
package struct RecordIndex: Equatable, Sendable {
    /// The id of the record, unique among the records of its kind.
    package let id: String
    /// The id of the record that this record belongs to: the account of a credential, or the credential of a
    /// notification.
    package var owner: String?
    /// Another name of the record: for a notification, its message id.
    package var alias: String?
    /// The date by which records of a kind are ordered; equal dates are ordered by id.
    package let date: Date
    /// Whether the record is open: an unanswered notification, or a ledger entry that contains its source record
    /// verbatim.
    package var isOpen = false

    package init(id: String, owner: String? = nil, alias: String? = nil, date: Date, isOpen: Bool = false) {
        self.id = id
        self.owner = owner
        self.alias = alias
        self.date = date
        self.isOpen = isOpen
    }

    /// Returns whether this record precedes another record of its kind, by date and then by id.
    package func precedes(_ other: RecordIndex) -> Bool { (date, id) < (other.date, other.id) }
}

/// A value that is one record of a store.
///
/// The SQLite store and the keychain store save the value's `Codable` encoding.
package protocol StoredRecord: Codable, Equatable, Sendable {
    static var recordKind: RecordKind { get }
    var recordIndex: RecordIndex { get }
}

/// The error for a stored form that is valid, but contains a value that only newer versions know.
package struct NewerForm: Error {
    package init() {}
}

extension StoredRecord {
    package var recordKind: RecordKind { Self.recordKind }
}

/// A query for records of one kind; a query without conditions selects all records of the kind.
package struct RecordQuery: Hashable, Sendable {
    package var id: String?
    /// Selects only records that belong to the record with this id.
    package var owner: String?
    /// Selects only records with this alias.
    package var alias: String?
    /// The id that the record with the alias has if another program stored the record.
    ///
    /// Some stores can find a record by its alias only if this package stored the record. Without `usualId`,
    /// such a store reads all records.
    package var usualId: String?
    /// Selects only records with dates in this range.
    package var dates: ClosedRange<Date>?
    /// Selects only open records.
    package var openOnly = false
    /// The maximum number of records.
    ///
    /// If more records match, the first in order are selected. `nil` means no limit, and a negative number
    /// means 0.
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
    /// The query for all open records.
    package static let open = RecordQuery(openOnly: true)

    /// Whether the query has conditions that cannot be checked with a record's id alone.
    package var looksInside: Bool { owner != nil || alias != nil || dates != nil || openOnly }

    package func selects(_ index: RecordIndex) -> Bool {
        (id == nil || id == index.id) && (owner == nil || owner == index.owner)
            && (alias == nil || alias == index.alias) && (dates?.contains(index.date) ?? true)
            && (!openOnly || index.isOpen)
    }
}

/// The result of a search: the readable values, and an error for each unreadable record.
package struct Fetched<Value> {
    package var values: [Value]
    /// The errors of the unreadable records; each error contains the id of its record, and a code such as `damaged` or
    /// `newerVersion`.
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

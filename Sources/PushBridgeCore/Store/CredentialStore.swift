/// The storage of accounts, credentials, notifications, the device token and the migration ledger.
///
/// A store can be shared between threads and tasks. An app selects one of the stores of this package and
/// passes the same store to all parts that share credentials: `SQLiteCredentialStore`,
/// `KeychainCredentialStore` or `MemoryCredentialStore`.
public protocol CredentialStore: Sendable {
    /// The implementation of the store, for use within this package only.
    var backing: StoreBacking { get }
}

/// The implementation of a ``CredentialStore``.
public struct StoreBacking: Sendable {
    package let records: any RecordStore

    package init(_ records: any RecordStore) {
        self.records = records
    }
}

/// The transactions of a store.
///
/// Transactions are synchronous, because the legacy API is synchronous. An async caller runs them on a thread that is
/// not one of Swift's cooperative threads. Calls do not nest: `body` uses the view that it receives and never calls the
/// store.
package protocol RecordStore: Sendable {
    /// Calls `body` with a consistent view of the store.
    ///
    /// - Throws: The errors of `body` and of the store.
    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value

    /// Calls `body` with a view that can change the store.
    ///
    /// When the call returns, all changes of `body` are stored and, except in a store in memory, durable. If `body`
    /// throws an error, the store is unchanged.
    ///
    /// - Throws: The errors of `body` and of the store.
    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value

    /// A stream that receives an element after each later change that this process makes to the store.
    ///
    /// The stream of a SQLite store also reports the changes of other processes. An element does not identify a change,
    /// and there may be fewer or more elements than changes.
    var changes: AsyncStream<Void> { get }

    /// Returns the ids of those records of a kind that a backup does not restore to another device.
    ///
    /// - Throws: The store's errors.
    func nonTransferableIDs(_ kind: RecordKind) throws -> Set<String>

    /// Returns the ids of those records of a kind that cannot be read while the device is locked.
    ///
    /// - Throws: The store's errors.
    func unreadableWhileLocked(_ kind: RecordKind) throws -> Set<String>

    /// Returns the path of the store's file; `nil` if the store has no file.
    ///
    /// - Throws: The store's errors.
    func filePath() throws -> String?

    /// Returns a name for the store; a durable store has the same name in every process and in both APIs.
    ///
    /// - Throws: The store's errors.
    func storageName() throws -> String

    /// Returns whether a move between stores brought the records of another store into this store.
    ///
    /// The call must not be made in a transaction.
    /// - Parameter name: The name of the other store; see ``storageName()``.
    /// - Returns: Whether this store contains the mark that a move from the other store leaves.
    /// - Throws: The store's errors.
    func hasReceived(from name: String) throws -> Bool
}

/// The names of storages; see ``RecordStore/storageName()``.
package enum StorageName {
    /// The name of an app's own storage in the callback API, and the prefix of the names in the async API.
    package static let own = "own"

    /// Returns the name of a storage of the type `type`, which an app implements for the async API.
    package static func own(_ type: Any.Type) -> String { "\(own) \(String(reflecting: type))" }
}

extension RecordStore {
    package func nonTransferableIDs(_ kind: RecordKind) throws -> Set<String> { [] }
    package func unreadableWhileLocked(_ kind: RecordKind) throws -> Set<String> { [] }
    package func filePath() throws -> String? { nil }
    package func storageName() throws -> String { String(reflecting: Self.self) }

    package func hasReceived(from name: String) throws -> Bool {
        let mark = ImportMark(receivedFrom: name)
        return try read { try $0.first(ImportMark.self, where: RecordQuery(id: mark.source)) != nil }
    }
}

extension CredentialStore {
    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try backing.records.read(body)
    }

    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try backing.records.write(body)
    }

    package var changes: AsyncStream<Void> { backing.records.changes }
}

/// A consistent view of a store; it is valid only inside its transaction, and only on the transaction's
/// thread.
///
/// A store implements only these operations. The queries of callers are extensions that use them.
package protocol CredentialReading {
    /// Whether a credential's record contains a copy of its account's names, policies and lock, as the successor SDK's
    /// items do.
    var denormalizesAccounts: Bool { get }

    /// Whether notifications are stored under their legacy keys; if so, the id of a new notification is its legacy key.
    var keepsLegacyKeys: Bool { get }
    /// Whether accounts have their own records; if not, each credential contains its account.
    var keepsAccounts: Bool { get }

    /// Checks, before an enrolment's request is sent, that the store can store an account in addition to the existing
    /// accounts.
    ///
    /// - Throws: ``StoreError`` with the code `notWritable` if the account cannot be stored, and the store's
    ///   errors.
    func checkPlace(for account: AccountKey) throws

    /// Calls `body` with each readable record that the query selects, in order.
    ///
    /// `body` may change the records during the iteration.
    /// - Returns: The errors of the unreadable records.
    /// - Throws: The errors of `body` and of the store.
    func forEach(
        _ kind: RecordKind,
        where query: RecordQuery,
        _ body: (any StoredRecord) throws -> Void
    ) throws -> [StoreError]

    /// Returns the ids of the records that the query selects, in order.
    ///
    /// The result may contain the ids of unreadable records. Some stores append these ids at the end instead of sorting
    /// them.
    ///
    /// Decrypts no records if the store can avoid it.
    ///
    /// - Throws: The store's errors.
    func ids(of kind: RecordKind, where query: RecordQuery) throws -> [String]

    /// Returns the number of records that the query selects; the number may include unreadable records.
    ///
    /// - Throws: The store's errors.
    func count(of kind: RecordKind, where query: RecordQuery) throws -> Int
}

package protocol CredentialWriting: CredentialReading {
    /// Stores a record; replaces a stored record that has the same kind and id.
    ///
    /// - Throws: The store's errors.
    func put(_ record: any StoredRecord) throws

    /// Sets the accessibility class for the records that the transaction adds after this call; `nil` means
    /// the store's default class.
    ///
    /// Only a keychain has classes; other stores ignore the call.
    func useAccessibility(_ accessibility: KeychainAccessibility?)

    /// Removes the records that the query selects.
    /// - Returns: The number of removed records.
    /// - Throws: The store's errors.
    @discardableResult
    func remove(_ kind: RecordKind, where query: RecordQuery) throws -> Int
}

extension CredentialWriting {
    package func useAccessibility(_ accessibility: KeychainAccessibility?) {}
}

extension CredentialReading {
    package var denormalizesAccounts: Bool { false }
    package var keepsLegacyKeys: Bool { false }
    package var keepsAccounts: Bool { true }
    package func checkPlace(for account: AccountKey) throws {}

    /// Calls `body` with each record of a type, like ``forEach(_:where:_:)``.
    ///
    /// - Throws: The errors of `body` and of the store.
    package func forEach<Value: StoredRecord>(
        _ type: Value.Type,
        where query: RecordQuery,
        _ body: (Value) throws -> Void
    ) throws -> [StoreError] {
        try forEach(type.recordKind, where: query) { record in
            guard let value = record as? Value else {
                let reason = "The store returned a record that is not of the kind “\(type.recordKind.noun)”."
                throw StoreError(.failed, record: record.recordIndex.id, reason: reason)
            }
            try body(value)
        }
    }

    /// Returns the records of a type that the query selects, and the errors of unreadable records.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func fetch<Value: StoredRecord>(
        _ type: Value.Type = Value.self,
        where query: RecordQuery = .all
    ) throws -> Fetched<Value> {
        var fetched = Fetched<Value>([])
        fetched.unreadable = try forEach(type, where: query) { fetched.values.append($0) }
        return fetched
    }

    /// Returns the first record that the query selects; `nil` if the query selects none.
    /// - Throws: ``StoreError`` if the record is unreadable, for example with the code `damaged`, and the store's
    ///   errors.
    package func first<Value: StoredRecord>(
        _ type: Value.Type = Value.self,
        where query: RecordQuery
    ) throws -> Value? {
        var query = query
        query.limit = 1
        let fetched = try fetch(type, where: query)
        if let error = fetched.unreadable.first { throw error }
        return fetched.values.first
    }
}

/// An error of a credential store.
///
/// A missing record is not an error: a look-up by id then returns `nil`. If a record exists but cannot be read, the
/// look-up throws an error.
public struct StoreError: Error, Equatable, Sendable {
    /// The kind of error.
    ///
    /// Later versions may add codes, so compare only with the codes that you handle.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code from its name; any name is accepted, so that the codes of later versions can be read.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The store cannot be used now, for example because the device has to be unlocked or another process is
        /// writing; try again later.
        public static let locked = Code(rawValue: "locked")
        /// The app may not use the store: the app lacks an entitlement, for example the entitlement for the
        /// keychain's access group.
        public static let notEntitled = Code(rawValue: "notEntitled")
        /// The store was written with another sealing key, or the key cannot be used, for example because other users
        /// can read its file.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The sealing key does not exist, for example after the store was restored without the keychain.
        public static let keyMissing = Code(rawValue: "keyMissing")
        /// A stored value cannot be read, because it was moved, truncated or changed.
        public static let damaged = Code(rawValue: "damaged")
        /// A newer version wrote the store or the record.
        public static let newerVersion = Code(rawValue: "newerVersion")
        /// The file exists, but it is not a credential store.
        public static let notAStore = Code(rawValue: "notAStore")
        /// The store does not exist.
        public static let missing = Code(rawValue: "missing")
        /// The store's file was removed or replaced while it was in use; open it again.
        public static let replaced = Code(rawValue: "replaced")
        /// The change cannot be stored, for example because the store is read-only, the app has no permission, or the
        /// store cannot contain the record.
        public static let notWritable = Code(rawValue: "notWritable")
        /// The disk is full.
        public static let full = Code(rawValue: "full")
        /// Any other error of the storage.
        public static let failed = Code(rawValue: "failed")
    }

    /// The kind of error.
    public let code: Code
    /// The id of the affected record; `nil` if the error concerns no single record.
    public let record: String?
    /// One sentence for a person, without a secret.
    public let reason: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - record: The id of the affected record; `nil` if the error concerns no single record.
    ///   - reason: One sentence for a person, without a secret.
    public init(_ code: Code, record: String? = nil, reason: String) {
        self.code = code
        self.record = record
        self.reason = reason
    }
}

extension StoreError {
    /// Whether the error concerns one record that is damaged or that the store refuses to return.
    ///
    /// The keychain can refuse to return one item, and return all others.
    package var isOfUnreadableRecord: Bool { code == .damaged || record != nil && isRefusal }

    /// Whether the store refuses to return a record now, but may return it later.
    ///
    /// The record is then neither replaced nor removed. A damaged record, in contrast, can never be read.
    package var isRefusal: Bool { code == .failed || code == .notEntitled }
}

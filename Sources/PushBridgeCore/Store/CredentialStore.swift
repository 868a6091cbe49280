/// The storage of accounts, credentials, notifications, the device token and the migration ledger.
///
/// Safe to share between threads and tasks. An app selects one of the stores of this package, and passes the same one
/// to all parts that share credentials: `SQLiteCredentialStore`, `KeychainCredentialStore` or `MemoryCredentialStore`.
public protocol CredentialStore: Sendable {
    /// The records behind the store, for use within this package only.
    var backing: StoreBacking { get }
}

/// The inside of a ``CredentialStore``.
public struct StoreBacking: Sendable {
    package let records: any RecordStore

    package init(_ records: any RecordStore) {
        self.records = records
    }
}

/// The transactions of a store.
///
/// Synchronous, because the legacy API is; an async caller reaches it through an executor that leaves Swift's cooperative
/// threads. Calls do not nest: `body` works with the view it is given and never calls the store.
package protocol RecordStore: Sendable {
    /// Calls `body` with a consistent view of the store; its errors pass through.
    ///
    /// - Throws: The errors of `body` and of the store.
    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value

    /// Calls `body` with a view that can change the store.
    ///
    /// Either everything it wrote is durable when the call returns, or, if it threw, nothing is.
    ///
    /// - Throws: The errors of `body` and of the store.
    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value

    /// One element after every committed change from now on, by whichever process the store is shared with.
    ///
    /// Says that something changed, not what; several changes may make one element, and one change two.
    var changes: AsyncStream<Void> { get }

    /// The ids of the records of a kind that stay behind when a backup moves to another device.
    ///
    /// - Throws: The store's errors.
    func leftBehind(_ kind: RecordKind) throws -> Set<String>

    /// The ids of the records of a kind that cannot be read while the device is locked.
    ///
    /// - Throws: The store's errors.
    func closedWhileLocked(_ kind: RecordKind) throws -> Set<String>

    /// The path of the file that the records are in; `nil` where they are in none.
    ///
    /// - Throws: The store's errors.
    func filePath() throws -> String?

    /// A name of the store that the next process also finds, and that both APIs have for it.
    ///
    /// - Throws: The store's errors.
    func storageName() throws -> String
}

/// The names of storages; see ``RecordStore/storageName()``.
package enum StorageName {
    /// An app's own storage in the callback API; those of the async API begin with it.
    package static let own = "own"

    /// An app's own storage in the async API.
    package static func own(_ type: Any.Type) -> String { "\(own) \(String(reflecting: type))" }
}

extension RecordStore {
    package func leftBehind(_ kind: RecordKind) throws -> Set<String> { [] }
    package func closedWhileLocked(_ kind: RecordKind) throws -> Set<String> { [] }
    package func filePath() throws -> String? { nil }
    package func storageName() throws -> String { String(reflecting: Self.self) }
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

/// A consistent view of a store, valid only inside the transaction that it was given to, on its thread.
///
/// These are all the verbs a store has to implement; what callers ask is written over them, once.
package protocol CredentialReading {
    /// Whether a credential's record repeats its account's names and lock, for the vendor's SDK to read.
    var repeatsAccounts: Bool { get }

    /// Whether notifications are kept under their legacy keys, so that a new one has that for its id.
    var keepsLegacyKeys: Bool { get }
    /// Whether accounts have their own records; elsewhere each credential contains its account.
    var keepsAccounts: Bool { get }

    /// Throws if the store cannot store an account beside the existing ones; called before the enrolment's request.
    ///
    /// - Throws: ``StoreError`` with the code `notWritable`, or the store's errors.
    func checkPlace(for account: AccountKey) throws

    /// Calls `body` with every record that the query selects and that can be read, in order, one at a time.
    ///
    /// `body` may change the records during the iteration.
    /// - Returns: The errors of the unreadable records.
    /// - Throws: The errors of `body` and of the store.
    func forEach(
        _ kind: RecordKind,
        where query: RecordQuery,
        _ body: (any StoredRecord) throws -> Void
    ) throws -> [StoreError]

    /// The ids of the records that the query selects, in order, including unreadable ones; opens no records if the
    /// store can avoid it.
    ///
    /// - Throws: The store's errors.
    func ids(of kind: RecordKind, where query: RecordQuery) throws -> [String]

    /// How many records the query selects, those that cannot be read included.
    ///
    /// - Throws: The store's errors.
    func count(of kind: RecordKind, where query: RecordQuery) throws -> Int
}

package protocol CredentialWriting: CredentialReading {
    /// Stores a record in place of the one of its kind with the same id.
    ///
    /// - Throws: The store's errors.
    func put(_ record: any StoredRecord) throws

    /// Gives the records that are new from here on this class; `nil` is the store's own. Only a keychain has classes.
    func protect(as accessibility: KeychainAccessibility?)

    /// Removes the records that the query selects.
    /// - Returns: How many there were.
    /// - Throws: The store's errors.
    @discardableResult
    func remove(_ kind: RecordKind, where query: RecordQuery) throws -> Int
}

extension CredentialWriting {
    package func protect(as accessibility: KeychainAccessibility?) {}
}

extension CredentialReading {
    package var repeatsAccounts: Bool { false }
    package var keepsLegacyKeys: Bool { false }
    package var keepsAccounts: Bool { true }
    package func checkPlace(for account: AccountKey) throws {}

    /// Calls `body` with every record of a type, one at a time, as the verb over its kind does.
    ///
    /// - Throws: The store's error if it cannot be read.
    package func forEach<Value: StoredRecord>(
        _ type: Value.Type,
        where query: RecordQuery,
        _ body: (Value) throws -> Void
    ) throws -> [StoreError] {
        try forEach(type.recordKind, where: query) { record in
            guard let value = record as? Value else {
                let reason = "The store returned another record for a \(type.recordKind.noun)."
                throw StoreError(.failed, record: record.recordIndex.id, reason: reason)
            }
            try body(value)
        }
    }

    /// The records of a type that the query selects, and why others could not be read.
    ///
    /// - Throws: The store's error if it cannot be read.
    package func fetch<Value: StoredRecord>(
        _ type: Value.Type = Value.self,
        where query: RecordQuery = .all
    ) throws -> Fetched<Value> {
        var fetched = Fetched<Value>([])
        fetched.unreadable = try forEach(type, where: query) { fetched.values.append($0) }
        return fetched
    }

    /// The only record that the query selects, or the first.
    /// - Throws: ``StoreError`` with the code `damaged` if it cannot be read.
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

/// Why a credential store refused or could not answer.
///
/// "Not there" is never an error here: look-ups return `nil` for that, and for nothing else.
public struct StoreError: Error, Equatable, Sendable {
    /// The possible reaction of a caller; later versions may add codes, so compare with those you know.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code.
        public let rawValue: String

        /// Names a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The device was not unlocked yet, or another process writes; try again later.
        public static let locked = Code(rawValue: "locked")
        /// The app may not use the store: it lacks an entitlement, such as that of the keychain's access group.
        public static let notEntitled = Code(rawValue: "notEntitled")
        /// The sealing key is not the one the store was written with.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The sealing key does not exist, as after a restore of the store without its keychain.
        public static let keyMissing = Code(rawValue: "keyMissing")
        /// A stored value cannot be read: it was moved, cut or changed.
        public static let damaged = Code(rawValue: "damaged")
        /// A newer version wrote the store.
        public static let newerVersion = Code(rawValue: "newerVersion")
        /// The file exists and is not a credential store.
        public static let notAStore = Code(rawValue: "notAStore")
        /// The store does not exist.
        public static let missing = Code(rawValue: "missing")
        /// The store's file was removed or replaced while it was in use; open it again.
        public static let replaced = Code(rawValue: "replaced")
        /// The store cannot be written: read-only, or no permission.
        public static let notWritable = Code(rawValue: "notWritable")
        /// The disk is full.
        public static let full = Code(rawValue: "full")
        /// Anything else that the storage reported.
        public static let failed = Code(rawValue: "failed")
    }

    /// The possible reaction of a caller.
    public let code: Code
    /// The id of the record concerned, if it is about one.
    public let record: String?
    /// One sentence for a human; never holds a secret.
    public let reason: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: The possible reaction of a caller.
    ///   - record: The id of the record concerned, if it is about one.
    ///   - reason: One sentence for a human, without any secret.
    public init(_ code: Code, record: String? = nil, reason: String) {
        self.code = code
        self.record = record
        self.reason = reason
    }
}

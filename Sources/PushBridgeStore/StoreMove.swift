import Foundation
public import PushBridgeCore
import PushBridgeFiles

/// Moves all records of one store into another store: copies them, compares each copy, and then removes them from the
/// first store.
///
/// Use a move when an app gets a keychain group, an extension or another team, when its store changes between
/// a keychain and a file, or when the sealing key changes. Call ``run(progress:)`` at each start, before the
/// first use of either store. If the call returns, use the target; if it throws, use the source. A move has
/// these rules:
///
/// - The source is authoritative until all records have been copied. A write transaction on the source is
///   open during the whole move, so other processes wait. If the process ends before the end of the move, the
///   source still contains its records, except those of keychain groups that were already moved; the next call
///   moves the others.
/// - An interrupted move is resumed: records that were already copied are updated from the source, and the
///   copies of records that the user removed from the source are removed. Records that were in the target
///   before the move stay there.
/// - Some records stay in the source and are listed in the receipt: unreadable records, and credentials that
///   differ from a credential with the same id in the target.
/// - Records that an old process writes to the source after the move are moved by the next call. If that call
///   fails, it does not throw but lists the error in the receipt, because the target stays authoritative.
///
/// If a query or a removal in the keychain names no group, it covers all groups of the app. Therefore, a
/// store without a group is treated as several stores, one for each group. A source without a group stands
/// for all groups except the target's group; a target without a group stands for the app's default group.
public struct StoreMove: Sendable {
    private let source: any CredentialStore
    private let target: any CredentialStore

    /// Creates a move between two stores; reads nothing yet.
    /// - Parameters:
    ///   - source: The store that contains the records.
    ///   - target: The store that receives the records.
    public init(from source: any CredentialStore, to target: any CredentialStore) {
        self.source = source
        self.target = target
    }

    /// Moves the records; can be called on any thread, and blocks it.
    /// - Parameter progress: Called on the same thread, twice for each record that is moved: once for its copy and
    ///   once for its comparison. For a readable record that is not moved, it is called once.
    /// - Returns: The result. If a move is complete, a further call moves nothing, and the result of that
    ///   call is also complete.
    /// - Throws: ``StoreError`` if a store fails or a copy differs from its record, and with the code
    ///   `failed` if both stores are the same. If an error is thrown, the source still contains its records,
    ///   except those of keychain groups that were already moved.
    @discardableResult
    public func run(progress: (StoreMoveProgress) -> Void = { _ in }) throws -> StoreMoveReceipt {
        let (sources, target) = try places()
        func run() throws -> StoreMoveReceipt {
            // If a group cannot be read, no group is moved, because the app continues to use the source after an error.
            if sources.count > 1 { for source in sources { try PlaceMove(source, target).check() } }
            return try sources.reduce(StoreMoveReceipt()) { receipt, source in
                receipt.adding(try PlaceMove(source, target).runOrContinue(progress))
            }
        }
        // Each store for a single group has its own lock. A transaction on the source itself makes all other users of
        // the source wait.
        let receipt = try isInGroups(sources) ? source.write { _ in try run() } : run()
        // If the mark cannot be written, the next call of this method writes it.
        try? noteSource(in: target)
        return receipt
    }

    /// Stores a mark of the source in the target, so that pending enrolments of the source are stored in the target.
    private func noteSource(in target: any CredentialStore) throws {
        let name = try source.backing.records.storageName()
        guard try name != target.backing.records.storageName() else { return }
        let mark = ImportMark(receivedFrom: name)
        try target.write { view in
            if try view.record(like: mark) == nil { try view.put(mark) }
        }
    }

    /// Returns the receipt that ``run(progress:)`` would return; changes neither store.
    /// - Returns: The receipt.
    /// - Throws: ``StoreError`` if a store cannot be read, or both stores are the same.
    public func plan() throws -> StoreMoveReceipt {
        let (sources, target) = try places()
        return try sources.reduce(StoreMoveReceipt()) { receipt, source in
            receipt.adding(try PlaceMove(source, target).plan())
        }
    }

    private func places() throws -> (sources: [any CredentialStore], target: any CredentialStore) {
        let same = StoreError(.failed, reason: "The source and the target of the move are the same store.")
        if try source.isSame(as: target) { throw same }
        var (sources, target) = ([source], target)
        if let keychain = target.backing.records as? KeychainCredentialStore {
            target = try keychain.inDefaultGroup()
        }
        if let keychain = source.backing.records as? KeychainCredentialStore {
            let other = target.backing.records as? KeychainCredentialStore
            sources = try keychain.inSingleGroups(besides: other)
        }
        for source in sources where try source.isSame(as: target) { throw same }
        return (sources, target)
    }

    private func isInGroups(_ sources: [any CredentialStore]) -> Bool {
        guard let keychain = source.backing.records as? KeychainCredentialStore else { return false }
        return !sources.contains { ($0.backing.records as? KeychainCredentialStore) === keychain }
    }
}

/// The progress of a move.
public struct StoreMoveProgress: Equatable, Sendable {
    /// The number of completed steps; each moved record has two steps, its copy and its comparison.
    public let completed: Int
    /// The number of steps if every record is moved.
    public let total: Int
}

/// The result of a move between two stores.
public struct StoreMoveReceipt: Equatable, Sendable {
    /// A record that stays in the source.
    public struct Remainder: Equatable, Sendable {
        /// The kind of the record, as a noun; `record` if the reason is an error that names no kind.
        public let kind: String
        /// The id of the record; `nil` if it is unknown, or if the reason concerns no single record.
        public let record: String?
        /// The reason why the record stays; contains no secret.
        public let reason: String
    }

    /// The number of records that the call moved, by kind.
    public private(set) var moved: [String: Int] = [:]
    /// The records that stay in the source.
    public private(set) var remaining: [Remainder] = []

    /// Whether no record stays in the source.
    public var isComplete: Bool { remaining.isEmpty }

    fileprivate mutating func add(_ record: any StoredRecord) {
        moved[record.recordKind.noun, default: 0] += 1
    }

    fileprivate mutating func addRemainder(_ kind: RecordKind?, _ id: String?, _ reason: String) {
        remaining.append(Remainder(kind: kind?.noun ?? "record", record: id, reason: reason))
    }

    fileprivate func adding(_ other: StoreMoveReceipt) -> StoreMoveReceipt {
        var sum = self
        sum.moved.merge(other.moved, uniquingKeysWith: +)
        sum.remaining += other.remaining
        return sum
    }
}

/// A move between two stores that do not share records.
private struct PlaceMove {
    let source: any CredentialStore
    let target: any CredentialStore

    init(_ source: any CredentialStore, _ target: any CredentialStore) {
        (self.source, self.target) = (source, target)
    }

    func plan() throws -> StoreMoveReceipt {
        try source.read { old in
            let contents = try MovedContents(of: old)
            return try target.read { new in
                var receipt = contents.receipt
                let follows = try new.follows(old)
                let removed = try follows ? [] : new.removedRecords(among: contents)
                let convert = try old.conversion(for: new)
                for stored in contents.records where !removed.contains(stored.tombstoneId) {
                    let record = try convert(stored)
                    let existing = try new.record(like: record)
                    if existing.map({ follows || record.merged(into: $0) != nil }) ?? true {
                        receipt.add(record)
                    } else {
                        receipt.addRemainder(record.recordKind, record.recordIndex.id, Self.conflict)
                    }
                }
                return receipt
            }
        }
    }

    /// Throws an error if the source cannot be read; does nothing if its records have already been moved.
    func check() throws {
        try source.read { old in
            if try !old.hasMovedAway { _ = try MovedContents(of: old) }
        }
    }

    /// Moves the records, or continues an interrupted move.
    ///
    /// After the end of a move, an error is not thrown but listed in the receipt. In that case, records that were
    /// written to the source since the move stay there.
    func runOrContinue(_ progress: (StoreMoveProgress) -> Void) throws -> StoreMoveReceipt {
        do {
            return try run(progress)
        } catch {
            guard try source.read({ try $0.hasMovedAway }) else { throw error }
            var receipt = StoreMoveReceipt()
            let known = error as? StoreError
            receipt.addRemainder(nil, known?.record, known?.reason ?? "\(error)")
            return receipt
        }
    }

    private func run(_ progress: (StoreMoveProgress) -> Void) throws -> StoreMoveReceipt {
        try begin()
        let classes = try AccessClasses(of: source)
        let receipt = try source.write { old in
            let contents = try MovedContents(of: old)
            var receipt = contents.receipt
            var completed = 0
            func advance() {
                completed += 1
                progress(StoreMoveProgress(completed: completed, total: contents.records.count * 2))
            }
            let (copied, removed) = try target.write { new in
                var copied: [(record: any StoredRecord, copy: any StoredRecord)] = []
                let follows = try new.follows(old)
                if follows { try new.removeAll(but: contents) }
                // An earlier attempt copied these records, and the user then removed the copies.
                let removed = try follows ? [] : new.removedRecords(among: contents)
                let convert = try old.conversion(for: new)
                for stored in contents.records {
                    advance()
                    if removed.contains(stored.tombstoneId) { continue }
                    let record = try convert(stored)
                    let existing = try new.record(like: record)
                    let copy = existing.map { follows ? record : record.merged(into: $0) } ?? record
                    guard let copy else {
                        receipt.addRemainder(record.recordKind, record.recordIndex.id, Self.conflict)
                        continue
                    }
                    if existing?.isEqual(copy) != true {
                        new.useAccessibility(classes[record])
                        try new.put(copy)
                    }
                    copied.append((record, copy))
                }
                // If the move has ended, `copied` contains records that were written to the source afterwards. Until
                // they are removed from the source, a removal from the target needs a tombstone, so that no later call
                // copies the record again. With this mark, removals store tombstones.
                if let ended = try old.moveMark(.ended), !copied.isEmpty {
                    try new.put(ImportMark(.begun, ended.digest))
                }
                if follows {
                    try new.noteCopies()
                } else if try new.hasCopies(of: old) {
                    try new.removeCopies(buriedIn: contents)
                }
                return (copied, removed)
            }
            try target.read { new in
                for (_, copy) in copied {
                    advance()
                    guard try new.record(like: copy)?.isEqual(copy) != true else { continue }
                    let reason = "The \(copy.recordKind.noun) was not read back as it was written."
                    throw StoreError(.failed, record: copy.recordIndex.id, reason: reason)
                }
            }
            for (record, _) in copied {
                receipt.add(record)
                // The state of the legacy items stays in the source, so that an old process does not migrate
                // these items.
                if record.recordKind == .move { continue }
                try old.remove(record.recordKind, where: RecordQuery(id: record.recordIndex.id))
            }
            for record in contents.records where removed.contains(record.tombstoneId) {
                try old.remove(record.recordKind, where: RecordQuery(id: record.recordIndex.id))
            }
            try old.endMove()
            return receipt
        }
        // If this removal fails, the next call repeats it. The source already contains the mark that the
        // target is in use.
        try? target.write { try $0.forgetMove() }
        return receipt
    }

    /// Stores an id of the move in the source and, if the target is empty, in the target.
    ///
    /// If the id is also stored in the target, the target follows the source: the copies are updated from the
    /// source.
    private func begin() throws {
        let isMoved = try source.read { try $0.hasMovedAway }
        if isMoved {
            // The move has ended, so the target is already in use. The process may have been killed before
            // it removed the target's marks, so they are removed now.
            return try target.write { try $0.forgetMove() }
        }
        let id = try source.write { old in
            if let known = try old.moveMark(.begun) { return known.digest }
            let new = ImportMark(
                .begun,
                RecordFingerprint(parts: [UUID().uuidString], payload: [], occurrence: 0)
            )
            try old.put(new)
            return new.digest
        }
        try target.write { new in
            // If the target was the source of an earlier move, it still contains the mark of that move, and the
            // state that the legacy items had then.
            let wasSource = try new.hasMovedAway
            let isEmpty = try RecordKind.allCases.allSatisfy { kind in
                if kind == .move, wasSource { return true }
                return try new.ids(of: kind, where: .all).allSatisfy { id in
                    kind == .importMark && MoveMark.isOfStore(id)
                }
            }
            if wasSource {
                try new.remove(.importMark, where: RecordQuery(id: MoveMark.ended.rawValue))
                try new.remove(.move, where: .all)
            }
            if isEmpty {
                try new.put(ImportMark(.begun, id))
                try new.noteCopies()
            }
        }
    }

    private static let conflict = "The target of the move has a different record with the same id."
}

/// The readable records of the source, and a receipt that lists the unreadable ones.
private struct MovedContents {
    var records: [any StoredRecord] = []
    var receipt = StoreMoveReceipt()
    /// The ids of the unreadable records; `nil` for an id that the store cannot determine.
    private var unreadableIds: [RecordKind: Set<String?>] = [:]

    init(of view: any CredentialReading) throws {
        // After the end of a move, only the target contains the current state of the legacy items.
        let isEnded = try view.hasMovedAway
        for kind in RecordKind.allCases where kind != .move || !isEnded {
            let unreadable = try view.forEach(kind, where: .all) { record in
                if !record.isMoveMark { records.append(record) }
            }
            for error in unreadable {
                guard error.code == .newerVersion || error.isOfUnreadableRecord else { throw error }
                receipt.addRemainder(kind, error.record, error.reason)
                unreadableIds[kind, default: []].insert(error.record)
            }
        }
    }

    /// Returns the ids of the records of a kind; `nil` if an id is unknown.
    func ids(of kind: RecordKind) -> Set<String>? {
        let unreadable = unreadableIds[kind] ?? []
        guard !unreadable.contains(nil) else { return nil }
        let readable = records.filter { $0.recordKind == kind }.map(\.recordIndex.id)
        return Set(readable).union(unreadable.compactMap(\.self))
    }
}

/// The accessibility classes of the credentials in a keychain; other stores have no classes.
private struct AccessClasses {
    private var staying: [RecordKind: Set<String>] = [:]
    private var closed: [RecordKind: Set<String>] = [:]

    init(of store: any CredentialStore) throws {
        for kind in [RecordKind.push, .oath] {
            staying[kind] = try store.backing.records.nonTransferableIDs(kind)
            closed[kind] = try store.backing.records.unreadableWhileLocked(kind)
        }
    }

    subscript(record: any StoredRecord) -> KeychainAccessibility? {
        let (kind, id) = (record.recordKind, record.recordIndex.id)
        return switch (staying[kind]?.contains(id) == true, closed[kind]?.contains(id) == true) {
        case (false, false): nil
        case (false, true): .whenUnlocked
        case (true, false): .afterFirstUnlockThisDeviceOnly
        case (true, true): .whenUnlockedThisDeviceOnly
        }
    }
}

/// The marks that contain the state of a move.
private enum MoveMark: String, CaseIterable {
    /// The mark with the id of the move: in the source, and in the target if the target was empty or has to store
    /// tombstones.
    ///
    /// The value is that of `ImportMark.unfinishedStoreMove`.
    case begun = "move to another store"
    /// The mark in the target, with a digest of the copies that the move wrote.
    case copied = "copied from another store"
    /// The mark in the source, with the id of the move.
    case ended = "moved to another store"

    /// Returns whether `id` is the id of a mark of an unfinished or a completed move between stores.
    static func isOfStore(_ id: String) -> Bool { MoveMark(rawValue: id) != nil || ImportMark.isReceipt(id) }
}

extension ImportMark {
    fileprivate init(_ mark: MoveMark, _ id: RecordFingerprint) {
        self.init(source: mark.rawValue, digest: id, recordedAt: Date(timeIntervalSince1970: 0))
    }
}

extension CredentialReading {
    /// Whether the records have been moved to another store.
    ///
    /// A process that still has this store open must not import into it.
    ///
    /// - Throws: ``StoreError`` if the store cannot be read.
    package var hasMovedAway: Bool { get throws { try moveMark(.ended) != nil } }

    fileprivate func moveMark(_ mark: MoveMark) throws -> ImportMark? {
        try first(ImportMark.self, where: RecordQuery(id: mark.rawValue))
    }

    /// Returns whether all records of this store are unchanged copies that an interrupted move made from the
    /// other store.
    ///
    /// The result is `false`, for example, if an extension has already written to this store. The extension's records
    /// then stay, and the records of the other store are merged into them.
    fileprivate func follows(_ source: any CredentialReading) throws -> Bool {
        try hasCopies(of: source) && moveMark(.copied)?.digest == copiesDigest()
    }

    /// Returns whether this store has the mark of the unfinished move from the other store.
    ///
    /// While a move is unfinished, its target has this mark only if it was empty when the move began.
    fileprivate func hasCopies(of source: any CredentialReading) throws -> Bool {
        guard let mark = try moveMark(.begun) else { return false }
        return try mark == source.moveMark(.begun)
    }

    /// Returns the ids of the tombstones of those records that the user removed from this store.
    ///
    /// An account is included only if the user also removed every credential that the source has for the
    /// account.
    fileprivate func removedRecords(among contents: MovedContents) throws -> Set<String> {
        let tombstones = Set(try ids(of: .tombstone, where: .all))
        guard !tombstones.isEmpty else { return [] }
        var removed: Set<String> = []
        var accounts: Set<String> = []
        for record in contents.records where record.recordKind != .account {
            if tombstones.contains(record.tombstoneId), try self.record(like: record) == nil {
                removed.insert(record.tombstoneId)
            } else if let credential = record as? any CredentialRecord {
                accounts.insert(credential.account.key.recordID)
            }
        }
        for record in contents.records
        where record.recordKind == .account && tombstones.contains(record.tombstoneId)
            && !accounts.contains(record.recordIndex.id)
        {
            if try self.record(like: record) == nil { removed.insert(record.tombstoneId) }
        }
        return removed
    }

    /// Returns a digest of all records, with their secrets, except the marks of a move.
    fileprivate func copiesDigest() throws -> RecordFingerprint {
        let encoder = JSONEncoder()
        if let key = CodingUserInfoKey.isStoresOwn { encoder.userInfo[key] = true }
        encoder.outputFormatting = .sortedKeys
        var parts: [String] = []
        for kind in RecordKind.allCases {
            var records: [Data] = []
            let unreadable = try forEach(kind, where: .all) { record in
                if !record.isMoveMark { records.append(try encoder.encode(record)) }
            }
            parts += records.map { "\(kind.noun) \($0.base64EncodedString())" }.sorted()
            parts += unreadable.map { "\(kind.noun) \($0.record ?? "")" }.sorted()
        }
        return RecordFingerprint(parts: parts, payload: [], occurrence: 0)
    }

    /// Returns the record with the kind and the id of `other`; `nil` if there is none.
    fileprivate func record(like other: any StoredRecord) throws -> (any StoredRecord)? {
        var found: (any StoredRecord)?
        let query = RecordQuery(id: other.recordIndex.id)
        let unreadable = try forEach(other.recordKind, where: query) { found = $0 }
        if let error = unreadable.first { throw error }
        return found
    }
}

extension CredentialWriting {
    /// Removes all records, but keeps the marks of moves between stores.
    ///
    /// If a move to another store is unfinished, its next attempt uses the marks and removes the copies in that store.
    /// The marks of completed moves are still necessary for pending enrolments of the earlier stores.
    ///
    /// - Throws: ``StoreError`` if the store cannot be written.
    package func removeAllButMarks() throws {
        for kind in RecordKind.allCases {
            for id in try ids(of: kind, where: .all)
            where kind != .importMark || !MoveMark.isOfStore(id) {
                try remove(kind, where: RecordQuery(id: id))
            }
        }
    }

    /// Removes the copies of records that are no longer in the source.
    fileprivate func removeAll(but contents: MovedContents) throws {
        for kind in RecordKind.allCases {
            guard let kept = contents.ids(of: kind) else { continue }
            for id in try ids(of: kind, where: .all) where !kept.contains(id) {
                if kind == .importMark, MoveMark.isOfStore(id) { continue }
                try remove(kind, where: RecordQuery(id: id))
            }
        }
    }

    /// Removes the copies of records that the user removed from the source after an interrupted move.
    ///
    /// Records that an extension has added to this store stay, and so does their account.
    fileprivate func removeCopies(buriedIn contents: MovedContents) throws {
        let tombstones = contents.records.compactMap { $0 as? Tombstone }.filter { tombstone in
            contents.ids(of: tombstone.removedKind)?.contains(tombstone.removedId) == false
        }
        for tombstone in tombstones where tombstone.removedKind != .account {
            try remove(tombstone.removedKind, where: RecordQuery(id: tombstone.removedId))
        }
        for tombstone in tombstones where tombstone.removedKind == .account {
            guard let key = AccountKey(recordID: tombstone.removedId), try !hasCredentials(key) else {
                continue
            }
            try remove(.account, where: RecordQuery(id: tombstone.removedId))
        }
    }

    /// Marks the move as ended: the target is now the store in use.
    fileprivate func endMove() throws {
        guard let mark = try moveMark(.begun) else { return }
        try put(ImportMark(.ended, mark.digest))
        try forgetMove()
    }

    fileprivate func noteCopies() throws {
        try put(ImportMark(.copied, copiesDigest()))
    }

    fileprivate func forgetMove() throws {
        for mark in [MoveMark.begun, .copied] {
            try remove(.importMark, where: RecordQuery(id: mark.rawValue))
        }
    }
}

extension StoredRecord {
    fileprivate var tombstoneId: String { Tombstone.id(recordKind, recordIndex.id) }
    fileprivate var isMoveMark: Bool { MoveMark(rawValue: (self as? ImportMark)?.source ?? "") != nil }

    fileprivate func isEqual(_ other: any StoredRecord) -> Bool { (other as? Self) == self }

    /// Returns the record that replaces both this record and a record of another store with the same id; `nil` if
    /// both records must be kept.
    fileprivate func merged(into existing: any StoredRecord) -> (any StoredRecord)? {
        switch (self, existing) {
        case (let new as AccountProfile, var old as AccountProfile):
            old.complete(from: new)
            return old
        case (let new as OathCredential, let old as OathCredential):
            guard new.password == old.password, new.oathType == old.oathType else { return nil }
            return new.counter > old.counter ? new : old
        case (let new as PushCredential, let old as PushCredential):
            return new.sharedSecret == old.sharedSecret && new.endpoints == old.endpoints ? old : nil
        case (let new as PushNotification, let old as PushNotification):
            return old.pending && !new.pending ? new : old
        case (let new as PushDeviceToken, let old as PushDeviceToken):
            return new.createdAt > old.createdAt ? new : old
        default:
            return existing
        }
    }
}

extension CredentialStore {
    /// Returns whether both stores use the same storage.
    fileprivate func isSame(as other: any CredentialStore) throws -> Bool {
        let (mine, theirs) = (backing.records, other.backing.records)
        if (mine as AnyObject) === (theirs as AnyObject) { return true }
        if let one = mine as? KeychainCredentialStore, let two = theirs as? KeychainCredentialStore {
            return one.hasSameItems(as: two)
        }
        guard let one = try mine.filePath(), let two = try theirs.filePath() else { return false }
        return try storing("Examining \(one)") {
            guard let first = try FileStatus(path: one), let second = try FileStatus(path: two) else {
                return false
            }
            return first.isSameFile(as: second)
        }
    }
}

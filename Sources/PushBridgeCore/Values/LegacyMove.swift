package import Foundation

/// The state of a move of records between the legacy SDK's keychain items and this store.
///
/// A store contains at most one ``LegacyMove`` record, and none before the first move or after a finished move back.
package struct LegacyMove: Equatable, Sendable {
    /// The phases of a move.
    ///
    /// Each phase determines which is in use: the legacy items or the store.
    package enum State: String, Codable, CaseIterable, Sendable {
        /// The legacy items are in use; the store may contain some records already.
        case moving
        /// The store is in use.
        case moved
        /// The store is in use; the legacy items may contain some records again.
        case movingBack
    }

    package var state: State
    /// The date when the move began.
    package let beganAt: Date
    /// The keychain groups in which legacy items were found; each group contains a marker item.
    package var groups: [String]
    /// The number of consecutive attempts to move that found no legacy item.
    package var blindStarts = 0

    package init(_ state: State, beganAt: Date, groups: [String] = []) {
        self.state = state
        self.beganAt = beganAt
        self.groups = groups
    }

    private enum CodingKeys: Int, CodingKey {
        case state = 1
        case beganAt, groups, blindStarts
    }
}

extension LegacyMove: StoredRecord {
    package static var recordKind: RecordKind { .move }
    package static var id: String { "legacy items" }
    package var recordIndex: RecordIndex { RecordIndex(id: Self.id, date: beganAt) }
}

/// Prevents the import of a copy of a record that the user removed during or after a move.
package struct Tombstone: Equatable, Sendable {
    /// The kind of the removed record.
    package let removedKind: RecordKind
    /// The id of the removed record.
    package let removedId: String
    /// The start of the move; the user removed the record after this date.
    package let moveBeganAt: Date

    package init(_ kind: RecordKind, id: String, since date: Date) {
        (removedKind, removedId, moveBeganAt) = (kind, id, date)
    }

    private enum CodingKeys: Int, CodingKey {
        case removedKind = 1
        case removedId, moveBeganAt
    }
}

extension Tombstone: StoredRecord {
    package static var recordKind: RecordKind { .tombstone }
    package var recordIndex: RecordIndex {
        RecordIndex(id: Self.id(removedKind, removedId), date: moveBeganAt)
    }

    /// Returns the id of a record's tombstone.
    package static func id(_ kind: RecordKind, _ id: String) -> String { "\(kind.rawValue) \(id)" }
}

extension CredentialReading {
    /// Returns the state of a move between the legacy items and this store; `nil` if no move has begun since the last
    /// move back.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func move() throws -> LegacyMove? {
        try first(LegacyMove.self, where: RecordQuery(id: LegacyMove.id))
    }

    /// Returns whether the user has removed a record since a move began.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func isBuried(_ kind: RecordKind, id: String) throws -> Bool {
        try tombstone(kind, id: id) != nil
    }

    /// Returns the tombstone of a record; `nil` if the user has not removed the record since a move began.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func tombstone(_ kind: RecordKind, id: String) throws -> Tombstone? {
        try first(Tombstone.self, where: RecordQuery(id: Tombstone.id(kind, id)))
    }
}

extension CredentialWriting {
    /// Removes records at the user's request.
    ///
    /// If a move of the legacy items has begun, the same transaction stores a tombstone for each removed record of
    /// which these items may contain a copy. Otherwise, during a move between this store and another store, it stores
    /// a tombstone for each removed record except notifications.
    ///
    /// - Returns: The number of removed records.
    /// - Throws: The store's error if the store cannot be read or written.
    @discardableResult
    package func dismiss(_ kind: RecordKind, where query: RecordQuery) throws -> Int {
        if let move = try move() {
            for id in try ids(of: kind, where: query) where try mayLieElsewhere(kind, id: id, since: move) {
                try put(Tombstone(kind, id: id, since: move.beganAt))
            }
        } else if kind != .notification, let mark = try unfinishedStoreMove() {
            for id in try ids(of: kind, where: query) {
                try put(Tombstone(kind, id: id, since: mark.recordedAt))
            }
        }
        return try remove(kind, where: query)
    }

    /// Returns the mark of an unfinished move between this store and another; `nil` if there is none, or if it is
    /// unreadable.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func unfinishedStoreMove() throws -> ImportMark? {
        try fetch(ImportMark.self, where: RecordQuery(id: ImportMark.unfinishedStoreMove)).first
    }

    /// Returns whether the legacy items may contain a record.
    ///
    /// A push that was received directly into the store has an id that no legacy item has.
    private func mayLieElsewhere(_ kind: RecordKind, id: String, since move: LegacyMove) throws -> Bool {
        guard kind == .notification, move.state != .moving else { return true }
        return try fetch(PushNotification.self, where: RecordQuery(id: id)).first
            .map { $0.id == $0.legacyIdentifier } ?? true
    }
}

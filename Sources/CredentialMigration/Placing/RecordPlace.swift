package import Foundation
package import LegacyStore
package import PushBridgeCore
import PushBridgePlatform

/// Decides which store holds the records that count: the legacy SDK's own items, or the store that they move to.
///
/// Everybody who needs to know asks this type, or works on ``store``, which follows it. The state is written in the store that
/// the records move to, as one ``LegacyMove``; a copy beside the items tells other processes to look there.
///
/// | state | in charge | start with leave to move | process ends | device locked | item refused | previous release ran | move back |
/// | --- | --- | --- | --- | --- | --- | --- | --- |
/// | in place | the items | *moving*, and *moved* once everything arrived | stays | stays | the rest moves | is seen at once | nothing to do |
/// | moving | the items | reads again what is new or changed; *moved* once everything arrived | stays; goes on at the next start | stays | the rest moves | is seen at once | nothing to do |
/// | moved | the store | takes what the items have new | stays | stays | is tried again at each start | is taken at the next start | *moving back*, then *in place* |
/// | moving back | the store | as in *moved* | stays; can be repeated | stays | stays | is taken first | goes on, then *in place* |
///
/// What leaves a state is always one transaction of the store. No account is removed because it is not seen: the user's
/// removals are written down as ``Tombstone`` in the transaction that carries them out, and nothing but these is carried
/// over. The one exception is an account that the previous release removed while the items were in charge, and only where
/// an item of ours shows that the group can be read, other items are there, and none of that account is.
package final class RecordPlace: Sendable {
    /// Which store is in charge, and whether a move is under way.
    package enum State: String, CaseIterable, Sendable {
        case inPlace
        case moving
        case moved
        case movingBack

        init(_ move: LegacyMove?) {
            self =
                switch move?.state {
                case nil: .inPlace
                case .moving: .moving
                case .moved: .moved
                case .movingBack: .movingBack
                }
        }

        /// Whether the legacy items are in charge.
        package var isInPlace: Bool { self == .inPlace || self == .moving }
    }

    /// What an attempt to move came to.
    package enum Attempt: Sendable {
        /// The store is in charge; what became of what was new, `nil` if nothing was. Where no item was to be seen and none
        /// ever arrived, that may be because the keychain does not show them yet.
        case moved(MigrationReceipt?, sawNothing: Bool)
        /// The items are in charge until another attempt; what became of what could be read.
        case later(MigrationReceipt?)
    }

    /// The legacy items as a store.
    package let items: LegacyItemStore
    let keychain: LegacyKeychain
    private let source: MigrationSource
    private let openTarget: @Sendable () throws -> any CredentialStore
    private let clock: @Sendable () -> Date
    /// What this process saw last.
    private let seen = Lock(Seen())

    private struct Seen {
        var state: State?
        var target: (any CredentialStore)?
    }

    /// Takes both places; opens nothing yet.
    /// - Parameters:
    ///   - source: The legacy items; `nil` if it is another source than these.
    ///   - clock: Tells the time.
    ///   - target: Opens the store that the records move to.
    package init?(
        of source: MigrationSource,
        clock: @escaping @Sendable () -> Date = { Date() },
        to target: @escaping @Sendable () throws -> any CredentialStore
    ) {
        guard let keychain = source.legacyKeychain else { return nil }
        self.keychain = keychain
        self.source = source
        self.clock = clock
        openTarget = target
        items = LegacyItemStore(keychain)
    }

    /// The store that follows the records: each transaction works where they are at that moment.
    package var store: any CredentialStore { PlacedStore(place: self) }

    /// Which store is in charge.
    ///
    /// - Throws: ``StoreError`` if the store that the records move to cannot be opened or read.
    package func state() throws -> State { try state(in: target()) }

    /// The store that the records move to.
    func target() throws -> any CredentialStore {
        if let target = seen.withValue(\.target) { return target }
        let target = try openTarget()
        seen.withValue { $0.target = target }
        return target
    }

    private func state(in target: any CredentialStore) throws -> State {
        let (move, isUsed) = try target.read { view in
            let move = try view.move()
            return (move, try move == nil && isInUse(view))
        }
        var state = State(move)
        if isUsed {
            // It was filled without a move of this type's, which counts as one that is done.
            try target.write { view in
                if try view.move() == nil { try view.put(LegacyMove(.moved, beganAt: clock())) }
            }
            state = .moved
        }
        seen.withValue { $0.state = state }
        return state
    }

    private func isInUse(_ view: any CredentialReading) throws -> Bool {
        if try view.count(of: .ledger, where: RecordQuery(limit: 1)) > 0 { return true }
        let credentials = try view.count(of: .push, where: .all) + view.count(of: .oath, where: .all)
        return try credentials > 0 && keychain.names().isEmpty
    }

    /// What the state was when this process looked last; looks if it never did.
    fileprivate func lastState() throws -> State { try seen.withValue(\.state) ?? state() }

    /// Looks where the records are, because a place said that they are in the other one.
    fileprivate func lookAgain() throws {
        let target = try target()
        guard try state(in: target).isInPlace else { return }
        // A process that was about to finish a move died: its note beside the items is ahead of the store.
        let move = try target.read { try $0.move() }
        try items.exclusively { turn in
            if try turn.notes.move != move { try turn.replaceNotes { $0.move = move } }
        }
    }

    // MARK: - Moving

    /// Moves what is in the legacy items into the store, or, where they moved before, takes what is new.
    ///
    /// Blocks; transactions of ``store`` wait meanwhile where the items are in charge.
    /// - Parameter willRead: Called before the first item is read; nothing is done if it throws.
    /// - Returns: What it came to.
    /// - Throws: `LegacyStoreError` if the items, and ``StoreError`` if the store fails.
    package func move(willRead: () throws -> Void = {}) throws -> Attempt {
        try items.exclusively { turn in
            let target = try target()
            guard try state(in: target).isInPlace else { return try takeNew(to: target, turn, willRead) }
            // An answer that is on its way is stored where it was begun.
            let (notes, now) = (try turn.notes, clock())
            guard !notes.claims.values.contains(where: { $0.isLive(at: now) }) else { return .later(nil) }
            try willRead()
            let names = try keychain.names()
            let listing = ItemListing(names)
            guard var move = try begin(listing, in: target, turn) else { return .later(nil) }
            let isWhole = try move.groups.allSatisfy { try keychain.beside(.mark, in: $0.group) != nil }
            let before = try ItemListing.read(from: keychain)
            let receipt = try migration(to: target, isInCharge: true).migrateNew()
            let all = listing.adding(before)
            if all != before { try keychain.keep(all.encoded, beside: .listing) }
            guard isWhole, receipt?.records.contains(where: \.isLocked) != true else {
                return .later(receipt)
            }
            move.state = .moved
            // Other processes look where the records are from now on, before that changes.
            try turn.replaceNotes { $0.move = move }
            let taken = try turn.notes
            let kept = try finish(move, target, taken, now: listing, before: before)
            seen.withValue { $0.state = .moved }
            try turn.replaceNotes { $0.forget(taken, after: move) }
            try keychain.keep(nil, beside: .listing)
            turn.announce()
            return .moved(try receipt.adding(kept, in: target), sawNothing: try isBlind(listing, target))
        }
    }

    /// Writes down that a move is under way; `nil` if nothing is to be seen of what was there before.
    private func begin(
        _ listing: ItemListing,
        in target: any CredentialStore,
        _ turn: LegacyItemStore.Turn
    ) throws -> LegacyMove? {
        var move = try target.read { try $0.move() } ?? LegacyMove(.moving, beganAt: clock())
        if listing.isEmpty, !move.groups.isEmpty {
            // A process that may not see the group, or one that runs before the first unlock, sees nothing as well. Only if
            // that stays so are the records in the store all that is left.
            move.blindStarts += 1
            try target.write { try $0.put(move) }
            guard move.blindStarts > Self.blindStarts else { return nil }
            move.groups = []
        }
        if !listing.isEmpty { move.blindStarts = 0 }
        for group in listing.groups where !move.groups.contains(group) {
            // The mark comes first: a group that is noted without one would count as out of sight.
            try keychain.keep(Data("here".utf8), beside: .mark, in: group.group)
            move.groups.append(group)
        }
        let begun = move
        try target.write { try $0.put(begun) }
        if try turn.read({ try $0.move() }) != begun { try turn.write { try $0.put(begun) } }
        return begun
    }

    /// How many starts in a row may see nothing before that is taken for the truth.
    private static let blindStarts = 3

    /// Puts the store in charge, with what was removed and noted meanwhile.
    /// - Returns: The records that the items do not show any more and that stay all the same.
    private func finish(
        _ move: LegacyMove,
        _ target: any CredentialStore,
        _ notes: LegacyItemNotes,
        now names: ItemListing,
        before: ItemListing?
    ) throws -> [LedgerEntry] {
        try target.write { view in
            // Another process may have finished it since.
            guard try view.move()?.state == .moving else { return [] }
            try view.put(move)
            for tombstone in notes.tombstones { try view.bury(tombstone) }
            let kept = try view.settleVanished(before: before, now: names, since: move.beganAt)
            try view.take(notes)
            return kept
        }
    }

    /// Takes what the previous release, or a process that did not know of the move, left in the items.
    private func takeNew(
        to target: any CredentialStore,
        _ turn: LegacyItemStore.Turn,
        _ willRead: () throws -> Void
    ) throws -> Attempt {
        let notes = try turn.notes
        if !notes.isLeft, let move = try target.read({ try $0.move() }) {
            try target.write { view in
                for tombstone in notes.tombstones { try view.bury(tombstone) }
                try view.takeLater(notes)
            }
            try turn.replaceNotes { $0.forget(notes, after: move.in(.moved)) }
        }
        let receipt = try migration(to: target, isInCharge: false).migrateNew(willRead: willRead)
        return .moved(
            receipt,
            sawNothing: try receipt == nil && isBlind(ItemListing(keychain.names()), target)
        )
    }

    private func isBlind(_ listing: ItemListing, _ target: any CredentialStore) throws -> Bool {
        guard listing.isEmpty else { return false }
        return try target.read { try $0.count(of: .ledger, where: RecordQuery(limit: 1)) == 0 }
    }

    private func migration(to target: any CredentialStore, isInCharge: Bool) -> CredentialMigration {
        var options = MigrationOptions()
        options.clock = clock
        options.sourceIsInCharge = isInCharge
        return CredentialMigration(from: source, to: target, options: options)
    }

    // MARK: - Moving back

    /// Writes all that the store holds into the legacy items, reads it back, and puts the items in charge.
    ///
    /// What the previous release did meanwhile is taken first. The store is empty afterwards. Nothing changes in the store
    /// unless every record arrived; a call that failed, or was killed, can be repeated.
    /// - Returns: How many records were written; none if the items are in charge already.
    /// - Throws: `LegacyStoreError` if the items cannot be read, and ``StoreError``: with the code `notWritable` where records
    ///   have no place in the items, because two of them have one key or cannot be read, and the keychain's own.
    package func moveBack() throws -> ExportSummary {
        try items.exclusively { turn in
            let target = try target()
            guard try !state(in: target).isInPlace else { return ExportSummary() }
            _ = try takeNew(to: target, turn, {})
            let move = try target.read { try $0.move() } ?? LegacyMove(.moved, beganAt: clock())
            try target.write { try $0.put(move.in(.movingBack)) }
            do {
                let summary = try target.write { view in
                    let summary = try view.moveBack(into: keychain)
                    let notes = try view.legacyNotes(beside: keychain)
                    try turn.replaceNotes { $0 = notes }
                    for kind in RecordKind.allCases { try view.remove(kind, where: .all) }
                    return summary
                }
                seen.withValue { $0.state = .inPlace }
                for group in move.groups { try keychain.keep(nil, beside: .mark, in: group.group) }
                return summary
            } catch {
                try target.write { try $0.put(move.in(.moved)) }
                throw error
            }
        }
    }
}

/// The store that follows the records.
private struct PlacedStore: CredentialStore, RecordStore {
    let place: RecordPlace

    /// The records are in the other place; the transaction is to be made there.
    private struct Elsewhere: Error {}

    var backing: StoreBacking { StoreBacking(self) }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try following { store, isInPlace in
            try store.read { view in
                try check(view, isInPlace)
                return try body(view)
            }
        }
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try following { store, isInPlace in
            try store.write { view in
                try check(view, isInPlace)
                return try body(view)
            }
        }
    }

    func leftBehind(_ kind: RecordKind) throws -> Set<String> {
        try following { store, _ in try store.backing.records.leftBehind(kind) }
    }

    func closedWhileLocked(_ kind: RecordKind) throws -> Set<String> {
        try following { store, _ in try store.backing.records.closedWhileLocked(kind) }
    }

    func filePath() throws -> String? {
        try following { store, _ in try store.backing.records.filePath() }
    }

    /// One element after every change in either place.
    var changes: AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let streams = [place.items.changes] + [(try? place.target())?.changes].compactMap(\.self)
            let tasks = streams.map { stream in
                Task { for await _ in stream { continuation.yield() } }
            }
            continuation.onTermination = { _ in tasks.forEach { $0.cancel() } }
        }
    }

    /// Makes a transaction where the records are; again in the other place if another process moved them meanwhile.
    private func following<Value>(_ body: (any CredentialStore, Bool) throws -> Value) throws -> Value {
        for _ in 0..<3 {
            do {
                return try place.lastState().isInPlace
                    ? body(place.items, true) : body(place.target(), false)
            } catch is Elsewhere {
                try place.lookAgain()
            }
        }
        throw StoreError(.locked, reason: "The records are being moved; try again.")
    }

    /// Whether the records are still in the place that a view shows; each place says so itself.
    private func check(_ view: some CredentialReading, _ isInPlace: Bool) throws {
        let isHere =
            switch try view.move()?.state {
            case nil, .moving: isInPlace
            case .moved, .movingBack: !isInPlace
            }
        guard !isHere else { return }
        throw Elsewhere()
    }
}

extension LegacyMove {
    fileprivate func `in`(_ state: State) -> LegacyMove {
        var move = self
        move.state = state
        return move
    }
}

extension MigrationRecord {
    /// Whether the record only waits for the device to be unlocked.
    package var isLocked: Bool { result.outcome == .locked && result.code == .locked }
}

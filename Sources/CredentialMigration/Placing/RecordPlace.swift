package import Foundation
package import LegacyStore
package import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore

/// Decides which store is in charge: the legacy SDK's own items, or the store to which the records move.
///
/// All other code queries this type or works on ``store``, whose transactions follow the records. The state
/// is one ``LegacyMove`` record in the store to which the records move. A copy of the state is stored beside
/// the items, so that a process that reads the items learns that the store is in charge.
///
/// | state | in charge | start with permission to move | process ends | device locked | item refused | previous release ran | move back |
/// | --- | --- | --- | --- | --- | --- | --- | --- |
/// | in place | the items | becomes *moving*, and *moved* once all records have arrived | state stays | becomes *moving* at a start with permission | the other items are moved | its changes take effect at once | nothing to do |
/// | moving | the items | new and changed items are imported; becomes *moved* once all records have arrived | state stays; the move resumes at the next start | state stays | the other items are moved; the move waits if the refused item has a counter that was already copied, or if the device's key fails for an item that was already copied and may work again; a refused account is locked if it was already copied | its changes take effect at once | nothing to do |
/// | moved | the store | new items are imported | state stays | state stays | the item is retried at each start | its changes are imported at the next start | becomes *moving back*, then *in place* |
/// | moving back | the store | new items are imported; becomes *moved* if each account can be read, or if the device's key counts as lost | state stays; the call can be repeated | state stays | state stays; the call fails if the device's key fails | its new items, counters and locks are imported first | resumes, then becomes *in place* |
///
/// `MoveOrderTests+States` has one test for each cell of the table; `MoveOrderTests` tests the conditions.
///
/// Each change of state is one transaction of the store. A missing item does not count as removed. When the user
/// removes a record, the same transaction also stores a ``Tombstone``, and the move applies only tombstones. There
/// is one exception: an account that the previous release removed while the items were in charge counts as removed
/// if a marker item proves that its group is readable, other items exist, and no item of the account exists.
/// If an item of the account is found later, the account is imported again.
package final class RecordPlace: Sendable {
    /// The store in charge, and whether a move is in progress.
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

    /// The result of an attempt to move the records.
    package enum Attempt: Sendable {
        /// The store is in charge.
        ///
        /// The receipt lists the new records; it is `nil` if there were no new records. `sawNothing` means
        /// that the attempt found no item, perhaps because the keychain is not readable yet.
        case moved(MigrationReceipt?, sawNothing: Bool)
        /// The items are in charge until the next attempt.
        ///
        /// The receipt lists the records that have been read.
        case later(MigrationReceipt?)
        /// The items are in charge and the process is an extension.
        ///
        /// An extension neither begins nor ends a move.
        case inPlace
    }

    /// The legacy items as a store.
    package let items: LegacyItemStore
    let keychain: LegacyKeychain
    private let keyFailures: KeyFailures
    private let source: MigrationSource
    private let openTarget: @Sendable () throws -> any CredentialStore
    private let clock: @Sendable () -> Date
    let isExtension: Bool
    /// The state that this process read most recently, the open store, and whether an item has been seen.
    private let seen = Lock(Seen())

    private struct Seen {
        var state: State?
        var target: (any CredentialStore)?
        /// Whether the process has seen a legacy item.
        var hasSeenItems = false
    }

    /// Creates the place without opening a store.
    ///
    /// The result is `nil` if `source` is not the legacy SDK's keychain items.
    /// - Parameters:
    ///   - source: The legacy items.
    ///   - isExtension: Whether the process is an extension, which may lack access to some of the app's items.
    ///   - clock: Returns the current time.
    ///   - target: Opens the store to which the records move.
    package init?(
        of source: MigrationSource,
        isExtension: Bool = false,
        clock: @escaping @Sendable () -> Date = { Date() },
        to target: @escaping @Sendable () throws -> any CredentialStore
    ) {
        guard let keychain = source.legacyKeychain else { return nil }
        self.keychain = keychain
        self.source = source
        self.clock = clock
        self.isExtension = isExtension
        openTarget = target
        items = LegacyItemStore(keychain)
        keyFailures = KeyFailures(of: keychain, clock: clock)
    }

    /// The store that follows the records: each transaction runs on the store that is in charge at that moment.
    package var store: any CredentialStore { PlacedStore(place: self) }

    /// Reads which store is in charge, and whether a move is in progress.
    ///
    /// - Throws: ``StoreError`` if the store to which the records move cannot be opened or read.
    package func state() throws -> State { try state(in: target()) }

    /// Returns the store to which the records move.
    ///
    /// The first call opens the store.
    func target() throws -> any CredentialStore {
        if let target = seen.withValue(\.target) { return target }
        let target = try openTarget()
        seen.withValue { $0.target = target }
        return target
    }

    /// Reads the state.
    /// - Parameters:
    ///   - target: The store to which the records move.
    ///   - turn: The caller's exclusive access to the items; `nil` if the caller has none. A caller with exclusive
    ///     access must pass it, because another transaction on the items would wait for ever.
    ///   - remembers: Whether this process remembers the state for later transactions, and whether a store that is in
    ///     use without a state receives one. A check passes `false`, because it must neither write nor affect later
    ///     calls.
    /// - Returns: The state.
    /// - Throws: ``StoreError`` if one of the two stores cannot be read.
    private func state(
        in target: any CredentialStore,
        _ turn: LegacyItemStore.ExclusiveAccess? = nil,
        remembers: Bool = true
    ) throws -> State {
        let (move, hasMovedAway) = try target.read { (try $0.move(), try $0.hasMovedAway) }
        var state = State(move)
        if hasMovedAway {
            // Another process has moved the records to another store. The state in this store is no longer changed;
            // only the copy beside the items is changed.
            state = try State(moveBesideItems(turn))
        } else if remembers, try move == nil && isInUse(target) {
            // The store contains records, but this type did not move them. This counts as a completed move.
            state = try target.write { view in
                // Before this transaction reads, it completes an interrupted transaction. The interrupted
                // transaction may have emptied the store, so the state is read again.
                if let move = try view.move() { return State(move) }
                guard try !view.hasMovedAway else { throw Self.becameReadable }
                guard try view.hasLedger || view.hasCredentials else { return .inPlace }
                try view.put(LegacyMove(.moved, beganAt: clock()))
                return .moved
            }
        }
        guard remembers else { return state }
        if state == .inPlace, !seen.withValue(\.hasSeenItems) {
            // Before the first unlock, the keychain hides all items, and all records of a store in the keychain. So
            // if no item is visible, the process does not remember the state, and reads it again in its next
            // transaction.
            guard try keychain.hasItems else { return state }
            seen.withValue { $0.hasSeenItems = true }
            return try self.state(in: target, turn)
        }
        seen.withValue { $0.state = state }
        return state
    }

    private func moveBesideItems(_ turn: LegacyItemStore.ExclusiveAccess?) throws -> LegacyMove? {
        if let turn { return try turn.read { try $0.move() } }
        return try items.read { try $0.move() }
    }

    /// Returns whether a store that contains no state of a move is in charge because it has records.
    ///
    /// The store is in charge if there are no legacy items, or if a migration that did not use this type imported some
    /// of them.
    private func isInUse(_ target: any CredentialStore) throws -> Bool {
        let (hasLedger, hasCredentials) = try target.read { (try $0.hasLedger, try $0.hasCredentials) }
        guard hasLedger || hasCredentials else { return false }
        if try !keychain.hasItems {
            // No item is visible. An extension may lack access to the group, and before the first unlock of
            // the device, no process sees items. The app can find out whether items are hidden: it writes an
            // item and reads it back.
            guard !isExtension && keychain.isAccessible([""]) else { return false }
            // The user may have unlocked the device between the listing and the write. So the items are listed again.
            if try !keychain.hasItems { return true }
        }
        return try hasLedger && migration(to: target, .both).wasImported()
    }

    /// Returns the state that this process has read most recently; if there is none, reads the state.
    ///
    /// If the app cannot create the store because the disk is full, the items stay in charge, unless there are no items
    /// or a move has begun.
    ///
    /// - Throws: ``StoreError`` if the store to which the records move cannot be opened or read.
    package func lastState() throws -> State {
        if let state = seen.withValue(\.state) { return state }
        do {
            _ = try target()
        } catch let error as StoreError where error.code == .full && !isExtension {
            guard try keychain.hasItems, try items.read({ try $0.move() }) == nil else { throw error }
            return .inPlace
        }
        return try state()
    }

    /// Returns whether an item that an attempt could not read has become readable.
    ///
    /// A missing item does not count as readable, because the keychain may be hiding it. A new attempt would then not
    /// report the item, and no further attempt would be made.
    package func canReadRefused(of receipt: MigrationReceipt) -> Bool {
        receipt.records.contains { record in
            guard record.isRefused,
                let item = keychain.item(record.key, of: LegacyService(record.kind))
            else { return false }
            return item.error == nil
        }
    }

    /// Reads the state again, because one of the two stores reported that the other store is in charge.
    func lookAgain() throws {
        let target = try target()
        guard try state(in: target).isInPlace, try !target.read({ try $0.hasMovedAway }) else { return }
        try items.exclusively { turn in
            // The notes are read first, and then the store's state. So if items become visible between the
            // two reads, the store's state is up to date.
            let notes = try turn.notes
            // Another process may have finished its move after the first check.
            guard try state(in: target, turn).isInPlace else { return }
            // If a process was killed before it finished a move, its copy of the state may show the end of
            // the move although the store does not. The store's state replaces the copy.
            let move = try target.read { try $0.move() }
            if notes.move != move || notes.isUnreadable { try turn.replaceNotes { $0.move = move } }
        }
    }

    /// Updates the copies that an interrupted move made.
    ///
    /// The removals, counters, answers, names and locks of the items are applied to the copies.
    ///
    /// A copy is used if its item is lost or unreadable when the move ends. For example, a backup may be
    /// restored on another phone without the keychain, or the previous release may have removed the last
    /// item.
    func updateCopies() throws {
        let open = try target().read { try $0.fetch(PushNotification.self, where: .open).values }
        let (accounts, counters, answered) = try items.read { view in
            let accounts = try view.fetch(AccountProfile.self).values.filter(\.hasItem)
            let counters = try view.oathCredentials().values.filter { $0.oathType == .hotp }
            let pushes = try open.compactMap { copy in
                try view.first(PushNotification.self, where: RecordQuery(id: copy.id))
            }
            return (
                accounts,
                Dictionary(counters.map { ($0.id, $0.counter) }, uniquingKeysWith: max),
                pushes.filter { !$0.pending }
            )
        }
        try items.exclusively { turn in
            let (tombstones, target) = (try turn.notes.tombstones, try target())
            guard try target.read({ try $0.move() })?.state == .moving else { return }
            try target.write { view in
                try view.bury(tombstones)
                for account in accounts {
                    guard let copy = try view.account(account.key), copy != account else { continue }
                    try view.save(account)
                }
                for var copy in try view.oathCredentials().values {
                    guard let counter = counters[copy.id], counter > copy.counter else { continue }
                    copy.counter = counter
                    try view.put(copy)
                }
                for push in answered
                where try view.count(of: .notification, where: RecordQuery(id: push.id)) > 0 {
                    try view.put(push)
                }
            }
        }
    }

    // MARK: - Moving

    /// Moves the legacy items to the store; in an extension, moves nothing.
    ///
    /// If the items have already moved, imports new items.
    ///
    /// The call blocks a thread. While the items are in charge, transactions of ``store`` wait until the call returns.
    /// - Parameter willRead: Called before the first item is read; if it throws, nothing is done.
    /// - Returns: The result.
    /// - Throws: `LegacyStoreError` if the items cannot be read, and ``StoreError`` if the store fails.
    package func move(willRead: () throws -> Void = {}) throws -> Attempt {
        // The target is opened before the exclusive access to the items begins, because opening the target may move
        // one store into another, which takes time.
        let target = try target()
        return try items.exclusively { turn in
            if try target.read({ try $0.hasMovedAway }) {
                // Another process has moved this store's records, including their tombstones and outcomes, to
                // another store.
                return try target.read { try $0.move() } == nil ? .later(nil) : .moved(nil, sawNothing: false)
            }
            guard try state(in: target, turn).isInPlace else {
                return try takeNew(to: target, turn, willRead)
            }
            // An extension must not move the items. This is checked only now, because another process may have
            // moved the records back since the state was first read.
            guard !isExtension else { return .inPlace }
            // An answer in progress must be completed in the store in which it was started, so the move waits for it.
            let (notes, now) = (try turn.notes, clock())
            guard !notes.claims.values.contains(where: { $0.isLive(at: now) }) else { return .later(nil) }
            try willRead()
            // The state is read before the listing. So if items become readable between the two reads, the
            // listing contains them.
            let recorded = try target.read { try $0.move() }
            // If the state is not `moving`, the store became readable only after its state was first read, and the
            // store is in charge.
            if let recorded, recorded.state != .moving { return try takeNew(to: target, turn, {}) }
            let known = recorded?.groups ?? []
            let hadMarkers = try keychain.hasMarkers(in: known)
            let names = try keychain.names()
            let listing = ItemListing(names, credentialIds: readableCredentials(turn))
            let before = hadMarkers ? try ItemListing.read(from: keychain) : nil
            guard var move = try begin(listing, after: recorded, in: target, turn) else { return .later(nil) }
            let isWhole = hadMarkers || keychain.isAccessible(move.groups, instead: listing)
            let all = listing.adding(before)
            if all != before { try keychain.keep(all.encoded, beside: .listing) }
            try forgetRemovals(of: listing.credentialIds, in: target)
            let receipt = try migration(to: target, .source).migrateNew()
            guard isWhole, receipt?.records.contains(where: \.isLocked) != true else {
                return .later(receipt)
            }
            guard try !hasOutdatedCopy(receipt, in: target) else { return .later(receipt) }
            move.state = .moved
            // After this write, other processes read the state from the store. The state in the store changes only
            // later, in `finish`.
            try turn.replaceNotes { $0.move = move }
            let taken = try turn.notes
            let kept = try finish(move, target, taken, now: listing, before: before)
            seen.withValue { $0.state = .moved }
            // The store is already in charge. If these calls fail, the next start repeats them.
            bestEffort { try turn.replaceNotes { $0.forget(taken, after: move) } }
            bestEffort { try keychain.keep(nil, beside: .listing) }
            keyFailures.forget()
            turn.announce()
            return .moved(try receipt.adding(kept, in: target), sawNothing: listing.isEmpty)
        }
    }

    /// Returns the ids of the credentials whose items are readable.
    ///
    /// If the items cannot be read, the result is empty.
    private func readableCredentials(_ turn: LegacyItemStore.ExclusiveAccess) -> Set<String> {
        do {
            let ids = try turn.read { view in
                try view.fetch(PushCredential.self).values.map(\.id)
                    + view.fetch(OathCredential.self).values.map(\.id)
            }
            return Set(ids)
        } catch {
            // Without ids, this attempt deletes no tombstone, and adds no credential to those whose removal later
            // attempts can detect.
            return []
        }
    }

    /// Deletes the tombstones of credentials that the items contain again.
    ///
    /// While the items are in charge, a removed credential is no longer visible in them. So if the credential is
    /// visible, the user has added it again, for example to undo the removal.
    private func forgetRemovals(of ids: Set<String>, in target: any CredentialStore) throws {
        let cancelled = try target.read { view in
            try view.fetch(Tombstone.self).values.filter { tombstone in
                [.push, .oath].contains(tombstone.removedKind) && ids.contains(tombstone.removedId)
            }
        }
        guard !cancelled.isEmpty else { return }
        try target.write { view in
            for tombstone in cancelled {
                try view.remove(.tombstone, where: RecordQuery(id: tombstone.recordIndex.id))
            }
        }
    }

    /// Returns whether an earlier attempt copied an item that cannot be read now, and the copy may be outdated.
    ///
    /// After the copy was made, the previous release may have shown further one-time passwords of an HOTP item, which
    /// the copy would repeat. If the device's key fails, the item may also contain a new lock, and the key may decrypt
    /// the item later. A restored backup can contain a key that never works again, so a move does not wait for ever.
    private func hasOutdatedCopy(
        _ receipt: MigrationReceipt?,
        in target: any CredentialStore
    ) throws -> Bool {
        var unread = (receipt?.records ?? []).filter { record in
            record.result.outcome == .undecryptable || record.kind == .hotp && record.result.code == .refused
        }
        if !unread.isEmpty {
            let entries = try target.read { try $0.fetch(LedgerEntry.self).values }
            let copied = Set(
                entries.filter(\.result.outcome.isRetirable).map { Self.item($0.key, $0.kind) }
            )
            unread = unread.filter { copied.contains(Self.item($0.key, $0.kind)) }
        }
        let undecryptable = unread.filter { $0.result.outcome == .undecryptable }
        if undecryptable.count < unread.count { return true }
        if !undecryptable.isEmpty, keychain.hasFailingKey { return try keyFailures.mayKeyWorkAgain() }
        keyFailures.forget()
        return Dictionary(grouping: undecryptable) { Self.item($0.key, $0.kind) }.contains { item, records in
            keychain.countUndecryptable(item.account, of: LegacyService(records[0].kind)) < records.count
        }
    }

    private static func item(_ key: String, _ kind: LegacyRecordKind) -> KeychainItem.Name {
        KeychainItem.Name(service: LegacyService(kind).rawValue, account: key)
    }

    /// Marks the move as in progress, both in the store and beside the items.
    /// - Returns: The record of the move; `nil` if earlier attempts found items, but this attempt finds none and the
    ///   items do not count as lost yet.
    private func begin(
        _ listing: ItemListing,
        after recorded: LegacyMove?,
        in target: any CredentialStore,
        _ turn: LegacyItemStore.ExclusiveAccess
    ) throws -> LegacyMove? {
        var move = recorded ?? LegacyMove(.moving, beganAt: clock())
        if listing.isEmpty, !move.groups.isEmpty {
            // The process may lack access to a group, or the device may still be locked after a restart. So the items
            // count as lost only after several attempts without an item, and only if each group is accessible: its
            // marker can be written and read. The store then has the only copies.
            move.blindStarts += 1
            let counted = move
            try target.write { try $0.replace(recorded, with: counted) }
            guard move.blindStarts > Self.blindStarts, keychain.isAccessible(move.groups, instead: listing)
            else {
                return nil
            }
        }
        if !listing.isEmpty { move.blindStarts = 0 }
        try keychain.mark(listing.groups, of: &move)
        let begun = move
        try target.write { view in
            guard try view.move() != begun else { return }
            try view.replace(recorded, with: begun)
        }
        if try turn.read({ try $0.move() }) != begun { try turn.write { try $0.put(begun) } }
        return begun
    }

    /// Marks groups that contained no items when the records moved.
    ///
    /// Without access to such a group, a later move back would miss the items that it has to update or remove.
    private func markNewGroups(_ groups: [String], in target: any CredentialStore) throws {
        guard let recorded = try target.read({ try $0.move() }) else { return }
        let new = groups.filter { !recorded.groups.contains($0) }
        guard !new.isEmpty else { return }
        var move = recorded
        try keychain.mark(new, of: &move)
        let extended = move
        try target.write { try $0.replace(recorded, with: extended) }
    }

    /// The error for a store whose state differs between two reads, for example because the device was unlocked
    /// in between.
    fileprivate static let becameReadable = StoreError(
        .locked,
        reason: "The store became readable during the attempt; try again."
    )

    /// The number of consecutive attempts that may find no item.
    ///
    /// After a further attempt without an item, the items count as lost if all groups are accessible.
    private static let blindStarts = 3

    /// Puts the store in charge, and applies the removals and the notes from the time when the items were in charge.
    /// - Returns: The ledger entries of credentials that stay in the store although they are no longer in the legacy
    ///   items.
    private func finish(
        _ move: LegacyMove,
        _ target: any CredentialStore,
        _ notes: LegacyItemNotes,
        now names: ItemListing,
        before: ItemListing?
    ) throws -> [LedgerEntry] {
        try target.write { view in
            // In the meantime, another process may have finished the move.
            guard try view.move()?.state == .moving else { return [] }
            try view.put(move)
            try view.bury(notes.tombstones)
            let kept = try view.settleVanished(before: before, now: names, since: move.beganAt)
            try view.take(notes)
            return kept
        }
    }

    /// Imports changes that were made to the items, either by the previous release or by a process that did
    /// not know about the move.
    private func takeNew(
        to target: any CredentialStore,
        _ turn: LegacyItemStore.ExclusiveAccess,
        _ willRead: () throws -> Void
    ) throws -> Attempt {
        let (notes, move) = (try turn.notes, try target.read { try $0.move() })
        if !notes.isFullyMoved, let move {
            try target.write { view in
                // Before this transaction reads, it completes an interrupted transaction. The interrupted
                // transaction may have ended a move back, so the state is read again.
                guard try view.move() == move else { throw Self.becameReadable }
                try view.bury(notes.tombstones)
                try view.takeLater(notes)
            }
            try turn.replaceNotes { $0.forget(notes, after: move.in(.moved)) }
        }
        let names = try keychain.names(of: .account) + keychain.names(of: .mechanism)
        let listing = ItemListing(names, credentialIds: [])
        // If a move back was interrupted, the items that it has written are copies of the store's records, so the
        // store's records have precedence.
        let wasMovingBack = move?.state == .movingBack
        let receipt = try migration(to: target, wasMovingBack ? .copied : .both).migrateNew(
            willRead: willRead
        )
        // If this call fails, the next start of a process that has access to the group repeats it; in an extension, only
        // if it imports records. An extension may have groups that the app lacks, so it marks none without a reason.
        if !isExtension || receipt != nil { bestEffort { try markNewGroups(listing.groups, in: target) } }
        // The state changes only if the process can read each account. Otherwise, a copy that cannot be read now
        // would later be mistaken for a change that the previous release made.
        if wasMovingBack, try canReadAccounts(receipt) {
            try target.write { view in
                if let move = try view.move() { try view.put(move.in(.moved)) }
            }
        }
        return .moved(
            receipt,
            sawNothing: try receipt == nil && listing.isEmpty && !keychain.hasItems
        )
    }

    /// Returns whether the process can read the items of all accounts, and could read them during the import.
    ///
    /// An extension may lack access to items, and before the first unlock, no process sees items. If the device's key
    /// counts as lost, the items that it sealed count as read.
    private func canReadAccounts(_ receipt: MigrationReceipt?) throws -> Bool {
        guard !isExtension else { return false }
        let items = try keychain.items(of: .account)
        // If there are no items, only a write shows whether the process can see items.
        if items.isEmpty, !keychain.isAccessible([""]) { return false }
        guard items.allSatisfy({ $0.data != nil && $0.error?.code != .locked }) else { return false }
        let wasUnread = (receipt?.records ?? []).contains { record in
            record.kind == .account && [.locked, .undecryptable].contains(record.result.outcome)
        }
        guard wasUnread || items.contains(where: { keychain.mayBeDecryptedLater($0, of: .account) }) else {
            keyFailures.forget()
            return true
        }
        return try keychain.hasFailingKey && !keyFailures.mayKeyWorkAgain()
    }

    /// Returns the step that can be run now, and its migration.
    ///
    /// Before a move, the step is a rehearsal. After the move, it is a comparison. While a move or a move back is in
    /// progress, the result is `nil`.
    ///
    /// - Throws: ``StoreError`` if the store to which the records move cannot be opened or read.
    package func check() throws -> (step: MigrationGate.Step, migration: CredentialMigration)? {
        let target = try target()
        return switch try state(in: target, remembers: false) {
        case .inPlace: (.rehearse, migration(to: target, .source))
        case .moved: (.compare, migration(to: target, .both))
        case .moving, .movingBack: nil
        }
    }

    private func migration(
        to target: any CredentialStore,
        _ accounts: MigrationOptions.AccountPrecedence
    ) -> CredentialMigration {
        var options = MigrationOptions()
        options.clock = clock
        options.accounts = accounts
        return CredentialMigration(from: source, to: target, options: options)
    }

    // MARK: - Moving back

    /// Writes all records of the store to the legacy items, reads them back, and puts the items in charge.
    ///
    /// This method first imports the changes of the previous release into the store. It then writes the records,
    /// and empties the store only after all records have arrived in the items. If a call fails, or if the process is
    /// killed, the call can be repeated.
    /// - Returns: How many records were written; zero if the items are already in charge.
    /// - Throws: `LegacyStoreError` if the items cannot be read; ``StoreError`` if the keychain or the store fails.
    ///   The code of a ``StoreError`` is `notWritable` if the items cannot store all records, because two records
    ///   have the same key or a record cannot be read.
    package func moveBack() throws -> ExportSummary {
        let target = try target()
        return try items.exclusively { turn in
            if try target.read({ try $0.hasMovedAway }) {
                let reason =
                    "The store's records moved to another store, which the app opens at its next start."
                throw StoreError(.failed, reason: reason)
            }
            guard try !state(in: target, turn).isInPlace else {
                let (move, hasMovedAway) = try target.read { (try $0.move(), try $0.hasMovedAway) }
                // If the state has changed, the store became readable only after its state was first read, and this
                // store or a later one is in charge.
                guard State(move).isInPlace, !hasMovedAway else { throw Self.becameReadable }
                // Before the first unlock, a store in the keychain seems to be empty. The following call of
                // `replaceMarkers` then throws, because it cannot write and read the marker.
                if move == nil {
                    try keychain.replaceMarkers(in: [""])
                    try keychain.keep(nil, beside: .mark)
                }
                return ExportSummary()
            }
            let known = try target.read { try $0.move()?.groups } ?? []
            try keychain.replaceMarkers(in: known)
            _ = try takeNew(to: target, turn, {})
            let move = try target.read { try $0.move() } ?? LegacyMove(.moved, beganAt: clock())
            let movingBack = move.in(.movingBack)
            try target.write { try $0.put(movingBack) }
            let summary = try target.write { view in
                try view.separateNotifications()
                let (summary, hidden) = try view.moveBack(into: keychain)
                var notes = try view.legacyNotes(beside: keychain)
                notes.tombstones = hidden
                // A process that reads the state from the items must regard the store as in charge until the
                // store is empty.
                notes.move = movingBack
                try turn.replaceNotes { $0 = notes }
                try view.removeAllButMarks()
                return summary
            }
            seen.withValue { $0.state = .inPlace }
            // The items are already in charge again. If this call fails, the next transaction repeats it.
            bestEffort { try turn.replaceNotes { $0.move = nil } }
            // A marker that remains is harmless: the next move writes it again.
            for group in move.groups {
                bestEffort { try keychain.keep(nil, beside: .mark, in: group.group) }
            }
            return summary
        }
    }
}

/// Makes a call and ignores its error.
///
/// Use this function only if no data is lost when the call fails. A comment at each use states the effect of an error.
func bestEffort(_ call: () throws -> Void) {
    do {
        try call()
    } catch {
        // A comment at each use states the effect of the error.
    }
}

extension CredentialReading {
    fileprivate var hasLedger: Bool {
        get throws { try count(of: .ledger, where: RecordQuery(limit: 1)) > 0 }
    }

    fileprivate var hasCredentials: Bool {
        get throws {
            let one = RecordQuery(limit: 1)
            return try count(of: .push, where: one) + count(of: .oath, where: one) > 0
        }
    }
}

extension AccountProfile {
    /// Whether the account's own item is readable and contains more data than the account's mechanisms.
    fileprivate var hasItem: Bool { !isBare && lockingPolicy != Self.unreadableRecord }
}

extension CredentialWriting {
    /// Stores the state of a move; throws an error if the store no longer contains the state `read`, or if the store's
    /// records have moved to another store.
    fileprivate func replace(_ read: LegacyMove?, with move: LegacyMove) throws {
        guard try self.move() == read, try !hasMovedAway else { throw RecordPlace.becameReadable }
        try put(move)
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
    /// Whether the record can be read once the device has been unlocked.
    package var isLocked: Bool { result.outcome == .locked && result.code == .locked }

    /// Whether the record could not be read although the device is unlocked: the keychain refused to return the item,
    /// or no available key opens it.
    fileprivate var isRefused: Bool {
        result.outcome == .undecryptable || result.outcome == .locked && result.code == .refused
    }
}

import Foundation
package import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore

/// A store that works on the legacy SDK's own keychain items, so that the previous release of an app can read them.
///
/// Because of the SDK's format, an account has at most one mechanism of each kind in this store, two accounts cannot
/// share a legacy key, and no ledger can be stored. A mechanism that cannot be converted into a credential is returned
/// as a ledger entry with its archive. ``LegacyItemNotes`` contains the data for which the items have no field.
///
/// Transactions on one keychain exclude one another, as ``Keychain/exclusively(_:)`` describes. Before a transaction
/// changes several items, it records the changes. If the transaction is interrupted, the next transaction completes
/// these changes, except for items that another release has changed. If the keychain refuses an item, a later
/// transaction completes the change of that item.
///
/// Before the first unlock, the keychain hides all items. So if a transaction adds an item that it did not find, and
/// the item exists nevertheless, the transaction throws an error with the code `locked` and does not replace the item,
/// even if the keychain can never decrypt it. All calls block.
package final class LegacyItemStore: CredentialStore, RecordStore {
    private let keychain: LegacyKeychain
    private let turn: Lock<KnownItems>
    private let signal = ChangeSignal()

    /// Creates a store over the items without reading them.
    package init(_ keychain: LegacyKeychain) {
        self.keychain = keychain
        turn = Lock(KnownItems())
    }

    package var backing: StoreBacking { StoreBacking(self) }

    /// A stream that reports the transactions of this store that changed records.
    ///
    /// Changes by other processes are not reported.
    package var changes: AsyncStream<Void> { signal.stream() }

    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try exclusively { known in
            let view = try view(known)
            let value = try body(view)
            return try isStillWhole(view, known) ? value : body(self.view(known))
        }
    }

    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try exclusively { known in try write(known, body) }
    }

    /// Calls `body` with exclusive access: the transactions of other callers wait until `body` returns.
    package func exclusively<Value>(_ body: (ExclusiveAccess) throws -> Value) throws -> Value {
        try exclusively { known in try body(ExclusiveAccess(store: self, known: known)) }
    }

    private func exclusively<Value>(_ body: (KnownItems) throws -> Value) throws -> Value {
        try keychain.exclusively { try turn.withValue { try body($0) } }
    }

    /// Exclusive access to the store: the transactions of all other callers wait.
    package struct ExclusiveAccess {
        fileprivate let store: LegacyItemStore
        fileprivate let known: KnownItems

        /// The notes for the items.
        package var notes: LegacyItemNotes { get throws { try store.view(known).notes } }

        package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
            try body(try store.view(known))
        }

        package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
            try store.write(known, body)
        }

        /// Changes the notes for the items; the notes of postponed changes stay the same.
        package func replaceNotes(_ change: (inout LegacyItemNotes) -> Void) throws {
            let before = try store.view(known).notes
            var notes = before
            change(&notes)
            // The postponed changes stay: only the store itself completes the changes of its interrupted
            // transactions.
            notes.postponed = before.postponed
            try store.keychain.keep(notes.encoded, beside: .notes, isNew: !before.wasFound)
        }

        /// Notifies observers of `changes` that another store is in charge now.
        package func announce() { store.signal.send() }
    }

    package func nonTransferableIDs(_ kind: RecordKind) throws -> Set<String> {
        try keychain.mechanisms(of: kind.mechanisms) { !$0.travels }
    }

    package func unreadableWhileLocked(_ kind: RecordKind) throws -> Set<String> {
        try keychain.mechanisms(of: kind.mechanisms) { !$0.opensWhileLocked }
    }

    /// Returns whether the notes were visible together with the items.
    ///
    /// If a process runs before the first unlock, the user may unlock the device between the read of the notes and
    /// the read of the items. The notes then seem to be missing, although they may state that another store is in
    /// charge. So the notes are read again until the process has seen an item.
    private func isStillWhole(_ view: LegacyItemView, _ known: KnownItems) throws -> Bool {
        guard !known.hasSeenItems else { return true }
        let isWhole =
            try view.notes != LegacyItemNotes() || LegacyItemNotes.read(from: keychain) == view.notes
        known.hasSeenItems = isWhole && !known.isEmpty
        return isWhole
    }

    private func view(_ known: KnownItems) throws -> LegacyItemView {
        var notes = try LegacyItemNotes.read(from: keychain)
        if !notes.unfinished.isEmpty {
            try complete(notes.unfinished)
            let left = notes.unfinished.filter { $0.isLeft(in: keychain) }
            if !left.isEmpty { notes.postponed = (notes.postponed ?? []) + left }
            notes.unfinished = []
            try keychain.keep(notes.encoded, beside: .notes)
        }
        if let postponed = notes.postponed { notes.postponed = performed(postponed, of: notes) }
        if notes.move == nil, !notes.tombstones.isEmpty, known.checkedTombstones != notes.tombstones {
            notes.tombstones = deleteLateItems(notes)
            known.checkedTombstones = notes.tombstones
        }
        return LegacyItemView(keychain, known, notes)
    }

    /// Deletes the items of removed credentials and accounts that the keychain did not return during a move back.
    ///
    /// Until an item is deleted, a tombstone hides its record, but not in the previous release, which does not read
    /// tombstones. If the keychain refuses a call, the next process repeats the attempt.
    /// - Returns: The tombstones that are still necessary.
    private func deleteLateItems(_ notes: LegacyItemNotes) -> [Tombstone] {
        do {
            var mechanisms = try keychain.items(of: .mechanism)
            var deleted: Set<String> = []
            for held in mechanisms {
                guard case .mechanism(let mechanism)? = held.value, notes.hasBuried(mechanism),
                    let data = held.data
                else { continue }
                try keychain.remove(held.key, of: .mechanism, containing: data)
                deleted.insert(mechanism.mechanismUUID)
            }
            // A listing contains one item for each key. If another group has an item with the key of a deleted
            // item, only a new listing contains that item.
            if !deleted.isEmpty { mechanisms = try keychain.items(of: .mechanism) }
            // An unreadable item may contain one of the removed credentials, or another credential of a
            // removed account, so all tombstones stay.
            guard mechanisms.allSatisfy({ $0.error == nil }) else { return notes.tombstones }
            var accountsInUse: Set<AccountKey> = []
            for case .mechanism(let mechanism)? in mechanisms.map(\.value) {
                accountsInUse.insert(mechanism.account)
                deleted.remove(mechanism.mechanismUUID)
            }
            for held in try keychain.items(of: .account) {
                guard case .account(let account)? = held.value, notes.hasBuried(account.profile.key),
                    !accountsInUse.contains(account.profile.key), let data = held.data
                else { continue }
                try keychain.remove(held.key, of: .account, containing: data)
                deleted.insert(account.profile.key.recordID)
            }
            guard !deleted.isEmpty else { return notes.tombstones }
            var rest = notes
            rest.tombstones.removeAll { deleted.contains($0.removedId) }
            try keychain.keep(rest.encoded, beside: .notes)
            return rest.tombstones
        } catch {
            return notes.tombstones
        }
    }

    /// Performs postponed changes whose items the keychain no longer refuses.
    ///
    /// An item that the keychain still refuses does not stop other transactions.
    /// - Returns: The changes that are still due; `nil` if there are none.
    private func performed(_ postponed: [LegacyItemStep], of notes: LegacyItemNotes) -> [LegacyItemStep]? {
        for step in postponed { _ = Swift.Result { try step.performIfDue(in: keychain) } }
        let left = postponed.filter { $0.isLeft(in: keychain) }
        guard left != postponed else { return postponed }
        var rest = notes
        rest.postponed = left.isEmpty ? nil : left
        do {
            try keychain.keep(rest.encoded, beside: .notes)
            return rest.postponed
        } catch {
            // If the notes cannot be stored now, the next transaction stores them.
            return postponed
        }
    }

    /// Completes an interrupted transaction.
    ///
    /// An item is not added if a later change was performed, because another release has then removed the item in the
    /// meantime. If all changes add items and none was performed, nothing is added for the same reason.
    private func complete(_ steps: [LegacyItemStep]) throws {
        let last = steps.lastIndex { $0.isPerformed(in: keychain) }
        guard last != nil || !steps.allSatisfy(\.isAddition) else { return }
        let next = last.map { $0 + 1 } ?? 0
        for (index, step) in steps.enumerated() where index >= next || !step.isAddition {
            let result = Swift.Result { try step.performIfDue(in: keychain) }
            // Other errors are ignored: if the keychain always refuses one item, this item must not block the other
            // items.
            if case .failure(let error as StoreError) = result, error.code == .locked { throw error }
        }
    }

    private func write<Value>(
        _ known: KnownItems,
        _ body: (any CredentialWriting) throws -> Value
    ) throws -> Value {
        var view: LegacyItemView
        var overlay: RecordOverlay
        var value: Value
        repeat {
            view = try self.view(known)
            overlay = RecordOverlay(over: view)
            value = try body(overlay)
        } while try !isStillWhole(view, known)
        let (steps, notes) = try view.outcome(of: overlay.changes)
        guard !steps.isEmpty || notes != view.notes else { return value }
        try perform(steps, from: view.notes, to: notes)
        signal.send()
        return value
    }

    /// Changes items and notes atomically.
    private func perform(
        _ steps: [LegacyItemStep],
        from before: LegacyItemNotes,
        to after: LegacyItemNotes
    ) throws {
        if steps.count == 1, before == after { return try steps[0].perform(in: keychain) }
        var noted = after
        noted.unfinished = steps
        try keychain.keep(noted.encoded, beside: .notes, isNew: !before.wasFound)
        guard !steps.isEmpty else { return }
        var done: [(step: LegacyItemStep, removed: [KeychainItem])] = []
        do {
            for (index, step) in steps.enumerated() {
                // The items of the last step are not needed, because the last step is never reverted.
                let removed = index == steps.count - 1 ? [] : try step.itemsToRemove(in: keychain)
                try step.perform(in: keychain)
                done.append((step, removed))
            }
        } catch {
            // If reverting the changes fails as well, the next transaction completes the recorded changes.
            for (step, removed) in done.reversed() { try step.takeBack(removed, in: keychain) }
            try keychain.keep(before.encoded, beside: .notes)
            throw error
        }
        // The transaction is complete, so the noted changes are deleted. Otherwise, if the previous release ran again
        // and removed an item, the next transaction of this release would restore the item.
        for _ in 0..<2 {
            do {
                return try keychain.keep(after.encoded, beside: .notes)
            } catch {
                // The items are changed. If the second attempt fails as well, the next transaction deletes the
                // noted changes.
            }
        }
    }
}

extension RecordKind {
    /// The kinds of mechanisms whose credentials are stored as this kind of record.
    fileprivate var mechanisms: Set<LegacyRecordKind> {
        switch self {
        case .push: [.push]
        case .oath: [.totp, .hotp]
        case .account, .notification, .deviceToken, .ledger, .importMark, .move, .tombstone: []
        }
    }
}

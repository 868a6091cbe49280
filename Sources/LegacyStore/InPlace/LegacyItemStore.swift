import Foundation
package import PushBridgeCore
import PushBridgePlatform

/// A store whose records are the legacy SDK's own keychain items: what it stores, the previous release of an app reads.
///
/// It deviates from other stores in what the SDK has no place for: an account has one mechanism of a kind, two accounts of
/// one legacy key exclude each other, and there is no ledger; a mechanism that is no credential is shown as an entry that
/// keeps its archive. What the items have no fields for is in ``LegacyItemNotes``.
///
/// Transactions of one store take turns. One that changes several items notes them first, so that one that was
/// interrupted is completed by the next, except for items that another release changed meanwhile. All calls block.
package final class LegacyItemStore: CredentialStore, RecordStore {
    private let keychain: LegacyKeychain
    private let turn: Lock<KnownItems>
    private let signal = ChangeSignal()

    /// Takes the items; reads nothing yet.
    package init(_ keychain: LegacyKeychain) {
        self.keychain = keychain
        turn = Lock(KnownItems())
    }

    package var backing: StoreBacking { StoreBacking(self) }

    /// One element after every transaction of this store that changed something; what others change is not reported.
    package var changes: AsyncStream<Void> { signal.stream() }

    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try turn.withValue { known in try body(try view(known)) }
    }

    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try turn.withValue { known in try write(known, body) }
    }

    /// Calls `body` while no other transaction runs, with a way to make some.
    package func exclusively<Value>(_ body: (Turn) throws -> Value) throws -> Value {
        try turn.withValue { known in try body(Turn(store: self, known: known)) }
    }

    /// The right to make transactions while all others wait.
    package struct Turn {
        fileprivate let store: LegacyItemStore
        fileprivate let known: KnownItems

        /// What is noted beside the items.
        package var notes: LegacyItemNotes { get throws { try store.view(known).notes } }

        package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
            try body(try store.view(known))
        }

        package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
            try store.write(known, body)
        }

        /// Replaces what is noted beside the items.
        package func replaceNotes(_ change: (inout LegacyItemNotes) -> Void) throws {
            var notes = try store.view(known).notes
            change(&notes)
            try store.keychain.keep(notes.encoded, beside: .notes)
        }

        /// Tells those who listen that the records are in another place.
        package func announce() { store.signal.send() }
    }

    package func leftBehind(_ kind: RecordKind) throws -> Set<String> {
        try keychain.mechanisms(of: kind.mechanisms) { !$0.travels }
    }

    package func closedWhileLocked(_ kind: RecordKind) throws -> Set<String> {
        try keychain.mechanisms(of: kind.mechanisms) { !$0.opensWhileLocked }
    }

    private func view(_ known: KnownItems) throws -> LegacyItemView {
        var notes = try LegacyItemNotes.read(from: keychain)
        if !notes.unfinished.isEmpty {
            try complete(notes.unfinished)
            notes.unfinished = []
            try keychain.keep(notes.encoded, beside: .notes)
        }
        return LegacyItemView(keychain, known, notes)
    }

    /// Carries out what an interrupted transaction left, as far as it is still due and the keychain lets it.
    private func complete(_ steps: [LegacyItemStep]) throws {
        for step in steps {
            let result = Swift.Result { try step.carryOutIfDue(in: keychain) }
            // An item that the keychain refuses for good must not keep all others from being used.
            if case .failure(let error as StoreError) = result, error.code == .locked { throw error }
        }
    }

    private func write<Value>(
        _ known: KnownItems,
        _ body: (any CredentialWriting) throws -> Value
    ) throws -> Value {
        let view = try view(known)
        let overlay = RecordOverlay(over: view)
        let value = try body(overlay)
        let (steps, notes) = try view.outcome(of: overlay.changes)
        guard !steps.isEmpty || notes != view.notes else { return value }
        try carryOut(steps, from: view.notes, to: notes)
        signal.send()
        return value
    }

    /// Changes the items and the notes, all or none of them.
    private func carryOut(
        _ steps: [LegacyItemStep],
        from before: LegacyItemNotes,
        to after: LegacyItemNotes
    ) throws {
        if steps.count == 1, before == after { return try steps[0].carryOut(in: keychain) }
        var noted = after
        noted.unfinished = steps
        try keychain.keep(noted.encoded, beside: .notes)
        guard !steps.isEmpty else { return }
        var done: [LegacyItemStep] = []
        do {
            for step in steps {
                try step.carryOut(in: keychain)
                done.append(step)
            }
        } catch {
            // Should this fail as well, the transaction stays noted, and is completed by the next one.
            for step in done.reversed() { try step.takeBack(in: keychain) }
            try keychain.keep(before.encoded, beside: .notes)
            throw error
        }
        do {
            try keychain.keep(after.encoded, beside: .notes)
        } catch {
            // The change holds; the next transaction finds nothing left to do, and strikes it out.
        }
    }
}

extension RecordKind {
    /// The kinds of mechanism that the records of a kind are.
    fileprivate var mechanisms: Set<LegacyRecordKind> {
        switch self {
        case .push: [.push]
        case .oath: [.totp, .hotp]
        case .account, .notification, .deviceToken, .ledger, .importMark, .move, .tombstone: []
        }
    }
}

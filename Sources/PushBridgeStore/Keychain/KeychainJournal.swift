import Foundation
import PushBridgeCore

/// Makes several changes of a keychain atomic: it stores a journal entry before the first change and removes
/// the entry after the last change.
struct KeychainJournal: Sendable {
    let items: KeychainItems

    /// Performs the steps as one transaction.
    ///
    /// The steps are committed as soon as the journal entry is stored. If the device is then locked or the
    /// process ends, ``complete()`` performs the remaining steps before the next write. If `firstIsEnough` is
    /// `true`, the first step alone has the effect of all steps, so no journal entry is stored.
    ///
    /// No step replaces an item that the transaction looked for and did not find: before the first unlock, the keychain
    /// hides existing items. If the first step finds such an item, the transaction fails; a later step leaves the item
    /// unchanged. Items that the transaction did not look for can be replaced.
    /// - Returns: `false` if ``complete()`` has to perform the remaining steps.
    /// - Throws: ``StoreError`` if the keychain refuses the journal entry or, without an entry, the first step; with
    ///   the code `locked` if the first step would replace an item that the transaction did not find. Nothing has
    ///   then been changed.
    func perform(_ steps: [KeychainStep], firstIsEnough: Bool) throws(StoreError) -> Bool {
        guard let first = steps.first else { return true }
        guard steps.count == 1 || firstIsEnough else {
            let entry = try Entry(version: Entry.current, steps: steps).encoded()
            try items.add(entry, Self.account, of: items.services.journal)
            let isFirstDone = hold { () throws(StoreError) in try items.perform(first) }
            if isFirstDone == false, hold(removeEntry) != nil { throw Self.unseen(first) }
            // The steps are retried once after a failure. A temporary failure must not leave unfinished
            // steps, because a process that only reads does not check for them.
            let rest = steps.dropFirst(isFirstDone == true ? 1 : 0)
            return hold { () throws(StoreError) in try finish(rest) } != nil
                || hold { () throws(StoreError) in try finish(steps[...]) } != nil
        }
        guard try items.perform(first) else { throw Self.unseen(first) }
        _ = hold { () throws(StoreError) in
            for step in steps.dropFirst() { try items.perform(step) }
        }
        return true
    }

    /// Performs an operation whose error must not be thrown, because the transaction has already been
    /// committed or rejected.
    ///
    /// Returns `nil` if the operation failed.
    private func hold<Value>(_ body: () throws(StoreError) -> Value) -> Value? {
        do throws(StoreError) {
            return try body()
        } catch {
            return nil
        }
    }

    /// Completes an interrupted transaction, if there is one.
    ///
    /// Since the interruption, another program may have changed the items, for example an earlier release of
    /// the app. An item that was changed after the transaction had read it is not replaced.
    func complete() throws(StoreError) {
        guard let data = try items.data(Self.account, of: items.services.journal) else { return }
        for step in try Entry(decoding: data).steps { try items.complete(step) }
        try removeEntry()
    }

    private func finish(_ steps: ArraySlice<KeychainStep>) throws(StoreError) {
        for step in steps { try items.perform(step) }
        try removeEntry()
    }

    private func removeEntry() throws(StoreError) {
        try items.perform(
            KeychainStep(service: items.services.journal, account: Self.account, data: nil)
        )
    }

    private static func unseen(_ step: KeychainStep) -> StoreError {
        StoreError(
            .locked,
            record: step.account,
            reason: "The keychain contains an item that the transaction did not find; try again."
        )
    }

    private static let account = "transaction"

    fileprivate struct Entry: Codable {
        static let current = 1

        let version: Int
        let steps: [KeychainStep]
    }
}

extension KeychainJournal.Entry {
    fileprivate init(decoding data: Data) throws(StoreError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch {
            throw StoreError(
                .damaged,
                reason: "The interrupted transaction in the keychain has an invalid form."
            )
        }
        guard version == Self.current else {
            throw StoreError(
                .newerVersion,
                reason: "A newer version of PushBridge left an unfinished transaction in the keychain."
            )
        }
    }

    fileprivate func encoded() throws(StoreError) -> Data {
        do {
            return try JSONEncoder().encode(self)
        } catch {
            throw StoreError(.failed, reason: "A transaction for the keychain cannot be encoded.")
        }
    }
}

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
    /// - Returns: Whether all steps were performed; if they were, ``complete()`` is not required.
    func carryOut(_ steps: [KeychainStep], firstIsEnough: Bool) throws(StoreError) -> Bool {
        guard steps.count <= 1 || firstIsEnough else {
            let entry = try Entry(version: Entry.current, steps: steps).encoded()
            try items.add(entry, Self.account, of: items.services.journal)
            // The steps are retried once after a failure. A temporary failure must not leave unfinished
            // steps, because a process that only reads does not check for them.
            return hold { () throws(StoreError) in try finish(steps) }
                || hold { () throws(StoreError) in try finish(steps) }
        }
        for step in steps.prefix(1) { try items.carryOut(step) }
        _ = hold { () throws(StoreError) in
            for step in steps.dropFirst() { try items.carryOut(step) }
        }
        return true
    }

    /// Performs an operation whose error must not be thrown, because the transaction has already been
    /// committed or rejected.
    ///
    /// Returns whether the operation succeeded.
    private func hold(_ body: () throws(StoreError) -> Void) -> Bool {
        do throws(StoreError) {
            try body()
            return true
        } catch {
            return false
        }
    }

    /// Completes an interrupted transaction, if there is one.
    func complete() throws(StoreError) {
        guard let data = try items.data(Self.account, of: items.services.journal) else { return }
        try finish(Entry(decoding: data).steps)
    }

    private func finish(_ steps: [KeychainStep]) throws(StoreError) {
        for step in steps { try items.carryOut(step) }
        try items.carryOut(
            KeychainStep(service: items.services.journal, account: Self.account, data: nil)
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
            throw StoreError(.newerVersion, reason: "A newer version left a transaction in the keychain.")
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

package import PushBridgeCore

/// The outcomes of answers, enrolments and other operations that a server accepted, but that the store failed to save.
///
/// The outcomes are held in memory, and are stored at the next opportunity. Until then, the client's results include
/// the outcomes as if they had been stored.
///
/// Each client has only one list, so that an answer that the client reported as accepted never appears as failed or
/// pending later. When the process ends, all outcomes are lost except enrolments, which the next process completes.
package final class UnsavedOutcomes: Sendable {
    /// Stores an outcome; storing it again has no further effect.
    package typealias Storing = @Sendable (any CredentialWriting) throws -> Void

    /// A held outcome.
    private struct Outcome {
        let id: String
        let store: Storing
        /// The enrolment as it was first held; `nil` for other outcomes.
        var enrolment: PendingEnrolment?
    }

    private let held = Lock<[Outcome]>([])
    private let pending: (any PendingEnrolments)?
    private let storageName: @Sendable () throws -> String
    private let hasReceived: @Sendable (String) throws -> Bool
    private let hasLooked = Lock(false)
    /// The enrolments that are in the store, but have not yet been removed from the durable storage, by id.
    private let stored = Lock<[String: PendingEnrolment]>([:])

    /// Creates an empty list.
    /// - Parameters:
    ///   - pending: Durable storage for enrolments; `nil` if there is none.
    ///   - storageName: Returns the name of the storage that saves the outcomes.
    ///   - hasReceived: Returns whether this storage has received the records of the storage `name`.
    package init(
        pending: (any PendingEnrolments)?,
        storageName: @escaping @Sendable () throws -> String,
        hasReceived: @escaping @Sendable (_ name: String) throws -> Bool
    ) {
        self.pending = pending
        self.storageName = storageName
        self.hasReceived = hasReceived
    }

    /// Holds an enrolment that the store failed to save; the next process also holds it.
    /// - Throws: `refusal`, and holds nothing, if the enrolment cannot be made durable.
    package func hold(_ enrolment: PendingEnrolment, after refusal: any Error) throws {
        guard let pending else { throw refusal }
        var enrolment = enrolment
        do {
            enrolment.storage = try storageName()
            try pending.keep(enrolment)
        } catch {
            throw refusal
        }
        holdWhileWaiting(enrolment, in: pending) { try $0.complete(in: $1) }
    }

    /// Holds an enrolment while it is pending.
    ///
    /// Before the enrolment is stored, its current form is read, because another process may have stored it already, or
    /// the user may have removed one or both of its credentials.
    private func holdWhileWaiting(
        _ enrolment: PendingEnrolment,
        in pending: any PendingEnrolments,
        _ store: @escaping @Sendable (PendingEnrolment, any CredentialWriting) throws -> Void
    ) {
        let storing: Storing = { view in
            if let current = try pending.current(enrolment) { try store(current, view) }
        }
        hold(Outcome(id: enrolment.id, store: storing, enrolment: enrolment))
    }

    /// Loads the pending enrolments of this storage that other processes or the other API stored.
    ///
    /// This method must not be called in a transaction, because it may read the storage.
    /// - Throws: ``StoreError`` if the enrolments cannot be read, or if the name or the marks of the storage cannot be
    ///   read.
    package func look() throws {
        guard let pending else { return }
        var waiting: [PendingEnrolment]
        do {
            waiting = try pending.waiting()
        } catch let error as StoreError where error.code == .notEntitled {
            // A process that may not use the keychain cannot have kept an enrolment there.
            return
        }
        waiting.removeAll { holds($0.id) }
        if !waiting.isEmpty {
            let name = try storageName()
            for enrolment in waiting where try isOfThisStorage(enrolment, named: name) {
                holdWhileWaiting(enrolment, in: pending) { try $0.resume(in: $1) }
            }
        }
        hasLooked.withValue { $0 = true }
    }

    private func isOfThisStorage(_ enrolment: PendingEnrolment, named name: String) throws -> Bool {
        if enrolment.belongs(to: name) { return true }
        guard let storage = enrolment.storage else { return true }
        return try hasReceived(storage)
    }

    /// Loads the pending enrolments, unless an earlier call has done so.
    private func lookOnce() {
        guard !hasLooked.withValue({ $0 }) else { return }
        do {
            try look()
        } catch {
            // The device may be locked; the next call tries again.
        }
    }

    package var isEmpty: Bool { all.isEmpty }

    /// Returns whether the outcome of a record is held.
    package func holds(_ id: String) -> Bool { held.withValue { $0.contains { $0.id == id } } }

    /// Holds the outcome of a record; replaces an earlier outcome of the record.
    package func hold(_ id: String, _ store: @escaping Storing) {
        hold(Outcome(id: id, store: store))
    }

    private func hold(_ outcome: Outcome) {
        held.withValue { held in
            held.removeAll { $0.id == outcome.id }
            held.append(outcome)
        }
    }

    /// All held outcomes, to be stored one by one.
    ///
    /// This property must not be used in a transaction, because it may read the storage.
    package var all: [(id: String, store: Storing)] {
        forgetStored()
        lookOnce()
        return held.withValue { held in held.map { (id: $0.id, store: $0.store) } }
    }

    /// Stops holding an enrolment that belongs to another storage; the client of that storage will store it.
    package func stopHolding(_ id: String) { held.withValue { $0.removeAll { $0.id == id } } }

    /// Removes the outcome of a record after the outcome was stored.
    package func forget(_ id: String) {
        let enrolment: PendingEnrolment? = held.withValue { held in
            defer { held.removeAll { $0.id == id } }
            return held.first { $0.id == id }?.enrolment
        }
        if let enrolment { stored.withValue { $0[id] = enrolment } }
        forgetStored()
    }

    private func forgetStored() {
        guard let pending else { return }
        for id in stored.withValue({ Array($0.keys) }) {
            do {
                try pending.forget(id)
                stored.withValue { $0[id] = nil }
            } catch {
                // The next call tries again. If there is no next call, the next process finds that the
                // credentials are already stored.
            }
        }
    }

    /// Cancels the pending enrolments of credentials that the user removes.
    ///
    /// Before this call, call ``look()`` and store the held outcomes. After it, remove the records.
    /// - Returns: The cancelled enrolments, for ``restore(_:)``.
    /// - Throws: ``StoreError`` if an enrolment cannot be cancelled. The records must then not be removed,
    ///   because the enrolment would be stored later.
    package func cancel(_ removal: PendingEnrolment.Removal) throws -> [PendingEnrolment] {
        guard let pending else { return [] }
        var cancelled: [PendingEnrolment] = []
        do {
            for enrolment in try enrolments(concernedBy: removal) {
                if let rest = enrolment.without(removal) {
                    try pending.keep(rest)
                } else {
                    try pending.forget(enrolment.id)
                }
                cancelled.append(enrolment)
            }
        } catch {
            restore(cancelled)
            throw error
        }
        return cancelled
    }

    /// Makes cancelled enrolments pending again, because the removal failed.
    package func restore(_ cancelled: [PendingEnrolment]) {
        guard let pending, !cancelled.isEmpty else { return }
        for enrolment in cancelled {
            stored.withValue { $0[enrolment.id] = nil }
            do {
                try pending.keep(enrolment)
            } catch {
                // If the enrolment cannot be kept, it stays cancelled, as the user requested.
            }
        }
        hasLooked.withValue { $0 = false }
    }

    /// Returns whether a removal concerns a credential whose enrolment is still pending.
    /// - Throws: ``StoreError`` if the enrolments cannot be read.
    package func isPending(_ removal: PendingEnrolment.Removal) throws -> Bool {
        try !enrolments(concernedBy: removal).isEmpty
    }

    /// Returns the pending enrolments whose credentials the user removes, as they are stored now.
    ///
    /// The enrolments that are in the store, but have not yet been removed from the durable storage, count as
    /// pending: after the removal, the next process would store them again.
    private func enrolments(concernedBy removal: PendingEnrolment.Removal) throws -> [PendingEnrolment] {
        guard let pending else { return [] }
        var known = stored.withValue { $0 }
        for enrolment in held.withValue({ $0.compactMap(\.enrolment) }) { known[enrolment.id] = enrolment }
        return try known.values.filter { $0.isConcerned(by: removal) }
            .compactMap { try pending.current($0) }
            .filter { $0.isConcerned(by: removal) }
    }

    /// Returns a view of the records as they would be if all held outcomes were stored.
    /// - Throws: ``PushBridgeCore/NeedsRecords`` if an app's own storage has to load more records.
    package func shown(over view: any CredentialReading) throws -> any CredentialReading {
        let outcomes = held.withValue { $0 }
        guard !outcomes.isEmpty else { return view }
        let overlay = RecordOverlay(over: view)
        for outcome in outcomes {
            do {
                try outcome.store(overlay)
            } catch let error as NeedsRecords {
                throw error
            } catch {
                // An outcome that cannot be applied is left out, so that other records can be read.
            }
        }
        return overlay
    }
}

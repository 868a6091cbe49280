package import PushBridgeCore

/// Outcomes that a server accepted, but that the store failed to save.
///
/// The outcomes are held in memory, and are stored at the next opportunity. Until then, results include the
/// outcomes as if they had been stored.
///
/// Each client has one such list, because the client has reported success to the caller: an accepted answer
/// must not appear as failed or as pending. The outcomes are lost when the process ends, except for
/// enrolments, which the next process completes.
package final class UnsavedOutcomes: Sendable {
    /// Stores an outcome; idempotent.
    package typealias Storing = @Sendable (any CredentialWriting) throws -> Void

    private let held = Lock<[(id: String, store: Storing)]>([])
    private let pending: (any PendingEnrolments)?
    private let storageName: @Sendable () throws -> String
    private let hasLooked = Lock(false)
    /// The ids of enrolments that are in the store, but have not yet been removed from the durable storage.
    private let stored = Lock<Set<String>>([])

    /// Creates an empty list.
    /// - Parameters:
    ///   - pending: Durable storage for enrolments; `nil` if there is none.
    ///   - storageName: Returns the name of the storage that saves the outcomes.
    package init(
        pending: (any PendingEnrolments)? = nil,
        storageName: @escaping @Sendable () throws -> String
    ) {
        self.pending = pending
        self.storageName = storageName
    }

    /// Holds an enrolment that the store failed to save; the next process also holds it.
    /// - Throws: `refusal`, and holds nothing, if the enrolment cannot be made durable.
    package func hold(_ enrolment: PendingEnrolment, after refusal: any Error, _ store: @escaping Storing)
        throws
    {
        guard let pending else { throw refusal }
        do {
            var enrolment = enrolment
            enrolment.storage = try storageName()
            try pending.keep(enrolment)
        } catch {
            throw refusal
        }
        holdWhileWaiting(enrolment.id, in: pending, store)
    }

    /// Holds an enrolment while it is pending.
    ///
    /// Meanwhile, another process may have stored the enrolment, and the user may have removed the
    /// credential.
    private func holdWhileWaiting(
        _ id: String,
        in pending: any PendingEnrolments,
        _ store: @escaping Storing
    ) {
        hold(id) { if try pending.isWaiting(id) { try store($0) } }
    }

    /// Loads the pending enrolments of this storage that earlier processes or the other API stored.
    ///
    /// After the first success, further calls do nothing.
    private func look() {
        guard let pending, !hasLooked.withValue({ $0 }) else { return }
        do {
            let name = try storageName()
            for enrolment in try pending.waiting() where enrolment.belongs(to: name) && !holds(enrolment.id) {
                holdWhileWaiting(enrolment.id, in: pending) { try enrolment.resume(in: $0) }
            }
            hasLooked.withValue { $0 = true }
        } catch {
            // The device may be locked; the next call tries again.
        }
    }

    package var isEmpty: Bool { all.isEmpty }

    /// Returns whether the outcome of a record is held.
    package func holds(_ id: String) -> Bool { held.withValue { $0.contains { $0.id == id } } }

    /// Holds the outcome of a record; replaces an earlier outcome of the record.
    package func hold(_ id: String, _ store: @escaping Storing) {
        held.withValue { held in
            held.removeAll { $0.id == id }
            held.append((id, store))
        }
    }

    /// All held outcomes, to be stored one by one.
    package var all: [(id: String, store: Storing)] {
        forgetStored()
        look()
        return held.withValue { $0 }
    }

    /// Stops holding an enrolment that belongs to another storage; the client of that storage will store it.
    package func stopHolding(_ id: String) { held.withValue { $0.removeAll { $0.id == id } } }

    /// Removes the outcome of a record after the outcome was stored.
    package func forget(_ id: String) {
        held.withValue { $0.removeAll { $0.id == id } }
        stored.withValue { _ = $0.insert(id) }
        forgetStored()
    }

    private func forgetStored() {
        guard let pending else { return }
        for id in stored.withValue({ $0 }) {
            do {
                try pending.forget(id)
                stored.withValue { _ = $0.remove(id) }
            } catch {
                // The next call tries again. If there is no next call, the next process finds that the
                // credentials are already stored.
            }
        }
    }

    /// Returns a view as it would be if all held outcomes were stored.
    /// - Throws: ``PushBridgeCore/NeedsRecords`` if an app's own storage has to load more records.
    package func shown(over view: any CredentialReading) throws -> any CredentialReading {
        let all = all
        guard !all.isEmpty else { return view }
        let overlay = RecordOverlay(over: view)
        for outcome in all {
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

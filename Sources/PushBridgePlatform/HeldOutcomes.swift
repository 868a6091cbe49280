package import PushBridgeCore

/// Outcomes that a server accepted but the store failed to save.
///
/// They are held in memory, included in results as if they were stored, and stored at the next opportunity.
///
/// Each client has one, because it has reported success to the caller: an accepted answer must not appear as failed or
/// as pending. The outcomes are lost when the process ends, except for enrolments, which the next process finishes.
package final class HeldOutcomes: Sendable {
    /// Stores an outcome; idempotent.
    package typealias Storing = @Sendable (any CredentialWriting) throws -> Void

    private let held = Lock<[(id: String, store: Storing)]>([])
    private let pending: (any PendingEnrolments)?
    private let storageName: @Sendable () throws -> String
    private let hasLooked = Lock(false)
    /// Enrolments that are stored but not yet removed from the durable storage.
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

    /// Holds an enrolment that the store failed to save, also for the next process.
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

    /// Holds an enrolment as long as it waits: another process may have stored it, and the user may have removed it since.
    private func holdWhileWaiting(
        _ id: String,
        in pending: any PendingEnrolments,
        _ store: @escaping Storing
    ) {
        hold(id) { if try pending.isWaiting(id) { try store($0) } }
    }

    /// Loads the enrolments of this storage that earlier processes or the other API kept, once.
    private func look() {
        guard let pending, !hasLooked.withValue({ $0 }) else { return }
        do {
            let name = try storageName()
            for enrolment in try pending.waiting() where enrolment.belongs(to: name) && !holds(enrolment.id) {
                holdWhileWaiting(enrolment.id, in: pending) { try enrolment.resume(in: $0) }
            }
            hasLooked.withValue { $0 = true }
        } catch {
            // The device may be locked; the next call looks again.
        }
    }

    package var isEmpty: Bool { all.isEmpty }

    /// Whether the outcome of a record is held.
    package func holds(_ id: String) -> Bool { held.withValue { $0.contains { $0.id == id } } }

    /// Holds the outcome of a record, in place of an earlier one.
    package func hold(_ id: String, _ store: @escaping Storing) {
        held.withValue { held in
            held.removeAll { $0.id == id }
            held.append((id, store))
        }
    }

    /// All that is held, to be stored one by one.
    package var all: [(id: String, store: Storing)] {
        forgetStored()
        look()
        return held.withValue { $0 }
    }

    /// Leaves an enrolment to the storage that it belongs to.
    package func leave(_ id: String) { held.withValue { $0.removeAll { $0.id == id } } }

    /// Forgets the outcome of a record, because it is stored.
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
                // The next call tries again; the next process finds it stored.
            }
        }
    }

    /// A view as it would be if everything held were stored.
    /// - Throws: ``PushBridgeCore/MissingRecords`` where a storage of an app's own has to load more.
    package func shown(over view: any CredentialReading) throws -> any CredentialReading {
        let all = all
        guard !all.isEmpty else { return view }
        let overlay = RecordOverlay(over: view)
        for outcome in all {
            do {
                try outcome.store(overlay)
            } catch let missing as MissingRecords {
                throw missing
            } catch {
                // Leaves out outcomes that fail: the other records can still be read.
            }
        }
        return overlay
    }
}

import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform

extension Authenticator {
    /// Removes an account or a credential from this device, and cancels its pending enrolments.
    ///
    /// The enrolments are cancelled first. Otherwise another process could store them after the removal.
    /// - Parameters:
    ///   - removal: The records that the user removes.
    ///   - body: Removes the records, and returns whether any of them was stored.
    /// - Returns: Whether a record was stored or an enrolment was pending.
    /// - Throws: The errors of `body`, and ``StoreError`` if an enrolment cannot be cancelled; `body` is then
    ///   not called.
    func perform(removal: PendingEnrolment.Removal, _ body: () throws -> Bool) throws -> Bool {
        try held.look()
        storeHeld()
        let cancelled = try held.cancel(removal)
        do {
            let isRemoved = try body()
            return isRemoved || !cancelled.isEmpty
        } catch {
            held.restore(cancelled)
            throw error
        }
    }

    /// Removes the device profiles of an account from the servers of its push mechanisms, and then removes
    /// the account from this device.
    func remove(
        _ account: Account,
        _ session: @escaping ServerSessionCallback,
        _ callbacks: Callbacks<RemovalOutcome>
    ) {
        callbacks.failing {
            let (key, now) = (account.profile.key, configuration.now())
            try held.look()
            storeHeld()
            // An unconfirmed removal is stored in the record of its credential. If the credential's enrolment is
            // pending, this record does not exist yet, so the removal is rejected.
            guard try !held.isPending(.account(key)) else {
                let reason =
                    "An enrolment of the account is not stored yet, so the account is not removed; try again later."
                throw StoreError(.failed, reason: reason)
            }
            let (removals, wasRemoved) = try write { view in
                let removals = try view.requestRemoval(ofAccount: key, at: now)
                // If no server has a profile to remove, the account is removed immediately.
                return (removals, removals.requested.isEmpty ? try view.removeAll(of: key) : true)
            }
            remove(removals.requested, session) { [self] outcomes in
                let left = removals.requested.lazy.compactMap { outcomes[$0.id] }.first { $0 != .removed }
                callbacks.succeedNow(left ?? (wasRemoved ? .removed : .notStored))
                // The caller does not wait for the earlier, unconfirmed removals of other accounts.
                remove(removals.earlier, session) { _ in }
            }
        }
    }

    /// Retries the removals that the servers have not confirmed.
    func retryRemovals(
        _ session: @escaping ServerSessionCallback,
        _ callbacks: Callbacks<[String: RemovalOutcome]>
    ) {
        callbacks.failing {
            remove(try read { try $0.credentialsBeingRemoved() }, session, completion: callbacks.succeedNow)
        }
    }

    /// Removes credentials one after another, and then calls `completion` once with the outcome of each
    /// removal.
    private func remove(
        _ credentials: [PushCredential],
        _ session: @escaping ServerSessionCallback,
        _ outcomes: [String: RemovalOutcome] = [:],
        completion: @escaping ([String: RemovalOutcome]) -> Void
    ) {
        guard let credential = credentials.first else { return completion(outcomes) }
        removeProfile(of: credential, session) { [self] obstacle in
            var outcomes = outcomes
            outcomes[credential.id] = obstacle.map(RemovalOutcome.owed) ?? .removed
            let store: UnsavedOutcomes.Storing = { view in
                try view.settleRemoval(of: credential, obstacle)
                let key = credential.account.key
                if obstacle == nil, try view.knownAccount(key) == nil { _ = try view.removeAll(of: key) }
            }
            do {
                try write(store)
            } catch {
                hold("The outcome of a removal", credential.id, error, store)
            }
            remove(Array(credentials.dropFirst()), session, outcomes, completion: completion)
        }
    }

    /// Removes the device profile of a credential from its server.
    ///
    /// Calls `completion` once: with `nil` after a success, otherwise with the reason for the failure.
    private func removeProfile(
        of credential: PushCredential,
        _ session: @escaping ServerSessionCallback,
        completion: @escaping (RemovalObstacle?) -> Void
    ) {
        let mechanism = PushMechanism(credential.legacyMechanism, notifications: nil, origin: self)
        let callbacks = Callbacks<PushServerSession?>(
            { session in
                guard let session else { return completion(.noSession) }
                do throws(RemovalObstacle) {
                    self.perform(try ProfileRemoval(of: credential, with: session)) { outcome in
                        switch outcome {
                        case .success: completion(nil)
                        case .failure(let failure):
                            completion(failure.cause as? RemovalObstacle ?? .unreachable)
                        }
                    }
                } catch {
                    completion(error)
                }
            },
            { _ in }
        )
        let asking = Once<PushMechanism> { session($0, callbacks.succeedNow) }
        CallbackThread.run { asking(mechanism) }
    }
}

extension CredentialWriting {
    /// Removes an account, its mechanisms (including mechanisms that the store keeps verbatim), and their
    /// notifications.
    /// - Returns: Whether anything was removed.
    func removeAll(of key: AccountKey) throws -> Bool {
        // The account is removed first, because its removal reads its mechanisms: in an app's own storage,
        // `keptMechanisms` searches only mechanisms that have been read.
        let isRemoved = try removeAccount(key)
        let kept = try keptMechanisms { $0.account == key }
        for mechanism in kept { try dropVerbatim(of: mechanism.entry) }
        return isRemoved || !kept.isEmpty
    }
}

import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform

extension Authenticator {
    /// Removes an account at the servers of its push mechanisms, and then here.
    func remove(
        _ account: Account,
        _ session: @escaping ServerSessionCallback,
        _ callbacks: Callbacks<RemovalOutcome>
    ) {
        callbacks.failing {
            let (key, now) = (account.profile.key, configuration.now())
            let (owed, wasRemoved) = try write { view in
                let owed = try view.oweRemoval(ofAccount: key, at: now)
                // Without a profile anywhere, there is nothing to wait for.
                return (owed, owed.asked.isEmpty ? try view.removeAll(of: key) : true)
            }
            remove(owed.asked, session) { [self] outcomes in
                let left = owed.asked.lazy.compactMap { outcomes[$0.id] }.first { $0 != .removed }
                callbacks.succeedNow(left ?? (wasRemoved ? .removed : .notStored))
                // A log-out does not wait for the servers of other accounts.
                remove(owed.earlier, session) { _ in }
            }
        }
    }

    /// Tries the unconfirmed removals again.
    func retryRemovals(
        _ session: @escaping ServerSessionCallback,
        _ callbacks: Callbacks<[String: RemovalOutcome]>
    ) {
        callbacks.failing {
            remove(try read { try $0.credentialsOwingRemoval() }, session, completion: callbacks.succeedNow)
        }
    }

    /// Removes credentials one after another, and calls `completion` once with the outcome of each.
    private func remove(
        _ owed: [PushCredential],
        _ session: @escaping ServerSessionCallback,
        _ outcomes: [String: RemovalOutcome] = [:],
        completion: @escaping ([String: RemovalOutcome]) -> Void
    ) {
        guard let credential = owed.first else { return completion(outcomes) }
        removeProfile(of: credential, session) { [self] obstacle in
            var outcomes = outcomes
            outcomes[credential.id] = obstacle.map(RemovalOutcome.owed) ?? .removed
            let store: HeldOutcomes.Storing = { view in
                try view.settleRemoval(of: credential, obstacle)
                let key = credential.account.key
                if obstacle == nil, try view.knownAccount(key) == nil { _ = try view.removeAll(of: key) }
            }
            do {
                try write(store)
            } catch {
                hold("The outcome of a removal", credential.id, error, store)
            }
            remove(Array(owed.dropFirst()), session, outcomes, completion: completion)
        }
    }

    /// Removes a credential's profile at its server, and calls `completion` once with what kept the server from it.
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
    /// Removes an account with its mechanisms, also those that are kept as they stood, and their notifications.
    /// - Returns: Whether there was anything.
    func removeAll(of key: AccountKey) throws -> Bool {
        // The account goes first, which reads its mechanisms: in an app's own storage kept ones are looked for among
        // those that were read.
        let isRemoved = try removeAccount(key)
        let kept = try keptMechanisms { $0.account == key }
        for mechanism in kept { try dropVerbatim(of: mechanism.entry) }
        return isRemoved || !kept.isEmpty
    }
}

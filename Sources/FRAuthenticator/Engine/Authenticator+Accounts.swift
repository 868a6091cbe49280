import Foundation
import PushBridgeCore

extension Authenticator {
    /// All accounts, oldest first, locked and unlocked as their policies demand.
    func accounts() throws -> [Account] {
        let (records, notifications) = try read { view in
            (try view.accountRecords(), try view.readableNotifications())
        }
        return try records.map { object(try settled($0), notifications) }
    }

    /// The account that `find` finds, locked or unlocked as its policies demand.
    func account(_ find: (any CredentialReading) throws -> AccountRecord?) throws -> Account? {
        let found = try read { view in
            try find(view).map { record in
                (record, try view.notifications(of: record.mechanisms))
            }
        }
        return try found.map { object(try settled($0), $1) }
    }

    func store(_ account: Account) throws -> Bool {
        let value = account.content.withValue { $0 }
        return try write { try $0.store(value) }
    }

    /// Locks an account in the name of a policy, or unlocks it, object and store alike; throws if it is not stored.
    func setLock(of account: Account, by policy: String?) throws {
        let key = account.profile.key
        try write { view in
            guard var stored = try view.accountRecord(key)?.account else {
                throw FRAError.failToSaveIntoStorageClient("The account is not stored.")
            }
            stored.profile.lockingPolicy = policy
            stored.profile.isLocked = policy != nil
            _ = try view.store(stored)
        }
        account.setLock(by: policy)
    }

    /// Locks the account of a credential if the device does not comply with its policies any more; answers whether
    /// it did.
    ///
    /// Does not unlock: what locked it may be the app's own decision.
    @discardableResult
    func lockIfViolated(_ profile: AccountProfile) throws -> Bool {
        guard !profile.isLocked, case .violation(let policy) = evaluate(profile) else { return false }
        return try write { view in
            guard var stored = try view.accountRecord(profile.key)?.account else { return false }
            stored.profile.lockingPolicy = policy
            stored.profile.isLocked = true
            return try view.store(stored)
        }
    }

    func evaluate(_ profile: AccountProfile) -> MfaPolicyEvaluator.Outcome {
        configuration.policyEvaluator.core.evaluate(profile.policies)
    }

    /// The record, locked or unlocked as its policies demand, which is stored if it is a change.
    private func settled(_ record: AccountRecord) throws -> AccountRecord {
        let profile = record.account.profile
        let settled = configuration.policyEvaluator.core.settled(profile)
        guard settled != profile else { return record }
        return try write { view in
            // Only the lock changes: what another thread stored meanwhile stays.
            guard var stored = try view.accountRecord(profile.key) else { return record }
            stored.account.profile.lockingPolicy = settled.lockingPolicy
            stored.account.profile.isLocked = settled.isLocked
            _ = try view.store(stored.account)
            return stored
        }
    }

    private func object(
        _ record: AccountRecord,
        _ notifications: ReadNotifications
    ) -> Account {
        let mechanisms = record.mechanisms.map {
            Mechanism.make($0, notifications: notifications, origin: self)
        }
        return Account(record.account, mechanisms: mechanisms)
    }

    func object(_ notification: PushBridgeCore.PushNotification) -> PushNotification {
        PushNotification(notification, origin: self)
    }
}

extension CredentialReading {
    /// The notifications of the push mechanisms among some.
    fileprivate func notifications(of mechanisms: [LegacyMechanism]) throws -> ReadNotifications {
        var notifications: [String: [PushBridgeCore.PushNotification]] = [:]
        for mechanism in mechanisms where mechanism.kind == .push {
            let id = mechanism.mechanismUUID
            notifications[id] = try self.notifications(NotificationQuery(credentialId: id))
        }
        return ReadNotifications(byMechanism: notifications)
    }
}

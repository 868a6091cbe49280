import CredentialMigration
import FRCore
import Foundation
import LegacyStore
import PushBridgeCore

/// An account and its mechanisms, as the legacy API shows them.
///
/// The oldest mechanism is first. If the mechanisms are in an app's own storage, they are in the order of
/// that storage instead.
struct AccountRecord {
    var account: LegacyAccount
    var mechanisms: [LegacyMechanism]

    /// Creates the record of an account in an app's own storage.
    init(stored account: LegacyAccount, mechanisms: [LegacyMechanism]) {
        (self.account, self.mechanisms) = (account, mechanisms)
    }

    init(account: AccountProfile, mechanisms: [LegacyMechanism]) {
        self.account = LegacyAccount(profile: account, timeAdded: account.addedAt ?? .distantPast)
        self.mechanisms = mechanisms.sorted { $0.timeAdded < $1.timeAdded }
    }

    fileprivate init(_ contents: AccountContents) {
        self.init(
            account: contents.account,
            mechanisms: contents.oath.map(\.legacyMechanism) + contents.push.map(\.legacyMechanism)
        )
    }
}

extension Authenticator {
    /// Returns all accounts, after locking or unlocking each account as its policies require.
    ///
    /// The oldest account is first. If the accounts are in an app's own storage, they are in the order of
    /// that storage instead.
    func accounts() throws -> [Account] {
        if let own = try ownStorage() { return settled(try own.accountRecords()).map { object($0, nil) } }
        let (records, notifications) = try read { view in
            (try view.accountRecords(), try view.notifications().logged())
        }
        let received = Dictionary(grouping: notifications, by: \.credentialId)
        return settled(records).map { object($0, received) }
    }

    /// Returns the account with a key, after locking or unlocking the account as its policies require.
    func account(_ key: AccountKey) throws -> Account? {
        try account {
            try $0.accountRecord(key)
        } ofOwn: {
            try $0.accountRecord(key)
        }
    }

    /// Returns the first account whose legacy key is `identifier`, after locking or unlocking the account as
    /// its policies require.
    func account(identifier: String) throws -> Account? {
        try account {
            try $0.accountRecord(identifier: identifier)
        } ofOwn: {
            try $0.accountRecord(identifier: identifier)
        }
    }

    private func account(
        _ find: (any CredentialReading) throws -> AccountRecord?,
        ofOwn findOwn: (StorageClientStore) throws -> AccountRecord?
    ) throws -> Account? {
        if let own = try ownStorage() { return try findOwn(own).map { object(settled([$0])[0], nil) } }
        let found = try read { view in
            try find(view).map { record in
                var received: [String: [PushBridgeCore.PushNotification]] = [:]
                for mechanism in record.mechanisms where mechanism.kind == .push {
                    let query = RecordQuery(owner: mechanism.mechanismUUID)
                    received[mechanism.mechanismUUID] = try view.notifications(query).logged()
                }
                return (record, received)
            }
        }
        return found.map { object(settled([$0])[0], $1) }
    }

    /// Stores the changes to an account.
    ///
    /// Returns `false` if the account is not stored, or if the store fails. Throws an error if the account is
    /// locked.
    func store(_ account: Account) throws -> Bool {
        let profile = account.profile
        do {
            return try write { view in
                let stored = try view.knownAccount(profile.key)
                if let locked = [profile, stored].compactMap(\.self).first(where: \.isLocked) {
                    throw AccountError.accountLocked(locked.lockingPolicy ?? "")
                }
                if stored != nil { try view.save(profile) }
                return stored != nil
            }
        } catch let error as StoreError {
            FRALog.e("Updating an account: \(error.reason)")
            return false
        }
    }

    /// Locks an account and names `policy` as the reason.
    ///
    /// If `policy` is `nil`, the account is unlocked instead.
    ///
    /// The method changes both the object and the store. If the account is not stored, the method throws an error and
    /// changes nothing.
    /// - Returns: Whether the store saved the change; the object changes even if the store fails.
    func setLock(of account: Account, by policy: String?) throws -> Bool {
        let isKnown = loggingFailure("Locking or unlocking an account", default: Bool?.none) {
            try write { try $0.setLock(of: account.profile.key, by: policy) } != nil
        }
        if isKnown == false { throw FRAError.failToSaveIntoStorageClient("The account is not stored.") }
        account.setLock(by: policy)
        return isKnown != nil
    }

    /// Locks or unlocks each account as its policies require, stores the changed locks and returns the
    /// records.
    ///
    /// If the store fails to save a changed lock, the error is logged, but the returned records contain the
    /// changed lock. The next read evaluates the policies again, and so returns the same lock.
    private func settled(_ records: [AccountRecord]) -> [AccountRecord] {
        let evaluator = configuration.policyEvaluator.core
        var records = records
        var changed: [AccountProfile] = []
        for index in records.indices {
            let settled = evaluator.settled(records[index].account.profile)
            guard settled != records[index].account.profile else { continue }
            records[index].account.profile = settled
            changed.append(settled)
        }
        guard !changed.isEmpty else { return records }
        loggingFailure("Locking or unlocking accounts", default: ()) {
            try write { view in
                for account in changed { try view.setLock(of: account.key, by: account.lockingPolicy) }
            }
        }
        return records
    }

    /// Creates the object of an account with its mechanisms.
    ///
    /// If `received` is `nil`, each mechanism reads its notifications when they are first used.
    private func object(
        _ record: AccountRecord,
        _ received: [String: [PushBridgeCore.PushNotification]]?
    ) -> Account {
        let mechanisms = record.mechanisms.map { mechanism in
            let notifications = received.map { $0[mechanism.mechanismUUID] ?? [] }
            return Mechanism.make(mechanism, notifications: notifications, origin: self)
        }
        return Account(record.account, mechanisms: mechanisms)
    }
}

extension CredentialReading {
    /// Returns all accounts with their mechanisms; unreadable records are skipped and logged.
    func accountRecords() throws -> [AccountRecord] {
        var records = try accountContents().logged().map(AccountRecord.init)
        let kept = try keptMechanisms { _ in true }
        for (key, mechanisms) in Dictionary(grouping: kept, by: \.mechanism.account) {
            if let place = records.firstIndex(where: { $0.account.profile.key == key }) {
                records[place] = records[place].adding(mechanisms)
            } else {
                records.append(AccountRecord(mechanisms))
            }
        }
        return records.sorted { $0.account.timeAdded < $1.account.timeAdded }
    }

    /// Returns an account with its mechanisms; `nil` if neither the account nor any of its mechanisms is stored.
    func accountRecord(_ key: AccountKey) throws -> AccountRecord? {
        let contents = try contents(of: key)
        // The legacy items can be queried for the mechanisms of one account. A ledger cannot be queried in this
        // way, so all of its open entries are read.
        let query = keepsLegacyKeys ? RecordQuery(owner: key.recordID, openOnly: true) : .open
        let kept = try keptMechanisms(query) { $0.account == key }
        guard let contents else { return kept.isEmpty ? nil : AccountRecord(kept) }
        return AccountRecord(contents).adding(kept)
    }

    /// Returns the first account whose legacy key is `identifier`; several accounts may have the same legacy
    /// key.
    func accountRecord(identifier: String) throws -> AccountRecord? {
        for dash in identifier.indices where identifier[dash] == "-" {
            let name = String(identifier[identifier.index(after: dash)...])
            let key = AccountKey(issuer: String(identifier[..<dash]), accountName: name)
            if let record = try accountRecord(key) { return record }
        }
        return nil
    }

    /// Returns the mechanisms that the store keeps verbatim because they cannot be converted to credentials.
    func keptMechanisms(
        _ query: RecordQuery = .open,
        where isIncluded: (LegacyMechanism) -> Bool
    ) throws -> [KeptMechanism] {
        try fetch(LedgerEntry.self, where: query).logged().compactMap(KeptMechanism.init).filter {
            isIncluded($0.mechanism)
        }
    }
}

/// A mechanism that the store keeps verbatim, because it cannot be converted to a credential.
///
/// The legacy API shows the mechanism, but the mechanism can neither answer pushes nor generate one-time passwords.
struct KeptMechanism {
    let entry: LedgerEntry
    let mechanism: LegacyMechanism
    /// The account that the mechanism's record contains.
    let account: LegacyAccount?

    init?(_ entry: LedgerEntry) {
        guard [.push, .totp, .hotp].contains(entry.kind) else { return nil }
        do {
            guard let item = try entry.decoded(), case .mechanism(let mechanism) = item.record else {
                return nil
            }
            (self.entry, self.mechanism, account) = (entry, mechanism, item.embeddedAccount)
        } catch {
            FRALog.w("A mechanism without a credential cannot be shown: \(error.reason)")
            return nil
        }
    }
}

extension AccountRecord {
    /// Creates the record of an account that is not stored, from the account's mechanisms.
    ///
    /// The account comes from the first mechanism that contains it. If that account has no date, it receives the
    /// date of the oldest mechanism.
    fileprivate init(_ kept: [KeptMechanism]) {
        let mechanisms = kept.map(\.mechanism)
        var account =
            kept.lazy.compactMap(\.account).first?.profile
            ?? AccountProfile(
                issuer: mechanisms[0].account.issuer,
                accountName: mechanisms[0].account.accountName
            )
        account.addedAt = account.addedAt ?? mechanisms.map(\.timeAdded).min()
        self.init(account: account, mechanisms: mechanisms)
    }

    fileprivate func adding(_ kept: [KeptMechanism]) -> AccountRecord {
        AccountRecord(account: account.profile, mechanisms: mechanisms + kept.map(\.mechanism))
    }
}

extension Fetched {
    /// Returns the values, and logs the error of each unreadable record.
    func logged() -> [Value] {
        for error in unreadable { FRALog.e("A record cannot be read: \(error.reason)") }
        return values
    }
}

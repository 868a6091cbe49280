import Foundation
import LegacyStore
import PushBridgeCore

extension CredentialWriting {
    /// Stores an account: its credentials carry it or, where there are none, it is kept.
    ///
    /// Answers whether the account was there.
    func store(_ account: LegacyAccount) throws -> Bool {
        let carried = try legacyAccounts(of: account.profile.key)
        guard carried.isEmpty else {
            try share(account.profile)
            if carried.contains(nil) { try date(account) }
            return true
        }
        var isKept = false
        try forEachKept(of: account.profile.key) { kept, item in
            guard case .account = item.record else { return }
            try removePreservedRecord(for: kept.record)
            isKept = true
        }
        if isKept { try keep(account) }
        return isKept
    }

    /// Keeps an account that no credential carries any more.
    func keep(_ account: LegacyAccount) throws {
        let key = account.profile.key
        try preserve(
            PreservedRecord(
                record: RecordFingerprint(
                    parts: ["FRAuthenticator.Account", key.issuer, key.accountName],
                    payload: Data(),
                    occurrence: 0
                ),
                kind: .account,
                key: account.identifier,
                outcome: .kept,
                format: .archive,
                payload: LegacyRecord.account(account).archive
            )
        )
    }

    /// Removes an account with its mechanisms and their notifications; answers whether there was anything.
    func removeAccount(_ key: AccountKey) throws -> Bool {
        var removed = false
        for credential in try pushCredentials(account: key) {
            removed = try dismissPushCredential(id: credential.id) || removed
        }
        for credential in try oathCredentials(account: key) {
            removed = try removeOathCredential(id: credential.id) || removed
        }
        try forEachKept(of: key) { kept, _ in
            removed = try removePreservedRecord(for: kept.record) || removed
        }
        return removed
    }

    /// The account as it is kept, which a credential takes over from now on.
    func takeKeptAccount(_ key: AccountKey) throws -> LegacyAccount? {
        var account: LegacyAccount?
        try forEachKept(of: key) { kept, item in
            guard case .account(let value) = item.record else { return }
            account = account ?? value
            try removePreservedRecord(for: kept.record)
        }
        return account
    }

    /// Gives a date to the account of those credentials that came without an account.
    private func date(_ account: LegacyAccount) throws {
        for var credential in try pushCredentials(account: account.profile.key)
        where credential.legacyAccount == nil {
            credential.legacy?.accountAddedAt = account.timeAdded
            try save(credential)
        }
        for var credential in try oathCredentials(account: account.profile.key)
        where credential.legacyAccount == nil {
            credential.legacy?.accountAddedAt = account.timeAdded
            try save(credential)
        }
    }
}

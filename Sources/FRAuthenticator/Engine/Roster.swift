import AuthenticatorCore
import Foundation
import LegacyStore

/// An account and its mechanisms, as the legacy API shows them.
struct AccountRecord {
    var account: LegacyAccount
    let mechanisms: [LegacyMechanism]
}

/// Puts the accounts of a store together: from what credentials carry, and from what no credential holds.
struct Roster {
    private var entries: [AccountKey: Entry] = [:]

    mutating func add(_ credential: PushCredential) {
        add(credential.legacyMechanism, of: credential)
    }

    mutating func add(_ credential: OathCredential) {
        add(credential.legacyMechanism, of: credential)
    }

    /// Adds a legacy record that is kept, because no credential holds it.
    mutating func add(_ kept: DecodedItem) {
        switch kept.record {
        case .account(let account):
            entries[account.profile.key, default: Entry()].kept.append(account)
        case .mechanism(let mechanism):
            var bare = kept.embeddedAccount
            if bare == nil {
                let profile = AccountProfile(
                    issuer: mechanism.account.issuer,
                    accountName: mechanism.account.accountName
                )
                bare = LegacyAccount(profile: profile, timeAdded: mechanism.timeAdded)
            }
            entries[mechanism.account, default: Entry()].add(mechanism, bare: bare)
        case .notification, .deviceToken:
            break
        }
    }

    /// All accounts, oldest first, their mechanisms as well.
    var records: [AccountRecord] {
        entries.values.compactMap(\.record).sorted {
            ($0.account.timeAdded, $0.account.identifier) < ($1.account.timeAdded, $1.account.identifier)
        }
    }

    private mutating func add(_ mechanism: LegacyMechanism, of credential: some AccountBound) {
        var entry = entries[credential.account.key] ?? Entry()
        if let account = credential.legacyAccount { entry.carried.append(account) }
        entry.add(
            mechanism,
            bare: LegacyAccount(profile: credential.account, timeAdded: credential.createdAt)
        )
        entries[credential.account.key] = entry
    }
}

/// What is known of one account.
private struct Entry {
    /// The account as its credentials carry it.
    var carried: [LegacyAccount] = []
    /// The account as it is kept.
    var kept: [LegacyAccount] = []
    /// The account as it can be made up for mechanisms that came without any.
    var bare: LegacyAccount?
    var mechanisms: [LegacyMechanism] = []

    mutating func add(_ mechanism: LegacyMechanism, bare account: LegacyAccount?) {
        mechanisms.append(mechanism)
        if let account, account.timeAdded < bare?.timeAdded ?? .distantFuture { bare = account }
    }

    /// The oldest account known; locked if any credential is.
    var record: AccountRecord? {
        guard var account = oldest(carried) ?? oldest(kept) ?? bare else { return nil }
        if !account.profile.isLocked, let locked = carried.first(where: \.profile.isLocked)?.profile {
            account.profile.isLocked = true
            account.profile.lockingPolicy = locked.lockingPolicy
        }
        let sorted = mechanisms.sorted {
            ($0.timeAdded, $0.mechanismUUID) < ($1.timeAdded, $1.mechanismUUID)
        }
        return AccountRecord(account: account, mechanisms: sorted)
    }

    private func oldest(_ accounts: [LegacyAccount]) -> LegacyAccount? {
        accounts.min { $0.timeAdded < $1.timeAdded }
    }
}

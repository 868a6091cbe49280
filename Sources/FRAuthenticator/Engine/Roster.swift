import Foundation
import LegacyStore
import PushBridgeCore

/// An account and its mechanisms, as the legacy API shows them.
struct AccountRecord {
    var account: LegacyAccount
    let mechanisms: [LegacyMechanism]
}

/// Puts the accounts of a store together: from what credentials carry, and from what no credential holds.
struct Roster {
    /// In the order in which the accounts appeared, which mostly is by age already.
    private var entries: [Entry] = []
    private var places: [AccountKey: Int] = [:]

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
            entries[place(of: account.profile.key)].keep(account)
        case .mechanism(let mechanism):
            let entry = place(of: mechanism.account)
            entries[entry].mechanisms.append(mechanism)
            entries[entry].makeUp(kept.embeddedAccount ?? mechanism.bareAccount)
        case .notification, .deviceToken:
            break
        }
    }

    /// All accounts, oldest first, their mechanisms as well.
    var records: [AccountRecord] {
        entries.compactMap(\.record).sorted { one, other in
            // The text is made only where it decides, because making it takes longer than everything else here.
            let (age, otherAge) = (one.account.timeAdded, other.account.timeAdded)
            return age == otherAge ? one.account.identifier < other.account.identifier : age < otherAge
        }
    }

    private mutating func add(_ mechanism: LegacyMechanism, of credential: some AccountBound) {
        let entry = place(of: credential.account.key)
        entries[entry].mechanisms.append(mechanism)
        if let account = credential.legacyAccount {
            entries[entry].carry(account)
        } else {
            entries[entry].makeUp(
                LegacyAccount(profile: credential.account, timeAdded: credential.createdAt)
            )
        }
    }

    private mutating func place(of account: AccountKey) -> Int {
        if let place = places[account] { return place }
        entries.append(Entry())
        places[account] = entries.count - 1
        return entries.count - 1
    }
}

/// What is known of one account; of several records the oldest counts.
private struct Entry {
    /// The account as its credentials carry it.
    private var carried: LegacyAccount?
    /// The first lock under which a credential stands.
    private var locked: AccountProfile?
    /// The account as it is kept.
    private var kept: LegacyAccount?
    /// The account as it can be made up for mechanisms that came without any.
    private var bare: LegacyAccount?
    var mechanisms: [LegacyMechanism] = []

    mutating func carry(_ account: LegacyAccount) {
        if locked == nil, account.profile.isLocked { locked = account.profile }
        if account.isOlder(than: carried) { carried = account }
    }

    mutating func keep(_ account: LegacyAccount) {
        if account.isOlder(than: kept) { kept = account }
    }

    mutating func makeUp(_ account: LegacyAccount) {
        if account.isOlder(than: bare) { bare = account }
    }

    /// The oldest account known; locked if any credential is.
    var record: AccountRecord? {
        guard var account = carried ?? kept ?? bare else { return nil }
        if !account.profile.isLocked, let locked {
            account.profile.isLocked = true
            account.profile.lockingPolicy = locked.lockingPolicy
        }
        let sorted = mechanisms.sorted {
            ($0.timeAdded, $0.mechanismUUID) < ($1.timeAdded, $1.mechanismUUID)
        }
        return AccountRecord(account: account, mechanisms: sorted)
    }
}

extension LegacyAccount {
    fileprivate func isOlder(than other: LegacyAccount?) -> Bool {
        other.map { timeAdded < $0.timeAdded } ?? true
    }
}

extension LegacyMechanism {
    /// The account as far as the mechanism tells of it.
    fileprivate var bareAccount: LegacyAccount {
        let profile = AccountProfile(issuer: account.issuer, accountName: account.accountName)
        return LegacyAccount(profile: profile, timeAdded: timeAdded)
    }
}

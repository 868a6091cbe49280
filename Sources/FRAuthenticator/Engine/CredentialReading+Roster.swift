import CredentialMigration
import FRCore
import LegacyStore
import PushBridgeCore

extension CredentialReading {
    /// All accounts with their mechanisms; what cannot be read keeps nobody from all the others.
    func accountRecords() throws -> [AccountRecord] {
        var roster = try roster()
        try forEachKept { _, item in roster.add(item) }
        return roster.records
    }

    /// All notifications; those of a credential of which one cannot be read are left out.
    func readableNotifications() throws -> ReadNotifications {
        do {
            return ReadNotifications(try notifications(.all))
        } catch let error as StoreError where error.code == .damaged {
            FRALog.e("Some notifications cannot be read: \(error.reason)")
        }
        var readable: [String: [PushBridgeCore.PushNotification]] = [:]
        for id in try pushCredentialIDs() {
            do {
                readable[id] = try notifications(NotificationQuery(credentialId: id))
            } catch let error as StoreError where error.code == .damaged {
                continue
            }
        }
        return ReadNotifications(byMechanism: readable)
    }

    /// An account with its mechanisms; `nil` if there is none.
    func accountRecord(_ key: AccountKey) throws -> AccountRecord? {
        var roster = Roster()
        for credential in try pushCredentials(account: key) { roster.add(credential) }
        for credential in try oathCredentials(account: key) { roster.add(credential) }
        try forEachKept(of: key) { _, item in roster.add(item) }
        return roster.records.first
    }

    /// The first account whose legacy key is `identifier`; several may have the same.
    func accountRecord(identifier: String) throws -> AccountRecord? {
        for key in AccountKey.candidates(for: identifier) {
            if let record = try accountRecord(key) { return record }
        }
        return nil
    }

    /// All credentials at once or, where one is damaged, one by one.
    private func roster() throws -> Roster {
        do {
            var roster = Roster()
            try forEachPushCredential { roster.add($0) }
            try forEachOathCredential { roster.add($0) }
            return roster
        } catch let error as StoreError where error.code == .damaged {
            var roster = Roster()
            let lost =
                try forEachReadablePushCredential { roster.add($0) }
                + forEachReadableOathCredential { roster.add($0) }
            for id in lost { FRALog.e("The mechanism \(id) cannot be read.") }
            return roster
        }
    }

    /// Calls `body` with every account and mechanism that is kept, of one account or of all.
    func forEachKept(
        of key: AccountKey? = nil,
        _ body: (PreservedRecord, DecodedItem) throws -> Void
    ) throws {
        _ = try forEachReadablePreservedRecord { kept in
            do {
                let item = try kept.decoded()
                guard let account = item.record.account, account == key ?? account else { return }
                try body(kept, item)
            } catch let error as LegacyRecordError {
                FRALog.w("A kept record cannot be shown: \(error.reason)")
            }
        }
    }
}

extension LegacyRecord {
    /// The account that an account or a mechanism belongs to.
    var account: AccountKey? {
        switch self {
        case .account(let account): account.profile.key
        case .mechanism(let mechanism): mechanism.account
        case .notification, .deviceToken: nil
        }
    }
}

extension AccountKey {
    /// The accounts that a legacy key may stand for: nothing in it is escaped.
    static func candidates(for identifier: String) -> [AccountKey] {
        identifier.indices.filter { identifier[$0] == "-" }.map { dash in
            AccountKey(
                issuer: String(identifier[..<dash]),
                accountName: String(identifier[identifier.index(after: dash)...])
            )
        }
    }
}

import CredentialMigration
import Foundation
import GRDB
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Credentials of an account with an unreadable record are imported as locked, because the account's lock is unknown.
@Suite("Accounts with unreadable records")
struct UnreadableAccountTests {
    private static let date = Date(timeIntervalSince1970: 1_700_000_000)
    private let folder: TemporaryFolder
    private let zoe = AccountKey(issuer: "Bank", accountName: "zoe")
    private let bob = AccountKey(issuer: "Bank", accountName: "bob")

    init() throws {
        folder = try TemporaryFolder()
    }

    private func mechanism(_ id: String, of account: AccountKey) throws -> LegacyRecord {
        let secret = try #require(SharedSecret(utf8: "JBSWY3DPEHPK3PXP"))
        let factor = LegacyFactor.totp(LegacyOathParameters(algorithm: "sha1", digits: 6), period: 30)
        return .mechanism(
            LegacyMechanism(
                mechanismUUID: id,
                account: account,
                secret: secret,
                timeAdded: Self.date,
                factor: factor
            )
        )
    }

    private func account(_ key: AccountKey) -> LegacyRecord {
        let profile = AccountProfile(issuer: key.issuer, accountName: key.accountName)
        return .account(LegacyAccount(profile: profile, timeAdded: Self.date))
    }

    private func line(_ record: LegacyRecord, _ data: Data? = nil) throws -> Data {
        try JSONEncoder().encode([
            "svce": record.service.rawValue, "acct": record.identifier,
            "data": (data ?? record.archive).base64EncodedString(),
        ])
    }

    private func migrate(_ lines: [Data], to store: any CredentialStore) throws {
        let url = folder.url("store.jsonl")
        try Data(lines.joined(separator: Data("\n".utf8))).write(to: url)
        _ = try CredentialMigration(from: .file(url), to: store).migrate()
    }

    private func locks(_ store: any CredentialStore) throws -> [String: String?] {
        let found = try store.read { try $0.credentials(OathCredential.self, where: .all).values }
        return Dictionary(
            uniqueKeysWithValues: found.map { ($0.id, $0.isLocked ? $0.lockingPolicy : "open") }
        )
    }

    private let locked = AccountProfile.unreadableRecord

    /// A row whose value is too large to be read locks the account that the row's key identifies.
    @Test func aRowWithALargeValueLocksTheAccountOfItsKey() throws {
        let url = folder.url("keychain.db")
        let queue = try DatabaseQueue(path: url.path)
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE genp(agrp TEXT, svce TEXT, acct TEXT, data BLOB)")
            let broken = account(zoe)
            try db.execute(
                sql: "INSERT INTO genp VALUES ('', ?, ?, zeroblob(17000000))",
                arguments: [broken.service.rawValue, broken.identifier]
            )
            for record in [try mechanism("M", of: zoe), try mechanism("N", of: bob)] {
                try db.execute(
                    sql: "INSERT INTO genp VALUES ('', ?, ?, ?)",
                    arguments: [record.service.rawValue, record.identifier, record.archive]
                )
            }
        }
        try queue.close()
        let store = MemoryCredentialStore()
        let receipt = try CredentialMigration(from: .file(url), to: store).migrate()
        #expect(receipt.records.map(\.key) == ["Bank-zoe", "Bank-zoe-totp", "Bank-bob-totp"])
        #expect(try locks(store) == ["M": locked, "N": "open"])
    }

    /// A damaged line without a readable key locks each account that has credentials but no readable account record.
    ///
    /// The line may be the record of any of these accounts.
    @Test(arguments: [true, false])
    func aLineWithoutAKeyLocksTheAccountsWithoutARecord(_ isTooLong: Bool) throws {
        let broken =
            isTooLong
            ? try line(account(zoe), Data(count: 17_000_000))
            : Data(#"{"svce":"\#(LegacyService.account.rawValue)","data":"YnBsaXN0"#.utf8)
        let others = [try line(mechanism("M", of: zoe)), try line(mechanism("N", of: bob))]
        for lines in [[broken] + others, others + [broken]] {
            let store = MemoryCredentialStore()
            try migrate(lines + [try line(account(bob))], to: store)
            let found = try locks(store)
            #expect(
                found == ["M": locked, "N": "open"],
                "\(found), damaged line first: \(lines[0] == broken)"
            )
        }
    }

    /// If an unreadable record in a JSON document has no key, its account is found by issuer and account name.
    @Test func anAccountOfADocumentIsFoundByItsNames() throws {
        let document = folder.url("document")
        let writer = try LegacyJSONWriter(document)
        for record in [account(zoe), account(bob), try mechanism("M", of: zoe), try mechanism("N", of: bob)] {
            try writer.write(record)
        }
        try writer.finish()
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: document))
        var members = try #require(object as? [String: Any])
        var accounts = try #require(members["accounts"] as? [[String: Any]])
        accounts[0]["id"] = nil
        accounts[0]["lock"] = "perhaps"
        members["accounts"] = accounts
        try JSONSerialization.data(withJSONObject: members).write(to: document)
        let store = MemoryCredentialStore()
        _ = try CredentialMigration(from: .file(document), to: store).migrate()
        #expect(try locks(store) == ["M": locked, "N": "open"])
    }

    /// An unreadable record locks its account in the destination when a credential is added to the account.
    ///
    /// After the app has unlocked the account, a repeated migration does not lock it again.
    @Test(arguments: [true, false])
    func anUnreadableRecordLocksItsAccountInTheDestinationOnce(_ accountIsFirst: Bool) throws {
        let store = MemoryCredentialStore()
        try migrate([try line(account(zoe)), try line(mechanism("K", of: zoe))], to: store)
        #expect(try locks(store) == ["K": "open"])
        let broken = try line(account(zoe), Data("junk".utf8))
        let new = try line(mechanism("M", of: zoe))
        let lines = accountIsFirst ? [broken, new] : [new, broken]
        try migrate(lines, to: store)
        #expect(try locks(store) == ["K": locked, "M": locked])
        _ = try store.write { try $0.setLock(of: zoe, by: nil) }
        try migrate(lines, to: store)
        #expect(try locks(store) == ["K": "open", "M": "open"])
    }

    /// In a keychain store, each credential contains a copy of its account; if the account's record is unreadable, the
    /// credential is locked.
    @Test func aKeychainStoreLocksTheCredentialOfAnUnreadableAccount() throws {
        let store = KeychainCredentialStore(keychain: InMemoryKeychain())
        let new = try line(mechanism("M", of: zoe))
        try migrate([new, try line(account(zoe), Data("junk".utf8))], to: store)
        #expect(try locks(store) == ["M": locked])
    }
}

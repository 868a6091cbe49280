import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Situations on users' phones in which a migration could lose data or mislead the user.
@Suite("Migrations from the field")
struct FieldTests {
    private func archives(_ records: [LegacyRecord]) -> MigrationSource {
        .keychain(
            {
                let keychain = InMemoryKeychain()
                for record in records {
                    let name = KeychainItem.Name(service: record.service.rawValue, account: record.identifier)
                    try? keychain.add(KeychainItem(name, data: record.archive))
                }
                return keychain
            }()
        )
    }

    /// A migration replaces an older device token in the destination, but not a newer one.
    ///
    /// The older token is migrated again if a release is withdrawn and then published again.
    @Test func repeatedMigrationsRetainTheNewestDeviceToken() throws {
        let store = MemoryCredentialStore()
        let old = PushDeviceToken(tokenId: "AA11", createdAt: Date(timeIntervalSince1970: 1_700_000_000))
        let new = PushDeviceToken(tokenId: "BB22", createdAt: Date(timeIntervalSince1970: 1_700_100_000))
        _ = try CredentialMigration(from: archives([.deviceToken(old)]), to: store).migrate()
        let receipt = try CredentialMigration(from: archives([.deviceToken(new)]), to: store).migrate()
        #expect(receipt.records.map(\.result.outcome) == [.migrated])
        #expect(receipt.records.allSatisfy { $0.result.isVerified })
        #expect(try store.read { try $0.deviceToken() }?.tokenId == "BB22")
        let again = try CredentialMigration(from: archives([.deviceToken(old)]), to: store).migrate()
        #expect(again.records.map(\.result.outcome) == [.alreadyPresent])
        #expect(try store.read { try $0.deviceToken() }?.tokenId == "BB22")
    }

    /// An account whose issuer is in Unicode's form D is joined with a mechanism whose issuer is in form C.
    ///
    /// The SDK compares the two issuers as equal.
    @Test func anAccountAndItsMechanismWithEquivalentNamesAreJoined() throws {
        var profile = AccountProfile(issuer: "Cafe\u{301}", accountName: "zoe")
        profile.isLocked = true
        profile.lockingPolicy = "deviceTampering"
        profile.policies = #"{"deviceTampering":{"score":0.8}}"#
        profile.customDisplayIssuer = "My cafe"
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let mechanism = LegacyMechanism(
            mechanismUUID: "M",
            account: AccountKey(issuer: "Caf\u{E9}", accountName: "zoe"),
            secret: try #require(SharedSecret(utf8: "JBSWY3DPEHPK3PXP")),
            timeAdded: date,
            factor: .totp(LegacyOathParameters(algorithm: "sha1", digits: 6), period: 30)
        )
        for records in [
            [LegacyRecord.account(LegacyAccount(profile: profile, timeAdded: date)), .mechanism(mechanism)],
            [.mechanism(mechanism), .account(LegacyAccount(profile: profile, timeAdded: date))],
        ] {
            let store = MemoryCredentialStore()
            _ = try CredentialMigration(from: archives(records), to: store).migrate()
            let credential = try #require(try store.read { try $0.oathCredential(id: "M") })
            #expect(credential.isLocked)
            #expect(credential.lockingPolicy == "deviceTampering")
            #expect(credential.displayIssuer == "My cafe")
        }
    }

    /// Credentials of an account with an unreadable record are imported as locked, because the account's lock is
    /// unknown.
    @Test(arguments: [true, false])
    func credentialsOfAnUnreadableAccountAreImportedAsLocked(_ accountIsFirst: Bool) throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let key = AccountKey(issuer: "Bank", accountName: "zoe")
        var profile = AccountProfile(issuer: "Bank", accountName: "zoe")
        profile.customDisplayIssuer = "My bank"
        let account = LegacyRecord.account(LegacyAccount(profile: profile, timeAdded: date))
        let mechanisms = try ["M", "N"].map { id in
            let secret = try #require(SharedSecret(utf8: "JBSWY3DPEHPK3PXP"))
            let factor = LegacyFactor.totp(LegacyOathParameters(algorithm: "sha1", digits: 6), period: 30)
            let owner = id == "M" ? key : AccountKey(issuer: "Bank", accountName: "other")
            return LegacyRecord.mechanism(
                LegacyMechanism(
                    mechanismUUID: id,
                    account: owner,
                    secret: secret,
                    timeAdded: date,
                    factor: factor
                )
            )
        }
        func line(_ record: LegacyRecord, _ data: Data) throws -> String {
            let members = [
                "svce": record.service.rawValue, "acct": record.identifier,
                "data": data.base64EncodedString(),
            ]
            return String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
        }
        let folder = try TemporaryFolder()
        func source(_ accountData: Data) throws -> MigrationSource {
            var lines = try mechanisms.map { try line($0, $0.archive) }
            lines.insert(try line(account, accountData), at: accountIsFirst ? 0 : lines.count)
            let url = folder.url("store.jsonl")
            try Data(lines.joined(separator: "\n").utf8).write(to: url)
            return .file(url)
        }
        let store = MemoryCredentialStore()
        let damaged = try source(Data("junk".utf8))
        let receipt = try CredentialMigration(from: damaged, to: store).migrate()
        #expect(receipt.totals[.damaged] == 1 && receipt.totals[.migrated] == 2)
        let locked = try #require(try store.read { try $0.oathCredential(id: "M") })
        #expect(locked.isLocked && locked.lockingPolicy == AccountProfile.unreadableRecord)
        #expect(try store.read { try $0.oathCredential(id: "N") }?.isLocked == false)
        // The account's record becomes readable later.
        _ = try CredentialMigration(from: try source(account.archive), to: store).migrate()
        let unlocked = try #require(try store.read { try $0.oathCredential(id: "M") })
        #expect(!unlocked.isLocked && unlocked.displayIssuer == "My bank")
    }

    /// Archives that a renamed copy of the legacy SDK wrote are migrated if the app names the copy's module.
    @Test func archivesOfARenamedModuleAreMigratedIfTheModuleIsNamed() throws {
        let token = PushDeviceToken(tokenId: "AA11", createdAt: Date(timeIntervalSince1970: 1_700_000_000))
        let record = LegacyRecord.deviceToken(token)
        let renamed = Data("BankAuthenticat".utf8)
        var archive = record.archive
        let name = Data("FRAuthenticator".utf8)
        while let range = archive.range(of: name) { archive.replaceSubrange(range, with: renamed) }
        let keychain = InMemoryKeychain()
        try keychain.add(
            KeychainItem(.init(service: record.service.rawValue, account: record.identifier), data: archive)
        )
        let store = MemoryCredentialStore()
        let refused = try CredentialMigration(from: .keychain(keychain), to: store).migrate()
        #expect(refused.records.map(\.result.outcome) == [.unsupported])
        let reason = try #require(refused.records.first?.result.reason)
        #expect(reason.hasPrefix("Pass --module BankAuthenticat if"))
        #expect(reason.contains("BankAuthenticat.PushDeviceToken"))
        let source = MigrationSource.keychain(keychain).archives(ofModule: "BankAuthenticat")
        let receipt = try CredentialMigration(from: source, to: store).migrate()
        #expect(receipt.records.map(\.result.outcome) == [.migrated])
        #expect(try store.read { try $0.deviceToken() } == token)
    }

    /// If two credentials of an account have the same date but store different account names, their order does not
    /// change the result.
    @Test func recordsWithEqualDatesGiveTheSameResultInAnyOrder() throws {
        let lines = try [("A", "Ann"), ("B", "Ann at home")].map { id, name in
            let push = """
                {"id": "\(id)", "issuer": "Demo", "accountName": "ann", "displayAccountName": "\(name)",
                "serverEndpoint": "https://am.example.com/push", "sharedSecret": "\(Data("secret \(id)".utf8).base64EncodedString())",
                "createdAt": "2023-11-14T22:13:20Z", "platform": "PING_AM"}
                """
            let members = [
                "svce": "com.pingidentity.push.credentials", "acct": id,
                "data": Data(push.utf8).base64EncodedString(),
            ]
            return String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
        }
        let folder = try TemporaryFolder()
        let names = try [lines, lines.reversed()].map { lines in
            let url = folder.url("\(lines[0].hashValue).jsonl")
            try Data(lines.joined(separator: "\n").utf8).write(to: url)
            let store = MemoryCredentialStore()
            _ = try CredentialMigration(from: .file(url), to: store).migrate()
            return try store.read { try $0.accounts().values.map(\.customDisplayAccountName) }
        }
        #expect(names[0] == ["Ann"] && names[1] == names[0])
    }

    /// If one file contains records of both SDKs about one account, the order of the records does not change the
    /// result.
    @Test func recordsOfBothSDKsAreMergedEquallyInAnyOrder() throws {
        var profile = AccountProfile(issuer: "Demo", accountName: "ann")
        profile.customDisplayIssuer = "My Demo"
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let account = LegacyRecord.account(LegacyAccount(profile: profile, timeAdded: date))
        let push = """
            {"id": "P", "issuer": "Demo", "displayIssuer": "Demo", "accountName": "ann", "displayAccountName": "Ann",
            "serverEndpoint": "https://am.example.com/push", "sharedSecret": "b3JpZ2luYWwtc2VjcmV0LW9mLXRoZS1maWVsZC1jYXM=",
            "createdAt": "2023-11-14T22:13:20Z", "platform": "PING_AM", "isLocked": true, "lockingPolicy": "officeHours"}
            """
        let code = """
            {"id": "C", "issuer": "Demo", "accountName": "ann", "displayAccountName": "Ann at home", "oathType": "totp",
            "oathAlgorithm": "SHA1", "digits": 6, "period": 30, "counter": 0, "createdAt": 721792800.0}
            """
        let lines = try [
            (account.service.rawValue, account.identifier, account.archive),
            ("com.pingidentity.push.credentials", "P", Data(push.utf8)),
            ("com.pingidentity.oath", "C", Data(code.utf8)),
            ("com.pingidentity.oath.secrets", "C", Data("JBSWY3DPEHPK3PXP".utf8)),
        ].map { service, key, data in
            let members = ["svce": service, "acct": key, "data": data.base64EncodedString()]
            return String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
        }
        let folder = try TemporaryFolder()
        var results: [[AccountProfile]] = []
        for (number, order) in [lines, lines.reversed(), Array(lines[1...] + lines[..<1])].enumerated() {
            let url = folder.url("\(number).jsonl")
            try Data(order.joined(separator: "\n").utf8).write(to: url)
            let store = MemoryCredentialStore()
            let receipt = try CredentialMigration(from: .file(url), to: store).migrate()
            #expect(receipt.totals[.kept] == 0 && receipt.records.allSatisfy(\.isRetirable))
            results.append(try store.read { try $0.accounts().values })
        }
        #expect(results[0].map(\.customDisplayIssuer) == ["My Demo"])
        #expect(results[0].map(\.customDisplayAccountName) == ["Ann at home"])
        // In the file, the legacy SDK's account is unlocked, and the push credential is locked. So the merged account
        // is locked.
        #expect(results[0].map(\.lockingPolicy) == ["officeHours"])
        #expect(results[0].map(\.isLocked) == [true])
        // Without the legacy SDK's record of the account, the newest credential supplies the name.
        let repeated = try [Array(lines[1...]), lines[1...].reversed()].map { lines in
            let url = folder.url("repeated.jsonl")
            try Data(lines.joined(separator: "\n").utf8).write(to: url)
            let store = MemoryCredentialStore()
            _ = try CredentialMigration(from: .file(url), to: store).migrate()
            return try store.read { try $0.accounts().values.map(\.customDisplayAccountName) }
        }
        #expect(repeated == [["Ann at home"], ["Ann at home"]])
        #expect(results[1] == results[0] && results[2] == results[0])
    }
}

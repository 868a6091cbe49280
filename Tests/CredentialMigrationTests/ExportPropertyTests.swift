import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// A random store equals the store that results from an export and a migration of that export.
@Suite struct ExportPropertyTests {
    enum Shape: CaseIterable {
        case sqlite, propertyList, jsonLines, legacyJSON
    }

    @Test(arguments: Shape.allCases, 1...12 as ClosedRange<UInt64>)
    func aMigrationOfAnExportedStoreProducesTheSameStore(_ shape: Shape, _ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let first = MemoryCredentialStore()
        let second = MemoryCredentialStore()
        _ = try migrate(RandomLegacyStore(seed: seed).source, to: first)
        try export(first, as: shape, to: folder.url("way-back"))
        _ = try migrate(LegacyFile.open(folder.url("way-back")), to: second)
        let before = try WayBack(first, withVersions: shape != .legacyJSON)
        let after = try WayBack(second, withVersions: shape != .legacyJSON)
        #expect(before.accounts == after.accounts)
        #expect(before.push == after.push)
        #expect(before.oath == after.oath)
        #expect(before.notifications == after.notifications)
        #expect(before.token == after.token)
        #expect(before.kept == after.kept)
    }

    @Test func migrationExportReportsLeftOutRecords() throws {
        let folder = try TemporaryFolder()
        let store = MemoryCredentialStore()
        _ = try migrate(LegacyFile.open(LegacyFixtures.url("edges.sqlite")), to: store)
        let writer = try MigrationExportWriter(folder.url("export"), exportedAt: Date())
        let summary = try CredentialExport(of: store).write(to: writer)
        // Two TOTP credentials are omitted, because the Android SDK would read their hash function as SHA-1.
        #expect(summary.leftOut == [.account: 1, .notification: 3, .totp: 2])
        #expect(summary.leftOutMechanisms.count == 2)
        #expect(summary.leftOutMechanisms.allSatisfy { $0.hasSuffix("-totp") })
        #expect(summary.written[.push] == 8)
    }

    /// An unsupported mechanism is exported verbatim, so that a version that supports the mechanism can
    /// migrate it.
    @Test func keptRecordsAreExportedByteForByte() throws {
        let folder = try TemporaryFolder()
        let store = MemoryCredentialStore()
        var legacy = LegacyStoreBuilder()
        try legacy.totp(algorithm: "ripemd160")
        legacy.account("lonely")
        _ = try migrate(legacy.source, to: store)
        try CredentialExport(of: store).write(to: JSONLinesStoreWriter(folder.url("export")))
        let payloads = try LegacyFile.open(folder.url("export")).items().map { try $0.get().payload }
        #expect(Set(payloads.map(\.archived)) == Set(legacy.items.map(\.payload.archived)))
    }

    /// A mechanism of an unknown kind does not prevent the export of the other mechanisms.
    @Test func keptMechanismsOfUnknownKindsAreLeftOut() throws {
        let folder = try TemporaryFolder()
        let store = MemoryCredentialStore()
        var legacy = LegacyStoreBuilder()
        try legacy.push()
        legacy.add(
            .json(
                Data(
                    #"{"id":"x","mechanismUID":"u","issuer":"I","accountName":"a","secret":"s","type":"u2f","timeAdded":1}"#
                        .utf8
                )
            ),
            service: .mechanism,
            key: "x"
        )
        #expect(try migrate(legacy.source, to: store).outcomes == [.migrated, .unsupported])
        let summary = try CredentialExport(of: store).write(to: LegacyJSONWriter(folder.url("export")))
        #expect(summary.written[.push] == 1)
        #expect(summary.leftOut == [.unknown: 1])
    }

    /// A kept mechanism of a migration export can be exported, even if the mechanism lacks fields that have defaults.
    @Test func keptExportElementIsExported() throws {
        let folder = try TemporaryFolder()
        let store = MemoryCredentialStore()
        let text =
            #"{"mechanisms":[{"id":"I-a-totp","issuer":"I","accountName":"a","mechanismUID":"u","secret":"MZXW6YTB","#
            + #""type":"totp","algorithm":"ripemd160"}],"metadata":{"totalMechanisms":1,"exportedAt":1}}"#
        let source = try folder.file("export.json", text)
        #expect(try migrate(LegacyFile.open(source), to: store).outcomes == [.unsupported])
        let summary = try CredentialExport(of: store).write(to: LegacyJSONWriter(folder.url("way-back")))
        #expect(summary.written == [.totp: 1])
        #expect(summary.leftOut == [:])
    }

    /// An export contains the names and locks that the successor SDK stored only in its credentials.
    ///
    /// The exported account is locked if its record or any of its credentials was locked.
    @Test(arguments: [false, true])
    func changesThatTheSuccessorSDKMadeInCredentialsAreExported(_ wasLocked: Bool) throws {
        let folder = try TemporaryFolder()
        let (first, second) = (KeychainCredentialStore(keychain: InMemoryKeychain()), MemoryCredentialStore())
        var legacy = LegacyStoreBuilder()
        legacy.account()
        try legacy.push("push")
        try legacy.totp("totp")
        _ = try migrate(legacy.source, to: first)
        let key = AccountKey(issuer: "Bank", accountName: "alice")
        if wasLocked { try first.write { _ = try $0.setLock(of: key, by: "aPolicy") } }
        try first.write { view in
            var totp = try #require(try view.oathCredential(id: "totp"))
            totp.account.customDisplayAccountName = "My name"
            wasLocked ? totp.unlockCredential() : totp.lockCredential(policyName: "aPolicy")
            totp.ownLock = nil
            try view.put(totp)
        }
        try CredentialExport(of: first).write(to: JSONLinesStoreWriter(folder.url("way-back")))
        _ = try migrate(LegacyFile.open(folder.url("way-back")), to: second)
        let account = try #require(try second.read { try $0.account(key) })
        #expect(account.isLocked && account.customDisplayAccountName == "My name")
    }

    private func export(_ store: MemoryCredentialStore, as shape: Shape, to url: URL) throws {
        let export = CredentialExport(of: store)
        switch shape {
        case .sqlite: try export.write(to: SQLiteStoreWriter(url, date: Date()))
        case .propertyList: try export.write(to: PropertyListStoreWriter(url))
        case .jsonLines: try export.write(to: JSONLinesStoreWriter(url))
        case .legacyJSON: try export.write(to: LegacyJSONWriter(url))
        }
    }
}

/// The data that a store must still contain after an export and a new import.
///
/// Kept records are compared by their contents, because each format encodes them differently.
private struct WayBack {
    let accounts: [AccountProfile]
    let push: [PushCredential]
    let oath: [OathCredential]
    let notifications: [PushNotification]
    let token: PushDeviceToken?
    let kept: [String]

    /// Reads the data of a store.
    ///
    /// If `withVersions` is false, mechanisms have no version, because the legacy JSON format has no such field.
    init(_ store: MemoryCredentialStore, withVersions: Bool) throws {
        let snapshot = try Snapshot(store)
        accounts = snapshot.accounts
        push = snapshot.push.map { withVersions ? $0 : $0.withoutVersion(\.legacy) }
        oath = snapshot.oath.map { withVersions ? $0 : $0.withoutVersion(\.legacy) }
        notifications = snapshot.notifications
        token = snapshot.token
        kept = try store.read { try $0.keptRecords() }.map { entry in
            let record = try #require(try entry.decoded()).record
            return String(decoding: try record.legacyJSON(), as: UTF8.self)
        }
        .sorted()
    }
}

extension AccountBound {
    fileprivate func withoutVersion(_ legacy: WritableKeyPath<Self, LegacyDetails?>) -> Self {
        var copy = self
        copy[keyPath: legacy]?.version = nil
        return copy
    }
}

import CredentialMigration
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import Testing

/// Each outcome occurs in a store that also contains a sound record, which must not be affected.
@Suite struct OutcomeTests {
    private let store = MemoryCredentialStore()

    @Test func everySoundRecordMigratesAndIsVerified() throws {
        var legacy = LegacyStoreBuilder()
        legacy.account(display: "My bank")
        try legacy.push()
        try legacy.hotp()
        try legacy.totp()
        legacy.notification()
        legacy.deviceToken()
        let receipt = try migrate(legacy.source, to: store)
        #expect(receipt.outcomes == Array(repeating: .migrated, count: 6))
        #expect(receipt.isComplete)
        let credential = try #require(try store.read { try $0.pushCredential(id: "push-1") })
        #expect(credential.displayIssuer == "My bank")
        #expect(credential.sharedSecret == SharedSecret(base64: "c2VjcmV0LXNlY3JldC1f/w=="))
        #expect(credential.legacy?.registration?.loadBalancer == "amlbcookie=01")
    }

    @Test func secondRunFindsEverythingPresentAndChangesNothing() throws {
        var legacy = LegacyStoreBuilder()
        legacy.account()
        try legacy.push()
        legacy.account("lonely")
        legacy.notification()
        legacy.notification("AUTHENTICATE:2", of: "unknown")
        legacy.deviceToken()
        _ = try migrate(legacy.source, to: store)
        let before = try Snapshot(store)
        let receipt = try migrate(legacy.source, to: store)
        #expect(
            receipt.outcomes == [
                .alreadyPresent, .alreadyPresent, .kept, .alreadyPresent, .kept, .alreadyPresent,
            ]
        )
        #expect(receipt.isComplete)
        #expect(try Snapshot(store) == before)
    }

    @Test func recordsWithoutACredentialAreKept() throws {
        var legacy = LegacyStoreBuilder()
        legacy.account("lonely")
        legacy.notification(of: "unknown")
        try legacy.push()
        let receipt = try migrate(legacy.source, to: store)
        #expect(receipt.outcomes == [.kept, .kept, .migrated])
        #expect(receipt.isComplete)
        #expect(try store.read { try $0.accounts() }.map(\.accountName) == ["lonely"])
        let kept = try store.read { try $0.keptRecords() }
        #expect(kept.map(\.verbatim?.payload) == [legacy.items[1].payload.archived])
        #expect(try store.read { try $0.count(of: .notification, where: .all) } == 0)
    }

    @Test func anotherSecretUnderTheSameIdIsAConflict() throws {
        var first = LegacyStoreBuilder()
        try first.push(secret: "Zmlyc3Q")
        _ = try migrate(first.source, to: store)
        let before = try Snapshot(store)
        var second = LegacyStoreBuilder()
        try second.push(secret: "c2Vjb25k")
        try second.totp()
        let receipt = try migrate(second.source, to: store)
        #expect(receipt.outcomes == [.conflict, .migrated])
        #expect(receipt.records[0].result.reason?.contains("another secret") == true)
        #expect(!receipt.records[0].isRetirable)
        #expect(try Snapshot(store).push == before.push)
    }

    @Test func conflictReplacesTheRecordIfTheCallerAsksForIt() throws {
        var first = LegacyStoreBuilder()
        try first.push(secret: "Zmlyc3Q")
        _ = try migrate(first.source, to: store)
        var second = LegacyStoreBuilder()
        try second.push(secret: "c2Vjb25k")
        let receipt = try migrate(second.source, to: store, onConflict: .replace)
        #expect(receipt.outcomes == [.migrated])
        let stored = try store.read { try $0.pushCredential(id: "push-1") }
        #expect(stored?.sharedSecret == SharedSecret(utf8: "second"))
    }

    @Test func unsupportedRecordIsKeptVerbatimAndNotRetirable() throws {
        var legacy = LegacyStoreBuilder()
        try legacy.totp(algorithm: "ripemd160")
        try legacy.push()
        let receipt = try migrate(legacy.source, to: store)
        #expect(receipt.outcomes == [.unsupported, .migrated])
        #expect(!receipt.records[0].isRetirable)
        #expect(receipt.records[0].result.reason?.contains("algorithm") == true)
        #expect(
            try store.read { try $0.keptRecords() }.map(\.verbatim?.payload)
                == [legacy.items[0].payload.archived]
        )
    }

    @Test func aCredentialWithSHA224IsMigrated() throws {
        var legacy = LegacyStoreBuilder()
        try legacy.totp(algorithm: "sha224")
        #expect(try migrate(legacy.source, to: store).outcomes == [.migrated])
        #expect(try store.read { try $0.oathCredentials() }.map(\.oathAlgorithm) == [.sha224])
    }

    @Test func aDamagedRecordDoesNotStopTheMigrationOfOthers() throws {
        var legacy = LegacyStoreBuilder()
        legacy.damaged()
        try legacy.push()
        legacy.add(.archive(Data()), service: .account, key: "Bank-alice")
        let receipt = try migrate(legacy.source, to: store)
        #expect(receipt.outcomes == [.damaged, .migrated, .damaged])
        #expect(receipt.records.map(\.kind) == [.push, .push, .account])
        #expect(receipt.records[0].result.reason?.isEmpty == false)
        #expect(!receipt.isComplete)
    }

    @Test(arguments: [
        (LegacyRecordError.Code.locked, MigrationOutcome.locked),
        (.undecryptable, .undecryptable),
    ])
    func sealedRecordsHaveTheirOwnOutcomes(_ code: LegacyRecordError.Code, _ outcome: MigrationOutcome) throws
    {
        var legacy = LegacyStoreBuilder()
        let error = LegacyRecordError(code, reason: "Sealed.")
        legacy.add(.unreadable(error), service: .mechanism, key: "Bank-alice-push")
        try legacy.totp()
        let receipt = try migrate(legacy.source, to: store)
        #expect(receipt.outcomes == [outcome, .migrated])
        #expect(receipt.records[0].result == MigrationResult(outcome, reason: "Sealed."))
    }

    @Test func theTotalsOfTheOutcomesEqualTheNumberOfItems() throws {
        var legacy = LegacyStoreBuilder()
        legacy.account()
        legacy.damaged()
        try legacy.push()
        try legacy.push()
        try legacy.totp(algorithm: "ripemd160")
        let receipt = try migrate(legacy.source, to: store)
        #expect(receipt.records.count == 5)
        #expect(receipt.totals.records == 5)
        #expect(MigrationOutcome.allCases.reduce(0) { $0 + receipt.totals[$1] } == 5)
        #expect(receipt.outcomes == [.migrated, .damaged, .migrated, .alreadyPresent, .unsupported])
    }

    @Test func aPlanHasTheOutcomesOfTheMigrationAndWritesNothing() throws {
        var legacy = LegacyStoreBuilder()
        legacy.notification()
        legacy.account("lonely")
        legacy.account()
        try legacy.push()
        legacy.damaged()
        let migration = CredentialMigration(from: .store(legacy.source), to: store)
        let plan = try migration.plan()
        #expect(try Snapshot(store) == Snapshot(MemoryCredentialStore()))
        #expect(try migration.apply(plan).outcomes == plan.records.map(\.result.outcome))
    }

    @Test func everyOutcomeExceptMigratedHasAReason() throws {
        var legacy = LegacyStoreBuilder()
        legacy.account("lonely")
        legacy.account("lonely", display: "Another")
        legacy.notification(of: "unknown")
        try legacy.push()
        try legacy.push()
        try legacy.push(secret: "b3RoZXI")
        try legacy.totp(algorithm: "ripemd160")
        legacy.damaged()
        for _ in 0..<2 {
            let receipt = try migrate(legacy.source, to: store)
            let silent = receipt.records.filter { $0.result.outcome != .migrated && $0.result.reason == nil }
            #expect(silent == [])
            #expect(Set(receipt.outcomes).isSuperset(of: [.kept, .alreadyPresent, .conflict, .unsupported]))
        }
        let verified = try CredentialMigration(from: .store(legacy.source), to: store).verify()
        #expect(verified.records.filter { $0.result.outcome == .kept }.allSatisfy { $0.result.reason != nil })
    }

    @Test func sourceThatChangedSinceThePlanIsRefused() throws {
        var legacy = LegacyStoreBuilder()
        try legacy.push()
        let plan = try CredentialMigration(from: .store(legacy.source), to: store).plan()
        try legacy.totp()
        let changed = CredentialMigration(from: .store(legacy.source), to: store)
        let error = #expect(throws: MigrationError.self) { try changed.apply(plan) }
        #expect(error?.code == .sourceChanged)
    }

    @Test func sourceIsReadOnce() throws {
        var legacy = LegacyStoreBuilder()
        legacy.account()
        try legacy.push()
        let source = CountingSource(base: legacy.source)
        let migration = CredentialMigration(from: .store(source), to: store)
        for (passes, step) in [migration.migrate, migration.verify].enumerated() {
            #expect(try step { _ in }.isComplete)
            #expect(source.passes.withValue { $0 } == passes + 1)
        }
        _ = try migration.plan()
        #expect(source.passes.withValue { $0 } == 3)
    }
}

/// A source that counts how often it is read.
private struct CountingSource: LegacySource {
    let base: MemoryLegacySource
    let passes = Lock(0)

    var container: String { base.container }

    func items() throws(LegacyStoreError) -> LegacyItems {
        passes.withValue { $0 += 1 }
        return base.items()
    }

    func remove(
        _ removals: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        try base.remove(removals, backup: backup)
    }

    func cleanUp(backup: URL) throws(LegacyStoreError) -> [String] { try base.cleanUp(backup: backup) }
}

extension LegacyItem.Payload {
    var archived: Data {
        if case .archive(let bytes) = self { bytes } else { Data() }
    }
}

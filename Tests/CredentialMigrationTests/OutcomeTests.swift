import CredentialMigration
import Foundation
import LegacyStore
import PushBridgeCore
import Testing

/// Every outcome, each beside a sound record that must not suffer from it.
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

    @Test func whatHasNoCredentialIsKeptVerbatim() throws {
        var legacy = LegacyStoreBuilder()
        legacy.account("lonely")
        legacy.notification(of: "unknown")
        try legacy.push()
        let receipt = try migrate(legacy.source, to: store)
        #expect(receipt.outcomes == [.kept, .kept, .migrated])
        #expect(receipt.isComplete)
        let kept = try store.read { try $0.preservedRecords() }
        #expect(Set(kept.map(\.payload)) == Set(legacy.items.prefix(2).map(\.payload.archived)))
        #expect(try store.read { try $0.notificationCount(.all) } == 0)
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

    @Test func conflictGoesTheOtherWayWhereTheCallerSaysSo() throws {
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
        try legacy.totp(algorithm: "sha224")
        try legacy.push()
        let receipt = try migrate(legacy.source, to: store)
        #expect(receipt.outcomes == [.unsupported, .migrated])
        #expect(!receipt.records[0].isRetirable)
        #expect(receipt.records[0].result.reason?.contains("SHA-224") == true)
        #expect(
            try store.read { try $0.preservedRecords() }.map(\.payload) == [legacy.items[0].payload.archived]
        )
    }

    @Test func damagedRecordStopsNothing() throws {
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

    @Test func countsInEqualCountsOut() throws {
        var legacy = LegacyStoreBuilder()
        legacy.account()
        legacy.damaged()
        try legacy.push()
        try legacy.push()
        try legacy.totp(algorithm: "sha224")
        let receipt = try migrate(legacy.source, to: store)
        #expect(receipt.records.count == 5)
        #expect(receipt.totals.records == 5)
        #expect(MigrationOutcome.allCases.reduce(0) { $0 + receipt.totals[$1] } == 5)
        #expect(receipt.outcomes == [.migrated, .damaged, .migrated, .alreadyPresent, .unsupported])
    }

    @Test func planForeseesWhatApplyDoesAndWritesNothing() throws {
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
}

extension LegacyItem.Payload {
    var archived: Data {
        if case .archive(let bytes) = self { bytes } else { Data() }
    }
}

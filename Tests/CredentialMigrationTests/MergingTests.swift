import AuthenticatorCore
import CredentialMigration
import Foundation
import LegacyStore
import Testing

/// Nothing that moved on, on either side, ever goes back.
@Suite struct MergingTests {
    private let store = MemoryCredentialStore()

    @Test(arguments: [(10, 42, 42), (42, 10, 42), (42, 42, 42)])
    func higherCounterWins(_ first: Int, _ second: Int, _ expected: Int) throws {
        for counter in [first, second] {
            var legacy = LegacyStoreBuilder()
            try legacy.hotp(counter: counter)
            #expect(try migrate(legacy.source, to: store, onConflict: .replace).isComplete)
        }
        #expect(try store.read { try $0.oathCredential(id: "hotp-1") }?.counter == expected)
    }

    @Test func answerIsNeverTakenBack() throws {
        for answer: Bool? in [nil, true, nil, false] {
            var legacy = LegacyStoreBuilder()
            try legacy.push()
            legacy.notification(approved: answer)
            #expect(try migrate(legacy.source, to: store).isComplete)
        }
        let stored = try #require(try store.read { try $0.notifications() }.first)
        #expect(stored.approved)
        #expect(!stored.pending)
    }

    @Test func newerDeviceTokenOfTheDestinationStays() throws {
        let newer = PushDeviceToken(tokenId: "NEW", createdAt: Date(timeIntervalSince1970: 1_800_000_000))
        try store.write { try $0.save(newer) }
        var legacy = LegacyStoreBuilder()
        legacy.deviceToken()
        #expect(try migrate(legacy.source, to: store).outcomes == [.alreadyPresent])
        #expect(try store.read { try $0.deviceToken() } == newer)
    }

    @Test func olderDeviceTokenOfTheDestinationIsAConflict() throws {
        let older = PushDeviceToken(tokenId: "OLD", createdAt: Date(timeIntervalSince1970: 1_600_000_000))
        try store.write { try $0.save(older) }
        var legacy = LegacyStoreBuilder()
        legacy.deviceToken()
        #expect(try migrate(legacy.source, to: store).outcomes == [.conflict])
        #expect(try migrate(legacy.source, to: store, onConflict: .replace).outcomes == [.migrated])
        #expect(try store.read { try $0.deviceToken() }?.tokenId == "F79BB71B")
    }

    @Test func deviceTokensCompareWithoutCase() throws {
        try store.write {
            try $0.save(PushDeviceToken(tokenId: "f79bb71b", createdAt: Date(timeIntervalSince1970: 0)))
        }
        var legacy = LegacyStoreBuilder()
        legacy.deviceToken("F79BB71B")
        #expect(try migrate(legacy.source, to: store).outcomes == [.alreadyPresent])
    }

    @Test func renamedAccountStaysRenamed() throws {
        var legacy = LegacyStoreBuilder()
        legacy.account(display: "Old name")
        try legacy.push()
        _ = try migrate(legacy.source, to: store)
        try store.write { view in
            var credential = try #require(try view.pushCredential(id: "push-1"))
            credential.displayIssuer = "New name"
            try view.save(credential)
        }
        #expect(try migrate(legacy.source, to: store).isComplete)
        #expect(try store.read { try $0.pushCredential(id: "push-1") }?.displayIssuer == "New name")
    }

    @Test func orderOfRecordsDoesNotMatter() throws {
        var forward = LegacyStoreBuilder()
        forward.account(display: "Shown")
        try forward.push()
        try forward.totp()
        forward.notification()
        let backward = MemoryLegacySource(forward.items.reversed())
        let other = MemoryCredentialStore()
        #expect(try migrate(forward.source, to: store).isComplete)
        #expect(try migrate(backward, to: other, batchSize: 1).isComplete)
        #expect(try Snapshot(store).push == Snapshot(other).push)
        #expect(try Snapshot(store).oath == Snapshot(other).oath)
        #expect(try Snapshot(store).notifications == Snapshot(other).notifications)
    }

    /// An account whose mechanism was locked is kept, leaves the source, and joins the credential later.
    @Test func keptRecordsJoinTheirCredentialWhenItArrives() throws {
        var early = LegacyStoreBuilder()
        early.account(display: "Shown")
        early.notification()
        #expect(try migrate(early.source, to: store).outcomes == [.kept, .kept])
        var late = LegacyStoreBuilder()
        try late.push()
        #expect(try migrate(late.source, to: store).outcomes == [.migrated])
        let credential = try #require(try store.read { try $0.pushCredential(id: "push-1") })
        #expect(credential.displayIssuer == "Shown")
        #expect(credential.legacyAccount?.timeAdded == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(try store.read { try $0.notificationCount(.all) } == 1)
        #expect(try store.read { try $0.preservedRecords() } == [])
    }

    @Test func lateMechanismTakesTheAccountOfItsNeighbour() throws {
        var early = LegacyStoreBuilder()
        early.account(display: "Shown")
        try early.totp()
        _ = try migrate(early.source, to: store)
        var late = LegacyStoreBuilder()
        try late.push()
        _ = try migrate(late.source, to: store)
        #expect(try store.read { try $0.pushCredential(id: "push-1") }?.displayIssuer == "Shown")
    }
}

import CredentialMigration
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import Testing

/// Migrations of records that the destination already contains, with equal or different values.
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

    @Test func aLaterMigrationDoesNotChangeTheAnswerToAPush() throws {
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

    @Test func olderDeviceTokenOfTheDestinationIsReplaced() throws {
        let older = PushDeviceToken(tokenId: "OLD", createdAt: Date(timeIntervalSince1970: 1_600_000_000))
        try store.write { try $0.save(older) }
        var legacy = LegacyStoreBuilder()
        legacy.deviceToken()
        #expect(try migrate(legacy.source, to: store).outcomes == [.migrated])
        #expect(try store.read { try $0.deviceToken() }?.tokenId == "F79BB71B")
    }

    /// The destination's token does not count as confirmed for a migrated credential.
    ///
    /// The server of the migrated credential may have an older token or no token.
    @Test(arguments: [nil, "0LD"])
    func theTokenOfTheDestinationIsUnconfirmedForAMigratedCredential(_ known: String?) throws {
        try store.write {
            try $0.save(
                PushDeviceToken(tokenId: "NEW", createdAt: Date(timeIntervalSince1970: 1_800_000_000))
            )
        }
        var legacy = LegacyStoreBuilder()
        try legacy.push()
        if let known { legacy.deviceToken(known) }
        _ = try migrate(legacy.source, to: store)
        let ids = try store.read { try $0.ids(of: .push, where: .all) }
        #expect(ids.count == 1)
        #expect(try store.read { try $0.deviceToken() }?.unconfirmedCredentialIds == Set(ids))
    }

    @Test func theTokenThatComesWithTheCredentialsIsKnownToTheirServers() throws {
        var legacy = LegacyStoreBuilder()
        try legacy.push()
        legacy.deviceToken("F79BB71B")
        for _ in 0..<2 { _ = try migrate(legacy.source, to: store) }
        #expect(try store.read { try $0.deviceToken() }?.unconfirmedCredentialIds == [])
    }

    @Test func aNewerTokenOfTheSourceIsUnconfirmedForTheOtherCredentials() throws {
        let known = PushCredential(
            id: "known",
            account: AccountProfile(issuer: "Other", accountName: "babs"),
            endpoints: try #require(
                PushEndpoints(registration: "https://a/?_action=register", authentication: "https://a/")
            ),
            sharedSecret: .random(),
            createdAt: Date(timeIntervalSince1970: 0)
        )
        try store.write {
            try $0.save(known)
            try $0.save(PushDeviceToken(tokenId: "0LD", createdAt: Date(timeIntervalSince1970: 0)))
        }
        var legacy = LegacyStoreBuilder()
        try legacy.push()
        legacy.deviceToken("F79BB71B")
        _ = try migrate(legacy.source, to: store, onConflict: .replace)
        let stored = try store.read { try $0.deviceToken() }
        #expect(stored?.tokenId == "F79BB71B")
        #expect(stored?.unconfirmedCredentialIds == ["known"])
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

    /// An account and a notification without their mechanism are kept, and joined to the credential when it is
    /// migrated.
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
        #expect(try store.read { try $0.count(of: .notification, where: .all) } == 1)
        #expect(try store.read { try $0.keptRecords() }.isEmpty)
    }

    @Test func aMechanismMigratedLaterReceivesTheNameOfItsAccount() throws {
        var early = LegacyStoreBuilder()
        early.account(display: "Shown")
        try early.totp()
        _ = try migrate(early.source, to: store)
        var late = LegacyStoreBuilder()
        try late.push()
        _ = try migrate(late.source, to: store)
        #expect(try store.read { try $0.pushCredential(id: "push-1") }?.displayIssuer == "Shown")
    }

    /// If the details of an account differ from the stored details, the account's record gets the outcome `kept`.
    @Test func accountWithOtherDetailsIsKept() throws {
        var first = LegacyStoreBuilder()
        first.account(display: "First")
        try first.push()
        _ = try migrate(first.source, to: store)
        var second = LegacyStoreBuilder()
        second.account(display: "Second")
        try second.push()
        let receipt = try migrate(second.source, to: store)
        #expect(receipt.outcomes == [.kept, .alreadyPresent])
        #expect(receipt.isComplete)
        #expect(try store.read { try $0.pushCredential(id: "push-1") }?.displayIssuer == "First")
        #expect(
            try store.read { try $0.keptRecords() }.map(\.verbatim?.payload)
                == [second.items[0].payload.archived]
        )
    }

    @Test func replacingNeverMovesACounterBack() throws {
        var ahead = LegacyStoreBuilder()
        try ahead.hotp(counter: 9)
        _ = try migrate(ahead.source, to: store)
        var behind = LegacyStoreBuilder()
        try behind.hotp(counter: 5, digits: 8)
        #expect(try migrate(behind.source, to: store, onConflict: .replace).outcomes == [.migrated])
        let stored = try #require(try store.read { try $0.oathCredential(id: "hotp-1") })
        #expect(stored.digits == 8)
        #expect(stored.counter == 9)
    }

    @Test func differentEndpointsAreAConflictThatTheReplacePolicyResolves() throws {
        var first = LegacyStoreBuilder()
        try first.push()
        _ = try migrate(first.source, to: store)
        var moved = LegacyStoreBuilder()
        try moved.push(host: "moved.example.com")
        let receipt = try migrate(moved.source, to: store)
        #expect(receipt.outcomes == [.conflict])
        #expect(receipt.records[0].result.reason == "The destination holds other endpoints under this id.")
        #expect(try migrate(moved.source, to: store, onConflict: .replace).isComplete)
        let stored = try store.read { try $0.pushCredential(id: "push-1") }
        #expect(stored?.serverEndpoint == "https://moved.example.com/push")
    }

    @Test(arguments: ConflictPolicy.allCases)
    func laterRecordNeverReplacesTheFirstRecordOfItsId(_ policy: ConflictPolicy) throws {
        var legacy = LegacyStoreBuilder()
        try legacy.push(secret: "Zmlyc3Q")
        try legacy.push(secret: "c2Vjb25k")
        try legacy.push(secret: "Zmlyc3Q=")
        let migration = CredentialMigration(
            from: .store(legacy.source),
            to: store,
            options: MigrationOptions(conflictPolicy: policy)
        )
        for expected: [MigrationOutcome] in [
            [.migrated, .conflict, .alreadyPresent], [.alreadyPresent, .conflict, .alreadyPresent],
        ] {
            let plan = try migration.plan()
            #expect(plan.records.map(\.result.outcome) == expected)
            #expect(try migration.apply(plan).outcomes == expected)
            let stored = try store.read { try $0.pushCredential(id: "push-1") }
            #expect(stored?.sharedSecret == SharedSecret(utf8: "first"))
        }
    }
}

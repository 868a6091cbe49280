import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PingCommons
import PingOath
import PingPush
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

import class PushBridgePlatform.Lock

@testable import PingAuthMigration

/// PushBridge's module that has the interface of the vendor's migrator.
///
/// The tests check the events of a migration, and the legacy items after each event.
@Suite(.serialized) struct AuthMigrationTests {
    private let legacy = InMemoryKeychain()
    private let phone = InMemoryKeychain()

    init() { AuthMigration.forget() }

    private func fill(_ fixture: String) throws {
        for item in try LegacyFile.open(LegacyFixtures.url(fixture)).items() {
            let item = try item.get()
            let name = KeychainItem.Name(service: item.service.rawValue, account: item.key)
            try legacy.add(KeychainItem(name, data: Self.data(of: item)))
        }
    }

    private static func data(of item: LegacyItem) -> Data {
        guard case .archive(let data) = item.payload else { return Data() }
        return data
    }

    private func setUp(_ config: AuthMigrationConfig) {
        config.source = .keychain(legacy)
        config.destination = KeychainCredentialStore(keychain: phone)
    }

    private func events(_ change: (AuthMigrationConfig) -> Void = { _ in }) async -> [String] {
        var events: [String] = []
        let stream = AuthMigration.start { config in
            setUp(config)
            change(config)
        }
        for await event in stream {
            events.append(Self.words(event))
        }
        return events
    }

    private static func words(_ event: MigrationProgress) -> String {
        switch event {
        case .started: "started"
        case .inProgress(let step, let current, let total): "\(step.id) \(current)/\(total)"
        case .stepCompleted(let step): "\(step.id) done"
        case .success: "success"
        case .error(let step, let error): "\(step.id) failed: \(error.localizedDescription)"
        }
    }

    private var legacyItems: [KeychainItem.Name] {
        get throws {
            try LegacyService.allCases.flatMap { service in
                try legacy.accounts(service: service.rawValue, accessGroup: nil).map {
                    KeychainItem.Name(service: service.rawValue, account: $0)
                }
            }
        }
    }

    private static let whole = [
        "started", "importLegacyData 1/3", "importLegacyData done", "migrateCredentials 2/3",
        "migrateCredentials done", "cleanup 3/3", "cleanup done", "success",
    ]

    @Test func theEventsEqualTheSDKsAndTheLegacyItemsAreRemoved() async throws {
        try fill("everyday.jsonl")
        #expect(try legacyItems.count == 14)
        #expect(await events() == Self.whole)
        #expect(try legacyItems == [])
        let services = KeychainServices()
        let stored = try [services.credentials, services.oathCredentials, services.oathSecrets].map {
            try phone.accounts(service: $0, accessGroup: nil).count
        }
        #expect(stored[1] == stored[2])
        #expect(stored[0] + stored[1] > 0)
    }

    @Test func theMessageOfASuccessCountsCredentialsByKind() async throws {
        try fill("everyday.jsonl")
        var messages: [String] = []
        for await event in AuthMigration.start(configure: setUp) {
            if case .success(let message) = event { messages.append(message) }
        }
        #expect(messages == ["Migrated 3 OATH + 2 Push credentials"])
    }

    @Test func theGateIsQueriedBeforeEachStepAndBothStepsHaveEvents() async throws {
        try fill("everyday.jsonl")
        let state = KeychainRolloutStorage(InMemoryKeychain())
        func run(_ answers: [MigrationGate.Step: MigrationGate.Answer]) async -> [String] {
            AuthMigration.forget()
            return await events { config in
                config.rollout = MigrationRollout(state, gate: MigrationGate { answers[$0] ?? .go })
            }
        }
        let refused = await run([.apply: .off])
        #expect(refused.last?.hasPrefix("migrateCredentials failed: ") == true)
        #expect(refused.last?.contains("answered off") == true)
        #expect(try legacyItems.count == 14)
        #expect(try phone.accounts(service: KeychainServices().credentials, accessGroup: nil) == [])
        let kept = await run([.retire: .wait])
        #expect(kept.last?.hasPrefix("cleanup failed: ") == true)
        #expect(try legacyItems.count == 14)
        #expect(await run([:]) == Self.whole)
        #expect(try legacyItems == [])
        // In the last run, the step `apply` found no new records, so the step has no event.
        let undelivered = try MigrationRollout(state).undelivered
        #expect(undelivered.map(\.step) == [.apply, .retire])
        #expect(undelivered.map(\.outcome) == [.complete, .complete])
        #expect(undelivered.map(\.source) == [.keychain, .keychain])
        #expect(undelivered.map { $0.counts.map(\.count).reduce(0, +) } == [14, 14])
    }

    @Test func theGuardBlocksTheRun() async throws {
        try fill("everyday.jsonl")
        let state = KeychainRolloutStorage(InMemoryKeychain())
        for writes in 1...2 {
            AuthMigration.forget()
            // This run does not store its outcome, as if the process had died. The next run records the death.
            let rollout = MigrationRollout(DyingStorage(state, after: writes))
            _ = await events { config in
                config.rollout = rollout
                config.cleanupLegacyData = false
                config.destination = KeychainCredentialStore(keychain: InMemoryKeychain())
            }
        }
        AuthMigration.forget()
        let held = await events { $0.rollout = MigrationRollout(state) }
        #expect(held.last?.contains("Two attempts crashed or were killed") == true)
        #expect(try legacyItems.count == 14)
    }

    private struct DyingStorage: RolloutStorage {
        let storage: any RolloutStorage
        let left: Lock<Int>

        init(_ storage: any RolloutStorage, after writes: Int) {
            (self.storage, left) = (storage, Lock(writes))
        }

        func read() throws -> Data? { try storage.read() }

        func write(_ state: Data) throws {
            try left.withValue { left in
                guard left > 0 else { throw CocoaError(.fileWriteUnknown) }
                left -= 1
            }
            try storage.write(state)
        }
    }

    @Test func withoutDataTheRunEndsAtTheFirstStep() async {
        let failed = await events()
        #expect(failed.dropLast() == ["started", "importLegacyData 1/3"])
        #expect(failed.last?.hasPrefix("importLegacyData failed") == true)
        #expect(await AuthMigration.migrateIfNeeded { setUp($0) } == false)
    }

    @Test func aRunAfterASuccessHasNoEvents() async throws {
        try fill("everyday.jsonl")
        #expect(await AuthMigration.migrateIfNeeded { setUp($0) })
        #expect(await events() == [])
    }

    @Test func withoutCleanUpTheLegacyItemsStayAndTheNextRunFindsThem() async throws {
        try fill("everyday.jsonl")
        let before = try legacyItems
        for _ in 0..<2 {
            AuthMigration.forget()
            let events = await events { $0.cleanupLegacyData = false }
            #expect(events == Self.whole)
            #expect(try legacyItems == before)
        }
    }

    @Test func aDamagedItemRemainsAndIsReportedAndTheOtherItemsAreMigrated() async throws {
        try fill("everyday.jsonl")
        let damaged = KeychainItem.Name(service: LegacyService.mechanism.rawValue, account: "damaged")
        try legacy.add(KeychainItem(damaged, data: Data("nothing that can be read".utf8)))
        let config = AuthMigrationConfig()
        setUp(config)
        #expect(await AuthMigration.isMigrationNeeded(config))
        let failed = await events()
        #expect(failed.dropLast() == Self.whole.dropLast(2))
        #expect(failed.last?.contains("damaged: ") == true)
        #expect(try legacyItems == [damaged])
        // An app that calls `isMigrationNeeded` at each start does not migrate again.
        #expect(await AuthMigration.isMigrationNeeded(config) == false)
    }

    /// A locked phone loses no record.
    ///
    /// The vendor's own migrator reports "success: migrated 0" on a locked phone, and all records are lost.
    @Test func aLockedPhoneLosesNothing() async throws {
        try fill("everyday.jsonl")
        let before = try legacyItems
        phone.isLocked = true
        #expect(await AuthMigration.migrateIfNeeded { setUp($0) } == false)
        legacy.isLocked = true
        #expect(await events().last?.hasPrefix("importLegacyData failed") == true)
        let config = AuthMigrationConfig()
        setUp(config)
        #expect(await AuthMigration.isMigrationNeeded(config))
        (phone.isLocked, legacy.isLocked) = (false, false)
        #expect(try legacyItems == before)
        #expect(await events() == Self.whole)
    }

    @Test func theAppChoosesTheBackupFileAndALeftoverIsRemoved() async throws {
        try fill("everyday.jsonl")
        let leftOver = try TemporaryBackup.file()
        try Data("of a run that was killed".utf8).write(to: leftOver)
        let folder = try TemporaryFolder()
        let backup = folder.url.appendingPathComponent("backup")
        #expect(await events { $0.backup = backup } == Self.whole)
        #expect(FileManager.default.fileExists(atPath: backup.path))
        #expect(!FileManager.default.fileExists(atPath: leftOver.path))
    }

    /// A call to `isMigrationNeeded` during a migration keeps the copy of the legacy items.
    ///
    /// The migration may still need this copy to restore the items.
    @Test func isMigrationNeededKeepsTheCopyOfARunningMigration() async throws {
        let copy = try TemporaryBackup.file()
        let runLock = RunLock()
        #expect(runLock.begin())
        try Data("of a run under way".utf8).write(to: copy)
        runLock.clearUnlessRunning()
        #expect(FileManager.default.fileExists(atPath: copy.path))
        runLock.end(false)
        runLock.clearUnlessRunning()
        #expect(!FileManager.default.fileExists(atPath: copy.path))
    }

    // MARK: - The app's own storages

    private func own() -> (push: some PushStorage, oath: some OathStorage) {
        let store = MemoryCredentialStore()
        return (CredentialStoreStorage(store), CredentialStoreOathStorage(store))
    }

    @Test func theAppsOwnStoragesReceiveAllRecords() async throws {
        try fill("everyday.jsonl")
        let (push, oath) = own()
        #expect(await events { ($0.pushStorage, $0.oathStorage) = (push, oath) } == Self.whole)
        #expect(try legacyItems == [])
        #expect(try await push.getAllPushCredentials().map(\.accountName).sorted() == ["carol", "demo"])
        #expect(
            try await oath.getAllOathCredentials().map(\.accountName).sorted() == [
                "alice@example.com", "bob", "carol",
            ]
        )
        #expect(try await push.getAllPushNotifications().count == 4)
        #expect(try await push.getCurrentPushDeviceToken() != nil)
        let counter = try await oath.getAllOathCredentials().first { $0.accountName == "bob" }?.counter
        let expected = try LegacyFixtures.data("everyday.expected.json")
        let bob = try #require(
            try JSONDecoder().decode([Expected].self, from: expected).first { $0.kind == "hotp" }
        )
        #expect(counter == (try JSONDecoder().decode(Counted.self, from: Data(bob.json.utf8))).counter)
    }

    /// An app's own storages receive the same values as a store.
    ///
    /// `EveryField` lists the fields.
    @Test func ownStoragesGetEveryField() async throws {
        let records: [(LegacyService, LegacyRecord)] = [
            (.mechanism, .mechanism(try EveryField.pushCredential().legacyMechanism)),
            (.mechanism, .mechanism(try EveryField.oathCredential().legacyMechanism)),
            (.notification, .notification(try EveryField.notification().legacyNotification)),
        ]
        for (service, record) in records {
            let name = KeychainItem.Name(service: service.rawValue, account: record.identifier)
            try legacy.add(KeychainItem(name, data: record.archive))
        }
        let (stored, own) = (MemoryCredentialStore(), MemoryCredentialStore())
        let migration = CredentialMigration(from: .keychain(legacy), to: stored)
        _ = try migration.apply(migration.plan())
        let (push, oath) = (CredentialStoreStorage(own), CredentialStoreOathStorage(own))
        #expect(await events { ($0.pushStorage, $0.oathStorage) = (push, oath) } == Self.whole)
        func pushes(in store: MemoryCredentialStore) throws -> [PushCredential] {
            try store.read { try $0.pushCredentials().values }
        }
        #expect(try pushes(in: own) == pushes(in: stored))
        #expect(try pushes(in: own).count == 1)
        func notifications(in store: MemoryCredentialStore) throws -> [PushNotification] {
            try store.read { try $0.notifications().values }
        }
        #expect(try notifications(in: own) == notifications(in: stored))
        #expect(try notifications(in: own).count == 1)
        // The initialiser of the SDK's class has no parameters for fields that only legacy records contain, so these
        // fields are not compared.
        func codes(in store: MemoryCredentialStore) throws -> [OathCredential] {
            try store.read { try $0.oathCredentials().values }.map { credential in
                var credential = credential
                credential.legacy = nil
                return credential
            }
        }
        #expect(try codes(in: own) == codes(in: stored))
        #expect(try codes(in: own).count == 1)
    }

    private struct Expected: Decodable {
        let kind, json: String
    }

    private struct Counted: Decodable {
        let counter: Int
    }

    /// Records that the SDK's storages cannot store remain in the legacy items and are reported.
    ///
    /// In `edges.jsonl`, these records are an account without mechanisms and a notification without a mechanism.
    @Test func recordsThatOwnStoragesCannotStoreRemainAndAreReported() async throws {
        try fill("edges.jsonl")
        let (push, oath) = own()
        let failed = await events { ($0.pushStorage, $0.oathStorage) = (push, oath) }
        let left = try legacyItems.map(\.account)
        #expect(
            left == [
                "Empty-account-without-mechanisms", "DE0FFA52-129C-4CDB-A68A-32927B6163F8-1700000062000",
            ]
        )
        for account in left { #expect(failed.last?.contains(" \(account): ") == true) }
    }

    @Test func aDifferentCredentialWithTheSameIdIsNotReplaced() async throws {
        try fill("everyday.jsonl")
        let (push, oath) = own()
        let mechanism = try #require(
            try CredentialMigration(from: .keychain(legacy), to: MemoryCredentialStore()).plan().records
                .first { $0.kind == .totp }
        )
        let id = try #require(mechanism.result.credentialId)
        let newer = OathCredential(
            id: id,
            issuer: "Bank",
            accountName: "alice",
            oathType: .totp,
            secretKey: "GEZDGNBVGY3TQOJQ"
        )
        try await oath.storeOathCredential(newer)
        let failed = await events { ($0.pushStorage, $0.oathStorage) = (push, oath) }
        #expect(failed.last?.contains("\(mechanism.kind.rawValue) \(mechanism.key): ") == true)
        #expect(try await oath.retrieveOathCredential(credentialId: id) == newer)
        #expect(try legacyItems.map(\.account).contains(mechanism.key))
    }

    @Test func noLegacyMechanismIsRemovedIfTheStorageIsLocked() async throws {
        try fill("everyday.jsonl")
        let before = try legacyItems.filter { $0.service == LegacyService.mechanism.rawValue }
        phone.isLocked = true
        let store = KeychainCredentialStore(keychain: phone)
        let failed = await events {
            $0.pushStorage = CredentialStoreStorage(store)
            $0.oathStorage = CredentialStoreOathStorage(store)
        }
        #expect(failed.last?.hasPrefix("cleanup failed") == true)
        #expect(try legacyItems.filter { $0.service == LegacyService.mechanism.rawValue } == before)
    }
}

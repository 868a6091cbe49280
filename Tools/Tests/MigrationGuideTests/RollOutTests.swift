import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PingAMSimulator
import PingAMSimulatorServer
import PingPush
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Runs those parts of the guide's code that are not in the sample app.
@Suite struct RollOutTests {
    private let folder: TemporaryFolder
    private let store: SQLiteCredentialStore
    private let day: TimeInterval = 86_400

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteCredentialStore(
            path: folder.path("credentials.db"),
            key: InMemorySealingKey(),
            mode: .create
        )
    }

    @Test func theFileForThePhoneContainsTheAccountsOfTheStore() throws {
        let source = MigrationSource.file(LegacyFixtures.url("everyday.jsonl"))
        let receipt = try CredentialMigration(from: source, to: store).migrate()
        let file = folder.url("phone.plist")
        #expect(try PhoneFile.writeAccounts(of: store, to: file) == [])
        let copy = MemoryCredentialStore()
        let again = try CredentialMigration(from: .file(file), to: copy).migrate()
        #expect(again.totals[.migrated] == receipt.totals[.migrated])
        #expect(again.records.allSatisfy { $0.result.isVerified })
    }

    @Test func delaysOfDevicesAreSpreadEvenlyOverTheWindow() {
        var generator = SeededGenerator(seed: 5)
        var hours = [Int](repeating: 0, count: 24)
        for _ in 0..<24_000 {
            let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let id = bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
            let delay = TokenSpread.delay(ofDevice: id, within: day)
            #expect(delay == TokenSpread.delay(ofDevice: id, within: day))
            hours[Int(delay / 3600)] += 1
        }
        #expect(hours.allSatisfy { (800...1200).contains($0) }, "\(hours)")
    }

    @Test func theFirstTokenIsSentAfterTheDelayOfTheDevice() async throws {
        let (client, server) = try await migratedPhone(withToken: false)
        let (id, updated) = (UUID(), Date())
        let due = updated + TokenSpread.delay(ofDevice: id, within: day)
        for now in [due - 1, due, due + 1] {
            try await TokenSpread.setToken(
                Data([1]),
                on: client,
                device: id,
                updated: updated,
                now: now
            )
            #expect(
                server.simulator.journal.map(\.action)
                    == (now < due ? ["register"] : ["register", "refresh"])
            )
        }
        await server.stop()
    }

    @Test func aTokenThatChangedIsSentAtOnce() async throws {
        let (client, server) = try await migratedPhone(withToken: true)
        let now = Date()
        try await TokenSpread.setToken(Data([1]), on: client, device: UUID(), updated: now, now: now)
        #expect(server.simulator.journal.map(\.action) == ["register", "refresh"])
        await server.stop()
    }

    @Test func aMigratedTokenIsNotSentAgain() async throws {
        let (client, server) = try await migratedPhone(withToken: true)
        try await client.setDeviceToken(Data([0xf7, 0x9b]))
        #expect(server.simulator.journal.map(\.action) == ["register"])
        await server.stop()
    }

    @Test func aReceiptIsCountedAndExplained() throws {
        let source = MigrationSource.file(LegacyFixtures.url("damaged.sqlite"))
        let migration = CredentialMigration(from: source, to: store)
        let receipt = try migration.apply(migration.plan())
        let summary = RollOut.summary(of: receipt)
        #expect(summary.values.reduce(0, +) == receipt.records.count)
        #expect(summary["unproven"] == 0)
        #expect(summary["damaged"] == receipt.totals[.damaged])
        let complaints = RollOut.complaints(in: receipt)
        #expect(complaints.count == receipt.records.count - receipt.retirable.count)
        #expect(!complaints.isEmpty)
    }

    @Test func aMigratedStoreIsExportedBackAndItsSourceRetired() throws {
        let legacy = try folder.copy(LegacyFixtures.url("everyday.plist"))
        let migration = CredentialMigration(from: .file(legacy), to: store)
        let receipt = try migration.apply(migration.plan())
        #expect(try RollOut.goBack(from: store, to: folder.url("back.plist")) == [])
        let back = CredentialMigration(from: .file(folder.url("back.plist")), to: MemoryCredentialStore())
        #expect(try back.plan().isComplete)
        let backup = folder.url("backup.plist")
        #expect(try RollOut.retire(legacy, provenIn: store, backup: backup) == receipt.records.count)
        // `retire` removes a property list only as a whole, so the file of the legacy store no longer exists.
        #expect(try folder.names().filter { !$0.contains(".db") } == ["back.plist", "backup.plist"])
    }

    @Test func anExtensionReadsTheSharedStoreOnceThePhoneIsUnlocked() async throws {
        let (container, keychain) = (try TemporaryFolder(), InMemoryKeychain())
        let open = {
            try AppGroup.open(in: container.url, accessGroup: "group.example", keychain: keychain)
        }
        let server = try await SimulatorServer.start()
        let app = try await client(on: open())
        try await app.setDeviceToken("f79b")
        let code = try server.simulator.createRegistration(
            RegistrationOrder(issuer: "Example", account: "alice")
        )
        let credential = try await app.addCredentialFromUri(code.uri(labelIssuer: "forgerock"))
        let login = PushOrder(mechanismUid: credential.id, message: "Log in to Example?")
        #expect(try await AppGroup.text(of: userInfo(server, login), open: open) == "Log in to Example?")
        #expect(try await app.getPendingNotifications().count == 1)
        keychain.isLocked = true
        let text = try await AppGroup.text(of: userInfo(server, login), open: open)
        #expect(text == "Unlock your phone to log in.")
        await server.stop()
    }

    @Test func aStoreMovesIntoTheAppGroupAfterTheUnlock() async throws {
        let keychain = InMemoryKeychain()
        let old = KeychainCredentialStore(keychain: keychain)
        let new = KeychainCredentialStore(keychain: keychain, accessGroup: "group.example")
        try await client(on: old).setDeviceToken("f79b")
        keychain.isLocked = true
        var lines: [String] = []
        let locked = StoreChanges.storeToUse(old: old, new: new) { lines.append($0) }
        #expect(locked as AnyObject === old)
        #expect(lines.count == 1)
        keychain.isLocked = false
        let store = StoreChanges.storeToUse(old: old, new: new) { lines.append($0) }
        #expect(store as AnyObject === new)
        #expect(lines.count == 1)
        #expect(try await client(on: new).getDeviceToken() == "f79b")
    }

    @Test func aStoreWithoutItsKeyIsSetAsideAtTheLaunch() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("credentials.db")
        var shown = 0
        let key = KeyFile(path: folder.path("key"))
        for _ in 0..<2 {
            _ = try StoreChanges.openOrSetAside(at: path, key: key) { _ in shown += 1 }
        }
        #expect(shown == 0)
        try FileManager.default.removeItem(atPath: key.path)
        _ = try StoreChanges.openOrSetAside(at: path, key: key) { _ in shown += 1 }
        #expect(shown == 1)
        #expect(FileManager.default.fileExists(atPath: "\(path).1"))
    }

    @Test func migratingAgainRestoresRemovedCredentials() async throws {
        let (client, server) = try await migratedPhone(withToken: true)
        let credential = try #require(try await client.getCredentials().first)
        try await client.deleteCredential(credential.id)
        let migration = CredentialMigration(from: .file(folder.url("legacy.plist")), to: store)
        _ = try migration.apply(migration.plan())
        #expect(try await client.getCredentials().map(\.id) == [credential.id])
        await server.stop()
    }

    private func userInfo(_ server: SimulatorServer, _ order: PushOrder) throws -> [AnyHashable: Any] {
        let object = try JSONSerialization.jsonObject(with: server.simulator.createPush(order).payload.data)
        return try #require(object as? [AnyHashable: Any])
    }

    /// Returns a client on a store that was migrated from a legacy store.
    ///
    /// If `withToken` is true, the store contains the device token that the server has.
    private func migratedPhone(withToken: Bool) async throws -> (PushClient, SimulatorServer) {
        let server = try await SimulatorServer.start()
        let past = MemoryCredentialStore()
        let old = try await client(on: past)
        try await old.setDeviceToken("F79B")
        let code = try server.simulator.createRegistration(
            RegistrationOrder(issuer: "Example", account: "alice")
        )
        _ = try await old.addCredentialFromUri(code.uri(labelIssuer: "forgerock"))
        if !withToken { try await CredentialStoreStorage(past).clearPushDeviceTokens() }
        let legacy = folder.url("legacy.plist")
        _ = try RollOut.export(past, to: legacy)
        let migration = CredentialMigration(from: .file(legacy), to: store)
        #expect(try migration.apply(migration.plan()).isComplete)
        return (try await client(on: store), server)
    }

    private func client(on store: any CredentialStore) async throws -> PushClient {
        try await PushClient.createClient { config in
            config.storage = CredentialStoreStorage(store)
            config.timeout = 600  // Requests can take long on a busy machine.
        }
    }
}

extension RollOut {
    fileprivate static func export(_ store: MemoryCredentialStore, to file: URL) throws -> ExportSummary {
        try CredentialExport(of: store).write(to: PropertyListStoreWriter(file))
    }
}

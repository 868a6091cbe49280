import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import FRAuthenticator

/// PushBridge reads the files of `LegacyFixtures/own`, which have the stored forms of earlier versions.
///
/// The expected values are those of `everyday.jsonl`, whose archives the legacy SDK's own classes wrote. If you change
/// a form, add a folder with a new number; the tests check that the older forms are still read. If a version no longer
/// reads a form, name this version in the tests.
@Suite("Own stored forms")
struct OwnFormsTests {
    static let forms = ["1"]
    static let exports = ["export.jsonl", "export.plist", "export.sqlite", "export.json"]
    private static let everyday = LegacyFixtures.url("everyday.jsonl")
    private static let bob = "Acme Bank-bob"
    private static let accounts = ["Acme Bank-alice@example.com", bob, "Combined-carol", "ForgeRock-demo"]
    private static let demoPush = "56E88A22-52E6-4B13-AEA7-AA42E6DA8AB8"
    private static let carolPush = "C80C68DA-1BAD-4DE1-A003-70D31E981BE2"
    private static let aliceCodes = "5489AB21-9325-43F9-A6DB-C06DCD7A2917"
    private static let carolCodes = "41BDE8B5-779E-4B49-ADE8-13D71B990C6A"

    /// An app whose store is the keychain of a phone.
    private struct App {
        let migration = FRAMigration()
        let authenticator: Authenticator
        let client: FRAClient
        let store: KeychainCredentialStore

        init(
            _ phone: InMemoryKeychain,
            refusing items: UnreliableKeychain? = nil,
            report: MigrationRollout.EventHandler? = nil
        ) {
            let store = KeychainCredentialStore(keychain: phone)
            migration.source = .keychain(items ?? UnreliableKeychain(phone))
            migration.mode = .atOnce
            migration.rollout = MigrationRollout(
                KeychainRolloutStorage(phone),
                versions: MigrationVersions(app: "1.0", system: "18.0"),
                report: report
            )
            var configuration = Authenticator.Configuration()
            configuration.store = { store }
            configuration.transport = FakeTransport()
            configuration.deviceName = { "Phone" }
            configuration.migration = migration
            authenticator = Authenticator(configuration)
            client = FRAClient(authenticator)
            self.store = store
        }

        var usable: [String] {
            client.getAllAccounts().filter { !$0.mechanisms.isEmpty }.map(\.identifier).sorted()
        }
    }

    // MARK: - Reading

    @Test(arguments: forms)
    func aDatabaseOfAnEarlierVersionContainsEveryRecord(_ form: String) throws {
        let folder = try TemporaryFolder()
        let database = try folder.copy(LegacyFixtures.url("own/\(form)/credentials.db"))
        let key = try folder.copy(LegacyFixtures.url("own/\(form)/credentials.db.key"))
        // Version control does not preserve permissions.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
        let store = try SQLiteCredentialStore(path: database.path, key: KeyFile(path: key.path), mode: .open)
        let receipt = try CredentialMigration(from: .file(Self.everyday), to: store).verify()
        #expect(receipt.isComplete)
        #expect(receipt.records.count == 14)
        // The export equals the file that was written together with the form.
        let written = folder.url("export.jsonl")
        _ = try CredentialExport(of: store).write(to: JSONLinesStoreWriter(written))
        let exported = LegacyFixtures.url("own/\(form)/export.jsonl")
        #expect(try Self.lines(of: written) == Self.lines(of: exported))
    }

    @Test(arguments: forms, exports)
    func anExportOfAnEarlierVersionCanBeMigrated(_ form: String, _ export: String) throws {
        let store = try Self.store(of: LegacyFixtures.url("own/\(form)/\(export)"))
        #expect(try CredentialMigration(from: .file(Self.everyday), to: store).verify().isComplete)
    }

    /// A migration export of an earlier version contains every credential.
    ///
    /// The test compares only credentials, because a migration export has no other records; the accounts are embedded
    /// in the credentials.
    @Test(arguments: forms)
    func aMigrationExportOfAnEarlierVersionContainsEveryCredential(_ form: String) throws {
        let store = try Self.store(of: LegacyFixtures.url("own/\(form)/migration-export.json"))
        let receipt = try CredentialMigration(from: .file(Self.everyday), to: store).verify()
        let credentials = receipt.filter { [.push, .totp, .hotp].contains($0.kind) }
        #expect(credentials.records.count == 5)
        #expect(credentials.isComplete)
    }

    /// An earlier version moved the phone's accounts into the keychain store; this version shows them.
    ///
    /// After the move, the user removed one account.
    @Test(arguments: forms)
    func accountsThatAnEarlierVersionMovedAreShown(_ form: String) throws {
        let app = App(try Self.phone("own/\(form)/moved.jsonl"))
        #expect(try !app.authenticator.isInPlace)
        let left = Self.accounts.filter { $0 != Self.bob }
        #expect(app.usable == left)
        app.migration.runIfDue(on: app.authenticator)
        #expect(app.usable == left)
        #expect(try app.store.read { try $0.notifications().values.count } == 4)
        _ = try app.migration.moveBack(on: app.authenticator)
        #expect(app.usable == left)
    }

    /// This version completes a move that an earlier version did not finish, because the keychain refused an item.
    ///
    /// After the unfinished move, the user removed an account in place.
    @Test(arguments: forms)
    func aMoveOfAnEarlierVersionIsCompleted(_ form: String) throws {
        let app = App(try Self.phone("own/\(form)/moving.jsonl"))
        #expect(try app.authenticator.isInPlace)
        let left = Self.accounts.filter { $0 != "Combined-carol" }
        #expect(app.usable == left)
        app.migration.runIfDue(on: app.authenticator)
        #expect(try !app.authenticator.isInPlace)
        #expect(app.usable == left)
    }

    @Test(arguments: forms)
    func eventsOfEarlierVersionsAreDecoded(_ form: String) throws {
        let lines = try Self.lines(of: LegacyFixtures.url("own/\(form)/events.jsonl"))
        let events = try lines.map { try JSONDecoder().decode(MigrationEvent.self, from: Data($0.utf8)) }
        #expect(events.map(\.step) == [.apply])
        #expect(events.map(\.source) == [.keychain])
        #expect(events[0].counts.reduce(0) { $0 + $1.count } == 14)
        #expect(events[0].counts.allSatisfy { $0.outcome == .migrated })
    }

    /// Both pending enrolments of an earlier version are read completely.
    ///
    /// The first belongs to the keychain store. The second belongs to an app's own storage, and also contains a
    /// one-time-password credential.
    @Test(arguments: forms)
    func pendingEnrolmentsOfAnEarlierVersionAreReadCompletely(_ form: String) throws {
        let phone = try Self.phone("own/\(form)/pending.jsonl")
        let found = try KeychainPendingEnrolments(phone).waiting()
        let (demo, carol) = (try Self.enrolledPush(Self.demoPush), try Self.enrolledPush(Self.carolPush))
        let codes = try Self.enrolledCodes(Self.carolCodes)
        let token = try #require(try Self.everydayStore().read { try $0.deviceToken() })
        #expect(found.map(\.push) == [demo, carol])
        #expect(found.map(\.oath) == [nil, codes])
        #expect(found.map(\.token) == [token, token])
        #expect(found.map(\.token.createdAt) == [token.createdAt, token.createdAt])
        #expect(
            found.map(\.storage) == ["keychain com.pingidentity.push.credentials", "own BankApp.PushVault"]
        )
        #expect(found.map(\.neighbours) == [nil, [demo.id]])
        // If reading lost a member of the stored form, the form would lack the member when written again.
        for enrolment in found {
            let service = "\(KeychainServices().credentials).pending"
            let stored = try #require(try phone.data(.init(service: service, account: enrolment.id)))
            let again = try JSONEncoder().encode(enrolment)
            let json = try #require(JSONValue(json: again))
            #expect(json == JSONValue(json: stored))
        }
    }

    /// The app saves only the enrolment for its store; the enrolment for an app's own storage stays pending.
    @Test(arguments: forms)
    func anAppSavesThePendingEnrolmentOfAnEarlierVersion(_ form: String) throws {
        let phone = try Self.phone("own/\(form)/pending.jsonl")
        let (store, waiting) = (KeychainCredentialStore(keychain: phone), KeychainPendingEnrolments(phone))
        let fixture = try ClientFixture(store, pending: waiting)
        #expect(fixture.client.getAllAccounts().map(\.identifier) == ["ForgeRock-demo"])
        var saved = try Self.enrolledPush(Self.demoPush)
        saved.account.addedAt = saved.createdAt
        #expect(try store.read { try $0.pushCredentials().values } == [saved])
        #expect(try waiting.waiting().map(\.id) == [Self.carolPush])
    }

    @Test(arguments: forms)
    func bothCredentialsOfAPendingEnrolmentOfAnEarlierVersionAreStored(_ form: String) throws {
        let phone = try Self.phone("own/\(form)/pending.jsonl")
        let enrolment = try #require(try KeychainPendingEnrolments(phone).waiting().last)
        let store = MemoryCredentialStore()
        try store.write { try enrolment.complete(in: $0) }
        #expect(try store.read { try $0.pushCredential(id: Self.carolPush) } != nil)
        var codes = try #require(try store.read { try $0.oathCredential(id: Self.carolCodes) })
        codes.account.addedAt = nil
        #expect(try codes == Self.enrolledCodes(Self.carolCodes))
    }

    /// This version completes a transaction of a process that ended after the transaction's first step.
    ///
    /// The transaction removes the account and the push credential of `demo`, and stores a one-time-password
    /// credential of another account.
    @Test(arguments: forms)
    func anInterruptedTransactionOfAnEarlierVersionIsCompleted(_ form: String) throws {
        let phone = try Self.phone("own/\(form)/interrupted.jsonl")
        let store = KeychainCredentialStore(keychain: phone)
        let codes = try #require(try Self.everydayStore().read { try $0.oathCredential(id: Self.aliceCodes) })
        #expect(try store.read { try $0.oathCredentials().values } == [codes])
        #expect(try store.read { try $0.oathCredentials(account: codes.account.key).values } == [codes])
        #expect(try store.read { try $0.accounts().values } == [codes.account])
        #expect(try store.read { try $0.pushCredentials().values } == [])
        let services = KeychainServices()
        for service in [services.oathCredentials, services.oathSecrets] {
            let name = KeychainItem.Name(service: service, account: codes.id)
            #expect(try phone.accessibility(of: name) == .afterFirstUnlockThisDeviceOnly)
        }
        #expect(try phone.accounts(service: services.journal, accessGroup: nil) == [])
    }

    /// Returns a store with the records of `everyday.jsonl`.
    private static func everydayStore() throws -> MemoryCredentialStore { try store(of: everyday) }

    /// Returns a store with the records of a legacy store.
    private static func store(of file: URL) throws -> MemoryCredentialStore {
        let store = MemoryCredentialStore()
        let migration = CredentialMigration(from: .file(file), to: store)
        #expect(try migration.apply(migration.plan()).isComplete)
        return store
    }

    /// Returns a credential as a pending enrolment contains it: the account has no date before it is stored.
    private static func enrolledPush(_ id: String) throws -> PushBridgeCore.PushCredential {
        var push = try #require(try everydayStore().read { try $0.pushCredential(id: id) })
        push.account.addedAt = nil
        return push
    }

    private static func enrolledCodes(_ id: String) throws -> PushBridgeCore.OathCredential {
        var codes = try #require(try everydayStore().read { try $0.oathCredential(id: id) })
        codes.account.addedAt = nil
        return codes
    }

    // MARK: - Writing

    /// Writes the files of a form into the folder that `PUSHBRIDGE_WRITE_FORMS` names.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["PUSHBRIDGE_WRITE_FORMS"] != nil))
    func writeTheForms() throws {
        let path = try #require(ProcessInfo.processInfo.environment["PUSHBRIDGE_WRITE_FORMS"])
        let folder = URL(fileURLWithPath: path)
        func place(_ name: String) -> URL { folder.appendingPathComponent(name) }

        let database = place("credentials.db").path
        let store = try SQLiteCredentialStore(
            path: database,
            key: KeyFile(path: "\(database).key"),
            mode: .create
        )
        let migration = CredentialMigration(from: .file(Self.everyday), to: store)
        _ = try migration.apply(migration.plan())
        let export = CredentialExport(of: store)
        try export.write(to: JSONLinesStoreWriter(place("export.jsonl")))
        try export.write(to: PropertyListStoreWriter(place("export.plist")))
        try export.write(to: SQLiteStoreWriter(place("export.sqlite"), date: Date()))
        try export.write(to: LegacyJSONWriter(place("export.json")))
        try export.write(to: MigrationExportWriter(place("migration-export.json"), exportedAt: Date()))

        let moved = InMemoryKeychain()
        try moved.install()
        let events = Guarded<[MigrationEvent]>([])
        let app = App(moved) { event in events.withValue { $0.append(event) } }
        app.migration.runIfDue(on: app.authenticator)
        #expect(app.client.removeAccount(account: try #require(app.client.getAccount(identifier: Self.bob))))
        try Self.write(moved, to: place("moved.jsonl"))

        let moving = InMemoryKeychain()
        try moving.install()
        let unreliable = UnreliableKeychain(moving)
        unreliable.refuse("\(Self.bob)-hotp", with: -25308)
        let other = App(moving, refusing: unreliable)
        other.migration.runIfDue(on: other.authenticator)
        let carol = try #require(other.client.getAccount(identifier: "Combined-carol"))
        #expect(other.client.removeAccount(account: carol))
        try Self.write(moving, to: place("moving.jsonl"))

        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let lines = try events.withValue { $0 }.map {
            String(decoding: try encoder.encode($0), as: UTF8.self)
        }
        try Data(lines.map { "\($0)\n" }.joined().utf8).write(to: place("events.jsonl"))
    }

    // MARK: - Files

    private struct Item: Codable {
        let service: String
        let account: String
        let data: Data
    }

    private static func phone(_ name: String) throws -> InMemoryKeychain {
        let phone = InMemoryKeychain()
        for line in try lines(of: LegacyFixtures.url(name)) {
            let item = try JSONDecoder().decode(Item.self, from: Data(line.utf8))
            let place = KeychainItem.Name(service: item.service, account: item.account)
            try phone.add(KeychainItem(place, data: item.data))
        }
        return phone
    }

    private static func write(_ phone: InMemoryKeychain, to file: URL) throws {
        let own = KeychainServices()
        let services =
            LegacyService.allCases.map(\.rawValue) + [
                LegacyKeychain.besideService, own.credentials, own.notifications, own.tokens,
                own.oathCredentials,
                own.oathSecrets, own.accounts, own.ledger, own.imports, own.move, own.tombstones, own.journal,
                "\(own.credentials).rollout", "\(own.credentials).pending",
            ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var text = ""
        for service in services {
            for item in try phone.items(service: service, accessGroup: nil) {
                let item = Item(service: service, account: item.name.account, data: item.data)
                text += "\(String(decoding: try encoder.encode(item), as: UTF8.self))\n"
            }
        }
        try Data(text.utf8).write(to: file)
    }

    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}

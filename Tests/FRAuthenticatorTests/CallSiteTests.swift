import CredentialMigration
import FRAuthenticator
import FRCore
import Foundation
import LegacyFiles
import LegacyStore
import PingAMSimulator
import PushBridgeCore
import PushBridgeLegacyCallSites
import PushBridgeLegacyCallSitesSwift6
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Call sites of the process's single client, tested one after the other.
@Suite("The client of the process", .serialized, .processState)
struct CallSiteTests {
    @MainActor protocol App {
        func launch(token: Data) -> Bool
        func scan(_ text: String, then: @escaping @Sendable (Bool) -> Void)
        func rows() -> [String]
        func renameFirst(to name: String) throws
        func removeFirst()
        func answer(_ payload: [AnyHashable: Any], approve: Bool, then: @escaping @Sendable (String) -> Void)
    }

    @MainActor @Test(arguments: [5, 6])
    func anOldAppEnrolsAnswersAndRemovesAnAccount(_ languageMode: Int) async throws {
        FRAClient.reset()
        defer { FRAClient.reset() }
        try FRAClient.setCredentialStore(MemoryCredentialStore())
        FRAClient.migration.mode = .inPlace
        let platform = FRAClient.localAuthentication
        FRAClient.localAuthentication = FakeAuthentication()
        defer { FRAClient.localAuthentication = platform }
        let server = Simulator()
        RestClient.shared.setURLSessionConfiguration(config: Simulator.sessionConfiguration)
        defer { RestClient.shared.setURLSessionConfiguration(config: nil, handler: nil) }
        defer { RequestInterceptorRegistry.shared.registerInterceptors(interceptors: nil) }
        let app: any App =
            languageMode == 5 ? PushBridgeLegacyCallSites.OldApp() : PushBridgeLegacyCallSitesSwift6.OldApp()

        #expect(app.launch(token: Data([0xAB, 0xCD])))
        let uri = try server.createRegistration(RegistrationOrder(issuer: "Forge", account: "demo")).uri()
        #expect(try await waitForCall("the code to be scanned") { app.scan(uri, then: $0) })
        #expect(try await !waitForCall("the code to be scanned again") { app.scan(uri, then: $0) })
        #expect(app.rows() == ["Forge/demo", "push 0 of 0"])
        func answer(_ push: PushDelivery, approve: Bool) async throws -> String {
            try await waitForCall("the screen to end") {
                app.answer(push.foundationPayload, approve: approve, then: $0)
            }
        }
        try app.renameFirst(to: "Demo")
        let mechanism = try #require(FRAClient.shared?.getAllAccounts().first?.mechanisms.first)
        for (type, approve, shown) in [
            (PushBridgeCore.PushType.default, true, "approved"), (.challenge, true, "approved"),
            (.biometric, true, "approved"), (.default, false, "denied"), (.challenge, false, "denied"),
        ] {
            var order = PushOrder(mechanismUid: mechanism.mechanismUUID, type: type)
            order.numbers = type == .challenge ? "34,43,57" : nil
            let push = try server.createPush(order)
            #expect(try await answer(push, approve: approve) == shown)
            #expect(server.state(ofPush: push.messageId) == (approve ? .approved : .denied))
        }
        #expect(app.rows() == ["Forge/Demo", "push 0 of 5"])
        let expired = try server.createPush(PushOrder(mechanismUid: mechanism.mechanismUUID))
        server.withService { $0.arm(.dropConnection, action: .authenticate) }
        #expect(try await answer(expired, approve: true) == "offline")
        #expect(try await answer(expired, approve: true) == "approved")
        #expect(try await answer(expired, approve: true) == "already answered")
        app.removeFirst()
        #expect(app.rows() == [])
    }

    @Test func aPluginKeepsEverythingInItsOwnStorage() throws {
        FRAClient.reset()
        defer { FRAClient.reset() }
        let plugin = try PushBridgeLegacyCallSites.OldPlugin()
        #expect(plugin.isStorageEmpty)
        var results: [String] = []
        let uri = "otpauth://hotp/Example:babs?secret=JBSWY3DPEHPK3PXP&counter=0"
        plugin.create(uri) { results.append($0) }
        plugin.create(uri) { results.append($0) }
        #expect(results.count == 2)
        #expect(results[1] == "DUPLICATE_MECHANISM_EXCEPTION")
        let json = try #require(plugin.accounts.first)
        let renamed = json.replacingOccurrences(
            of: #""displayAccountName":null"#,
            with: #""displayAccountName":"Babs""#
        )
        #expect(plugin.update(renamed))
        #expect(plugin.accounts == [renamed])
        let codes = [plugin.code(json), plugin.code(json)]
        #expect(codes.compactMap(\.self).count == 2)
        #expect(codes[0] != codes[1])
        #expect(!plugin.isStorageEmpty)
    }

    @Test func aDecodedObjectNeverSetsTheCounterOfAStorageBack() throws {
        let storage = ArchivingStorage()
        func start() throws {
            FRAClient.reset()
            FRAClient.migration.mode = .inPlace
            try FRAClient.setStorage(storage: storage)
            FRAClient.start()
        }
        defer { FRAClient.reset() }
        try start()
        // RFC 4226, appendix D.
        let code = "otpauth://hotp/Forge:demo?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0"
        let made = Lock<Mechanism?>(nil)
        FRAClient.shared?.createMechanismFromUri(
            uri: try #require(URL(string: code)),
            onSuccess: { mechanism in made.withValue { $0 = mechanism } },
            onError: { _ in }
        )
        let hotp = try #require(made.withValue { $0 } as? HOTPMechanism)
        let json = Data(try #require(hotp.toJson()).utf8)
        for expected in ["755224", "287082"] { #expect(try hotp.generateCode().code == expected) }
        try start()
        let old = try JSONDecoder().decode(HOTPMechanism.self, from: json)
        #expect(old.counter == 0)
        for expected in ["359152", "969429"] { #expect(try old.generateCode().code == expected) }
        let stored = storage.getMechanismForUUID(uuid: hotp.mechanismUUID) as? HOTPMechanism
        #expect(stored?.counter == 4)
    }

    @Test func settingsStayAfterTheClientStarted() throws {
        FRAClient.reset()
        defer { FRAClient.reset() }
        try FRAClient.setCredentialStore(MemoryCredentialStore())
        #expect(FRAClient.shared == nil)
        FRAClient.migration.mode = .inPlace
        FRAClient.start()
        let client = try #require(FRAClient.shared)
        FRAClient.start()
        #expect(FRAClient.shared === client)
        let storageError = #expect(throws: FRAError.self) {
            try FRAClient.setStorage(storage: ArchivingStorage())
        }
        #expect(storageError?.errorCode == 8_000_000)
        let policyError = #expect(throws: FRAError.self) {
            try FRAClient.setPolicyEvaluator(policyEvaluator: FRAPolicyEvaluator())
        }
        #expect(policyError?.errorCode == 8_000_002)
    }

    @Test func afterALogOutAnotherStorageCanBeSet() throws {
        FRAClient.reset()
        defer { FRAClient.reset() }
        FRAClient.migration.mode = .inPlace
        let (first, second) = (ArchivingStorage(), ArchivingStorage())
        try FRAClient.setStorage(storage: first)
        FRAClient.start()
        let uri = try #require(URL(string: "otpauth://totp/Forge:demo?secret=JBSWY3DPEHPK3PXP"))
        FRAClient.shared?.createMechanismFromUri(uri: uri, onSuccess: { _ in }, onError: { _ in })
        let client = try #require(FRAClient.shared)
        FRAClient.shared = nil
        #expect(FRAClient.shared == nil)
        try FRAClient.setStorage(storage: second)
        try FRAClient.setPolicyEvaluator(policyEvaluator: FRAPolicyEvaluator())
        FRAClient.start()
        #expect(FRAClient.shared?.getAllAccounts() == [])
        FRAClient.shared = client
        #expect(FRAClient.shared?.getAllAccounts().map(\.identifier) == ["Forge-demo"])
        let error = #expect(throws: FRAError.self) { try FRAClient.setStorage(storage: second) }
        #expect(error?.errorCode == 8_000_000)
    }

    /// The accounts are migrated into each of two credential stores that a process uses one after the other.
    ///
    /// Before that, the process uses an app's own storage.
    @Test func eachStoreOfAProcessReceivesTheAccounts() throws {
        FRAClient.reset()
        defer { FRAClient.reset() }
        try FRAClient.setStorage(storage: ArchivingStorage())
        FRAClient.start()
        #expect(FRAClient.shared?.getAllAccounts() == [])
        FRAClient.migration.source = .file(LegacyFixtures.url("everyday.sqlite"))
        for _ in 0..<2 {
            FRAClient.shared = nil
            try FRAClient.setCredentialStore(MemoryCredentialStore())
            FRAClient.start()
            #expect(FRAClient.shared?.getAllAccounts().count == 4)
        }
    }

    @Test func theLevelsOfTheLogHaveTheNumbersOfTheSDK() {
        let expected = [1, 2, 4, 8, 16, 32, 64, 14]
        #expect(PushBridgeLegacyCallSites.logLevels() == expected)
        #expect(PushBridgeLegacyCallSitesSwift6.logLevels() == expected)
    }

    @Test func thePushHandlerCanBeSet() {
        let handler = FRAPushHandler.shared
        defer { FRAPushHandler.shared = handler }
        let other = FRAPushHandler(nil)
        FRAPushHandler.shared = other
        #expect(FRAPushHandler.shared === other)
    }

    @Test func anOlderStorageKeepsNoDeviceTokenAndAPhoneStillEnrols() async throws {
        FRAClient.reset()
        defer { FRAClient.reset() }
        FRAClient.migration.mode = .inPlace
        let storage = TokenlessStorage()
        try FRAClient.setStorage(storage: storage)
        FRAClient.start()
        let logger = RecordingLogger()
        Log.setCustomLogger(logger)
        Log.setLogLevel(.warning)
        defer { Log.setLogLevel(.none) }
        FRAPushHandler.shared.didRegister(Data([0xAB, 0xCD]))
        #expect(FRAPushHandler.shared.deviceToken == "ABCD")
        #expect(logger.warnings.contains { $0.contains("stores no device token") })
        #expect(storage.isEmpty())

        let server = Simulator()
        RestClient.shared.setURLSessionConfiguration(config: Simulator.sessionConfiguration)
        defer { RestClient.shared.setURLSessionConfiguration(config: nil, handler: nil) }
        let uri = try server.createRegistration(RegistrationOrder(issuer: "Forge", account: "demo")).uri()
        let client = try #require(FRAClient.shared)
        let url = try #require(URL(string: uri))
        let mechanism = try await waitForCall("the registration") { report in
            client.createMechanismFromUri(
                uri: url,
                onSuccess: { report($0.type) },
                onError: { report("\($0)") }
            )
        }
        #expect(mechanism == "push")
        FRAPushHandler.shared.clearDeviceToken()
        #expect(FRAPushHandler.shared.deviceToken == nil)
    }

    @Test func laterStartsDoNotRestoreRemovedRecords() throws {
        FRAClient.reset()
        defer { FRAClient.reset() }
        let store = MemoryCredentialStore()
        try FRAClient.setCredentialStore(store)
        FRAClient.migration.source = .file(LegacyFixtures.url("everyday.sqlite"))
        FRAClient.start()
        guard case .done(let receipt) = FRAClient.migration.outcome else {
            Issue.record("The migration's outcome is \(FRAClient.migration.outcome) instead of done.")
            return
        }
        #expect(receipt.isComplete)
        let accounts = try #require(FRAClient.shared?.getAllAccounts())
        #expect(accounts.count == 4)
        #expect(FRAClient.shared?.removeAccount(account: accounts[0]) == true)
        guard case .nothingToDo = FRAClient.migration.run() else {
            Issue.record("The migration's outcome is \(FRAClient.migration.outcome) instead of nothingToDo.")
            return
        }
        #expect(FRAClient.shared?.getAllAccounts().count == 3)
    }

    @Test func theClientsStoreReadsTheRecordsBeforeAndAfterAMove() throws {
        FRAClient.reset()
        defer { FRAClient.reset() }
        let folder = try TemporaryFolder()
        let path = folder.path("new.db")
        try FRAClient.setCredentialStore(
            SQLiteCredentialStore(path: path, key: InMemorySealingKey(), mode: .create)
        )
        let keychain = InMemoryKeychain()
        for item in try LegacyFile.open(LegacyFixtures.url("everyday.jsonl")).items() {
            let item = try item.get()
            guard case .archive(let data) = item.payload else { continue }
            let name = KeychainItem.Name(service: item.service.rawValue, account: item.key)
            try keychain.add(KeychainItem(name, data: data, accessibility: .whenUnlockedThisDeviceOnly))
        }
        FRAClient.migration.source = .keychain(keychain)
        FRAClient.migration.mode = .inPlace
        FRAClient.start()
        let store = FRAClient.credentialStore
        let inPlace = PushDoctor(of: store)
        #expect((inPlace.pushCredentials, inPlace.oathCredentials) == (2, 3))
        #expect(inPlace.findings.first { $0.check == .accountsTravel }?.count == 4)
        #expect(try store.read { try $0.count(of: .ledger, where: .all) } == 0)
        // After this migration, the records are in the database. So the doctor examines the database's file, which
        // other users must not be able to read.
        guard case .done = FRAClient.migration.run() else {
            Issue.record("The migration's outcome is \(FRAClient.migration.outcome) instead of done.")
            return
        }
        #expect(try store.read { try $0.count(of: .ledger, where: .all) } == 14)
        #expect(!PushDoctor(of: store).hasFaults)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(PushDoctor(of: store).findings.first?.check == .storePrivate)
    }

    /// Starts the client with a legacy store that stays locked until the test sets the returned value to `false`.
    private func startWithLockedSource() throws -> Lock<Bool> {
        FRAClient.reset()
        try FRAClient.setCredentialStore(MemoryCredentialStore())
        let isLocked = Lock(true)
        let url = LegacyFixtures.url("everyday.sqlite")
        FRAClient.migration.source = MigrationSource { () throws(LegacyStoreError) in
            if isLocked.withValue({ $0 }) { throw LegacyStoreError(.locked, reason: "Locked.") }
            return try LegacyFile.open(url)
        }
        FRAClient.start()
        return isLocked
    }

    @Test func aLockedLegacyStoreIsImportedLater() throws {
        defer { FRAClient.reset() }
        let isLocked = try startWithLockedSource()
        guard case .later = FRAClient.migration.outcome else {
            Issue.record("The migration's outcome is \(FRAClient.migration.outcome) instead of later.")
            return
        }
        #expect(FRAClient.shared?.getAllAccounts() == [])
        isLocked.withValue { $0 = false }
        #expect(FRAClient.shared?.getAllAccounts().count == 4)
        guard case .done = FRAClient.migration.outcome else {
            Issue.record("The migration's outcome is \(FRAClient.migration.outcome) instead of done.")
            return
        }
    }

    @Test func lockedRecordsAreNotImportedAfterTheImportIsSwitchedOff() throws {
        defer { FRAClient.reset() }
        let isLocked = try startWithLockedSource()
        isLocked.withValue { $0 = false }
        FRAClient.migration.mode = .inPlace
        #expect(FRAClient.shared?.getAllAccounts() == [])
        FRAClient.migration.run()
        #expect(FRAClient.shared?.getAllAccounts().count == 4)
    }
}

extension PushBridgeLegacyCallSites.OldApp: CallSiteTests.App {}
extension PushBridgeLegacyCallSitesSwift6.OldApp: CallSiteTests.App {}

/// An app's storage that was written before `StorageClient` had functions for the device token.
private final class TokenlessStorage: StorageClient {
    private let kept = ArchivingStorage()

    func setAccount(account: Account) -> Bool { kept.setAccount(account: account) }
    func removeAccount(account: Account) -> Bool { kept.removeAccount(account: account) }
    func getAccount(accountIdentifier: String) -> Account? {
        kept.getAccount(accountIdentifier: accountIdentifier)
    }
    func getAllAccounts() -> [Account] { kept.getAllAccounts() }
    func setMechanism(mechanism: Mechanism) -> Bool { kept.setMechanism(mechanism: mechanism) }
    func removeMechanism(mechanism: Mechanism) -> Bool { kept.removeMechanism(mechanism: mechanism) }
    func getMechanismsForAccount(account: Account) -> [Mechanism] {
        kept.getMechanismsForAccount(account: account)
    }
    func getMechanismForUUID(uuid: String) -> Mechanism? { kept.getMechanismForUUID(uuid: uuid) }
    func getNotification(notificationIdentifier: String) -> FRAuthenticator.PushNotification? {
        kept.getNotification(notificationIdentifier: notificationIdentifier)
    }
    func getNotificationByMessageId(messageId: String) -> FRAuthenticator.PushNotification? {
        kept.getNotificationByMessageId(messageId: messageId)
    }
    func setNotification(notification: FRAuthenticator.PushNotification) -> Bool {
        kept.setNotification(notification: notification)
    }
    func removeNotification(notification: FRAuthenticator.PushNotification) -> Bool {
        kept.removeNotification(notification: notification)
    }
    func getAllNotificationsForMechanism(mechanism: Mechanism) -> [FRAuthenticator.PushNotification] {
        kept.getAllNotificationsForMechanism(mechanism: mechanism)
    }
    func getAllNotifications() -> [FRAuthenticator.PushNotification] { kept.getAllNotifications() }
}

private final class RecordingLogger: FRLogger {
    private let recorded = Lock<[String]>([])
    var warnings: [String] { recorded.withValue { $0 } }

    func logVerbose(timePrefix: String, logPrefix: String, message: String) {}
    func logInfo(timePrefix: String, logPrefix: String, message: String) {}
    func logNetwork(timePrefix: String, logPrefix: String, message: String) {}
    func logWarning(timePrefix: String, logPrefix: String, message: String) {
        recorded.withValue { $0.append(message) }
    }
    func logError(timePrefix: String, logPrefix: String, message: String) {}
}

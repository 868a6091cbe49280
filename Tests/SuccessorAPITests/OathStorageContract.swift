import Foundation
import PingOath
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The package's storages and an app's storages for one-time passwords.
enum SomeOathStorage: CaseIterable, Sendable {
    case keychain, sqlite, memory, dictionary, files

    func make(in folder: TemporaryFolder) throws -> any OathStorage {
        switch self {
        case .keychain: OathKeychainStorage(keychain: InMemoryKeychain())
        case .sqlite: try OathSQLiteStorage(path: folder.path("oath.sqlite"), key: InMemorySealingKey())
        case .memory: CredentialStoreOathStorage(MemoryCredentialStore())
        case .dictionary: OathDictionaryStorage()
        case .files: try OathFileStorage()
        }
    }
}

/// The behaviour of every storage for one-time passwords, including an app's own storage.
@Suite("Storage contract of one-time passwords")
struct OathStorageContract {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func credential(_ id: String, counter: Int = 0) -> OathCredential {
        OathCredential(
            id: id,
            issuer: "Example",
            accountName: id,
            oathType: .hotp,
            counter: counter,
            createdAt: Date(timeIntervalSince1970: 1_700_000_000),
            // RFC 4226, appendix D.
            secretKey: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        )
    }

    @Test(arguments: SomeOathStorage.allCases)
    func aStorageStoresReplacesAndRemovesCredentials(_ kind: SomeOathStorage) async throws {
        let storage = try kind.make(in: folder)
        #expect(try await storage.getAllOathCredentials() == [])
        try await storage.storeOathCredential(credential("a"))
        try await storage.storeOathCredential(credential("b"))
        // The second credential with the id `a` replaces the first.
        try await storage.storeOathCredential(credential("a", counter: 7))
        #expect(Set(try await storage.getAllOathCredentials().map(\.id)) == ["a", "b"])
        #expect(try await storage.retrieveOathCredential(credentialId: "a") == credential("a", counter: 7))
        #expect(try await storage.retrieveOathCredential(credentialId: "c") == nil)
        #expect(try await storage.removeOathCredential(credentialId: "a"))
        #expect(try await !storage.removeOathCredential(credentialId: "a"))
        try await storage.clearOathCredentials()
        #expect(try await storage.getAllOathCredentials() == [])
    }

    @Test(arguments: SomeOathStorage.allCases)
    func eachStorageSupportsTheCallsOfAnOathClient(_ kind: SomeOathStorage) async throws {
        let storage = try kind.make(in: folder)
        func client() async throws -> OathClient {
            try await OathClient.createClient { config in
                config.storage = storage
                config.logger = LogManager.none
            }
        }
        let uri = "otpauth://hotp/Example:babs?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0"
        let first = try await client()
        let made = try await first.addCredentialFromUri(uri)
        await #expect(throws: OathError.duplicateCredential(issuer: "Example", accountName: "babs")) {
            try await first.addCredentialFromUri(uri)
        }
        #expect(try await first.generateCode(made.id) == "755224")
        // The second client stands for a new process of the app.
        let second = try await client()
        #expect(try await second.generateCode(made.id) == "287082")
        #expect(try await second.getCredential(made.id)?.counter == 2)
        var renamed = try #require(try await second.getCredential(made.id))
        renamed.displayIssuer = "Work"
        try await second.saveCredential(renamed)
        #expect(try await second.getCredentials().map(\.displayIssuer) == ["Work"])
        #expect(try await second.deleteCredential(made.id))
        #expect(try await storage.getAllOathCredentials() == [])
    }

    @Test func aStorageThatFailsGivesNoCodeAndLosesNone() async throws {
        let storage = OathDictionaryStorage()
        let client = try await OathClient.createClient { config in
            config.storage = storage
            config.logger = LogManager.none
        }
        let uri = "otpauth://hotp/Example:babs?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0"
        let made = try await client.addCredentialFromUri(uri)
        await storage.fail(true)
        await #expect(throws: OathStorageError.accessDenied("No disk.")) {
            try await client.generateCode(made.id)
        }
        await #expect(throws: OathStorageError.accessDenied("No disk.")) { try await client.getCredentials() }
        await storage.fail(false)
        #expect(try await client.generateCode(made.id) == "755224")
    }

    @Test func aLockedKeychainDoesNotReportItemsAsMissing() async throws {
        let keychain = InMemoryKeychain()
        let storage = OathKeychainStorage(keychain: keychain)
        try await storage.storeOathCredential(credential("a"))
        #expect(await storage.hasCredential(id: "a"))
        #expect(await !storage.hasCredential(id: "b"))
        keychain.isLocked = true
        #expect(await storage.hasCredential(id: "a"))
        let error = await #expect(throws: OathStorageError.self) {
            try await storage.retrieveOathCredential(credentialId: "a")
        }
        guard case .accessDenied? = error else {
            Issue.record("The error is \(String(describing: error)) instead of accessDenied.")
            return
        }
    }

    @Test func errorsDescribeTheirCauseAndTheRemedy() {
        let cause = OathStorageError.accessDenied("No disk.")
        let failure = OathError.codeGenerationFailed("It failed.", cause)
        #expect(failure.failureReason == cause.localizedDescription)
        let storage = OathStorageError.storageFailure("It failed.", cause)
        #expect(storage.failureReason == cause.localizedDescription)
        let errors: [any LocalizedError] = [
            OathError.credentialNotFound("a"), OathError.credentialLocked("a"),
            OathError.duplicateCredential(issuer: "a", accountName: "b"), OathError.invalidUri("x"),
            OathError.missingRequiredParameter("secret"), OathError.invalidParameterValue("x"),
            OathError.uriFormatting("x"), OathError.invalidSecret("x"), OathError.invalidOathType("x"),
            OathError.invalidAlgorithm("x"), OathError.codeGenerationFailed("x"),
            OathError.policyViolation("a", "p"), OathError.initializationFailed("x"),
            OathError.cleanupFailed("x"), OathStorageError.duplicateCredential("a"), cause,
            OathStorageError.storageCorrupted("x"), OathStorageError.storageFailure("x"),
        ]
        for error in errors {
            #expect(error.errorDescription?.isEmpty == false, "\(error)")
            #expect(error.failureReason?.isEmpty == false, "\(error)")
            #expect(error.recoverySuggestion?.isEmpty == false, "\(error)")
        }
    }
}

/// A storage that an app could write, based on a dictionary; a test can make the storage fail.
actor OathDictionaryStorage: OathStorage {
    private var credentials: [String: OathCredential] = [:]
    private var fails = false

    func fail(_ fails: Bool) { self.fails = fails }

    private func check() throws {
        if fails { throw OathStorageError.accessDenied("No disk.") }
    }

    func storeOathCredential(_ credential: OathCredential) async throws {
        try check()
        credentials[credential.id] = credential
    }

    func retrieveOathCredential(credentialId: String) async throws -> OathCredential? {
        try check()
        return credentials[credentialId]
    }

    func getAllOathCredentials() async throws -> [OathCredential] {
        try check()
        return Array(credentials.values)
    }

    func removeOathCredential(credentialId: String) async throws -> Bool {
        try check()
        return credentials.removeValue(forKey: credentialId) != nil
    }

    func clearOathCredentials() async throws {
        try check()
        credentials = [:]
    }
}

/// A storage that an app could write, with a JSON file for each credential, which contains the credential's secret.
actor OathFileStorage: OathStorage {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    func storeOathCredential(_ credential: OathCredential) async throws {
        let form = OathCredential.WithSecret(credential)
        try JSONEncoder().encode(form).write(to: URL(fileURLWithPath: folder.path(credential.id)))
    }

    func retrieveOathCredential(credentialId: String) async throws -> OathCredential? {
        guard try folder.names().contains(credentialId) else { return nil }
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.path(credentialId)))
        return try JSONDecoder().decode(OathCredential.WithSecret.self, from: data).credential
    }

    func getAllOathCredentials() async throws -> [OathCredential] {
        try folder.names().map { name in
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
            return try JSONDecoder().decode(OathCredential.WithSecret.self, from: data).credential
        }
    }

    func removeOathCredential(credentialId: String) async throws -> Bool {
        guard try folder.names().contains(credentialId) else { return false }
        try FileManager.default.removeItem(atPath: folder.path(credentialId))
        return true
    }

    func clearOathCredentials() async throws {
        for name in try folder.names() { try FileManager.default.removeItem(atPath: folder.path(name)) }
    }
}

import FRAuthenticator
import Foundation
import LegacyStore
import PingPush
import PushBridgeCore
import PushBridgeInternals
import PushBridgePlatform
@_spi(PushBridgeTools) import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Row 41: a pending enrolment survives a restart, even if the app changes to the other API.
///
/// Each storage has its own pending enrolments.
@Suite("Pending enrolments of both APIs")
struct PendingEnrolmentTests {
    private let phone = InMemoryKeychain()
    private let isLocked = Lock(false)
    private var waiting: KeychainPendingEnrolments { KeychainPendingEnrolments(phone) }

    /// Returns a store that rejects all changes while the phone is locked.
    private func lockable(_ store: any CredentialStore) -> any CredentialStore {
        let isLocked = isLocked
        return LockableStore(store) { isLocked.withValue { $0 } }
    }

    private func asyncClient(_ store: any CredentialStore) async throws -> (PushClient, FakeTransport) {
        let server = FakeTransport()
        let client = try await PushClient.createClient { config in
            config.storage = CredentialStoreStorage(lockable(store))
            config.transport = server
            config.logger = LogManager.none
            config.pendingEnrolments = waiting
        }
        return (client, server)
    }

    private func legacyFixture(_ store: any CredentialStore) throws -> ClientFixture {
        try ClientFixture(lockable(store), pending: waiting)
    }

    private func lockWhenAsked(_ server: FakeTransport) {
        let isLocked = isLocked
        server.willAnswer { _ in
            isLocked.withValue { $0 = true }
            return .ok
        }
    }

    /// Enrols through the callback API, in a store that becomes locked before it saves the enrolment.
    private func enrolInVain(_ store: any CredentialStore, code: String? = nil) async throws -> String {
        let fixture = try legacyFixture(store)
        fixture.setToken()
        lockWhenAsked(fixture.server)
        let id = try await fixture.create(code ?? ClientFixture.uri()).mechanismUUID
        isLocked.withValue { $0 = false }
        return id
    }

    enum Place: CaseIterable {
        case sqlite, keychain
    }

    private func stores(_ place: Place, _ folder: TemporaryFolder) throws -> [any CredentialStore] {
        let names = ["a", "b"]
        return switch place {
        case .sqlite:
            try names.map {
                try SQLiteCredentialStore(
                    path: folder.path("\($0).sqlite"),
                    key: InMemorySealingKey(),
                    mode: .create
                )
            }
        case .keychain:
            names.map { name in
                KeychainCredentialStore(
                    keychain: phone,
                    services: KeychainServices(credentials: "com.\(name)")
                )
            }
        }
    }

    @Test(arguments: Place.allCases)
    func theAsyncAPISavesThePendingEnrolmentOfTheCallbackAPI(_ place: Place) async throws {
        let folder = try TemporaryFolder()
        let stores = try stores(place, folder)
        let id = try await enrolInVain(stores[0])
        #expect(try waiting.waiting().map(\.id) == [id])
        // A client with another storage does not save the enrolment.
        let other = try await asyncClient(stores[1]).0
        #expect(try await other.getCredentials().isEmpty)
        #expect(try legacyFixture(stores[1]).client.getAllAccounts().isEmpty)
        #expect(try waiting.waiting().map(\.id) == [id])
        let client = try await asyncClient(stores[0]).0
        #expect(try await client.getCredentials().map(\.id) == [id])
        #expect(try stores[0].read { try $0.pushCredential(id: id) } != nil)
        #expect(try waiting.waiting().isEmpty)
    }

    @Test(arguments: Place.allCases)
    func theCallbackAPISavesThePendingEnrolmentOfTheAsyncAPI(_ place: Place) async throws {
        let folder = try TemporaryFolder()
        let stores = try stores(place, folder)
        let (client, server) = try await asyncClient(stores[0])
        try await client.setDeviceToken("00ff")
        lockWhenAsked(server)
        let id = try await client.addCredentialFromUri(ClientFixture.uri()).id
        isLocked.withValue { $0 = false }
        #expect(try legacyFixture(stores[1]).client.getAllAccounts().isEmpty)
        let found = try legacyFixture(stores[0]).client.getAllAccounts().flatMap(\.mechanisms)
        #expect(found.map(\.mechanismUUID) == [id])
        #expect(try waiting.waiting().isEmpty)
    }

    /// The code enrols a push credential and a one-time password.
    @Test(arguments: Place.allCases)
    func bothCredentialsOfACombinedCodeAreSavedWithTheirSecrets(_ place: Place) async throws {
        let folder = try TemporaryFolder()
        let store = try stores(place, folder)[0]
        let oath = try OathRegistration(
            uri: "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example"
        )
        let code = RegistrationURI.combined(try PushRegistration(uri: ClientFixture.uri()), oath).text
        let id = try await enrolInVain(store, code: code)
        #expect(try legacyFixture(store).client.getAllAccounts().flatMap(\.mechanisms).count == 2)
        let saved = try store.read { view in
            (try view.oathCredentials().values, try view.pushCredential(id: id)?.sharedSecret.isUsable)
        }
        #expect(saved.0.map { $0.withSecret { $0 } } == ["JBSWY3DPEHPK3PXP"])
        #expect(saved.1 == true)
    }

    /// An app replaces its storage for the callback API with a storage for the async API; it has no other
    /// storage of its own.
    ///
    /// The enrolment is finished in the new storage.
    ///
    /// If the app has two storages of its own, each enrolment belongs to one of the two.
    @Test func ownStoragesDifferByTheirTypes() async throws {
        let store = MemoryCredentialStore()
        _ = try await ClientFixture(store).enrol()
        let push = try store.read { try $0.pushCredentials().values.first }
        func belongs(_ kept: String, to name: String) throws -> Bool {
            var enrolment = PendingEnrolment(
                push: try #require(push),
                oath: nil,
                token: PushBridgeCore.PushDeviceToken(
                    tokenId: "AA",
                    createdAt: Date(timeIntervalSince1970: 0)
                )
            )
            enrolment.storage = kept
            return enrolment.belongs(to: name)
        }
        let (one, two) = (StorageName.own(Int.self), StorageName.own(String.self))
        #expect(try belongs(StorageName.own, to: one) && belongs(one, to: StorageName.own))
        #expect(try belongs(one, to: one) && !belongs(one, to: two))
        #expect(try !belongs("file a", to: one) && !belongs(StorageName.own, to: "file a"))
    }

    /// When an app is updated, the system gives its folders new names.
    @Test func aFileHasTheSameNameAfterAnUpdate() throws {
        let folder = try TemporaryFolder()
        let names = try (0..<2).map { _ in
            let container = folder.url(UUID().uuidString)
            try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
            return try SQLiteCredentialStore(
                path: container.appendingPathComponent("push.sqlite").path,
                key: InMemorySealingKey(),
                mode: .create
            ).storageName()
        }
        #expect(names[0] == names[1])
    }
}

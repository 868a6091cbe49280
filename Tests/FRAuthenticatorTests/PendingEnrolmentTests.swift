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

/// A pending enrolment survives a restart, even if the app changes to the other API.
///
/// Each storage has its own pending enrolments.
@Suite("Pending enrolments of both APIs")
struct PendingEnrolmentTests {
    private let phone = InMemoryKeychain()
    private let isLocked = Lock(false)
    private var waiting: KeychainPendingEnrolments { KeychainPendingEnrolments(phone) }

    /// Returns a store that rejects every read and every write while the phone is locked.
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

    /// Both credentials of a code that enrols a push credential and a one-time-password credential are saved.
    @Test(arguments: Place.allCases)
    func bothCredentialsOfACombinedCodeAreSavedWithTheirSecrets(_ place: Place) async throws {
        let folder = try TemporaryFolder()
        let store = try stores(place, folder)[0]
        let id = try await enrolInVain(store, code: try combinedCode())
        #expect(try legacyFixture(store).client.getAllAccounts().flatMap(\.mechanisms).count == 2)
        let saved = try store.read { view in
            (try view.oathCredentials().values, try view.pushCredential(id: id)?.sharedSecret.isUsable)
        }
        #expect(saved.0.map { $0.withSecret { $0 } } == ["JBSWY3DPEHPK3PXP"])
        #expect(saved.1 == true)
    }

    /// In pending enrolments of the async API, an app's own storages differ by their types.
    ///
    /// A pending enrolment contains the name of its storage, and this name contains the type. If an app replaces its
    /// only storage when it changes from the callback API to the async API, the enrolment is finished in the new
    /// storage. If the app provides two storages, each enrolment belongs to one of the two.
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

    /// If a later release moves the records into another store, once or twice, the enrolment is saved in that store.
    ///
    /// A store that received no records does not save the enrolment.
    @Test(arguments: Place.allCases, [1, 2])
    func aPendingEnrolmentFollowsTheRecordsIntoAnotherStore(_ place: Place, _ moves: Int) async throws {
        let folder = try TemporaryFolder()
        let first = try stores(place, folder)
        let second = try stores(place == .sqlite ? .keychain : .sqlite, folder)
        let id = try await enrolInVain(first[0])
        try StoreMove(from: first[0], to: second[0]).run()
        if moves == 2 { try StoreMove(from: second[0], to: first[1]).run() }
        #expect(try legacyFixture(second[1]).client.getAllAccounts().isEmpty)
        #expect(try waiting.waiting().map(\.id) == [id])
        let target = moves == 1 ? second[0] : first[1]
        let client = try await asyncClient(target).0
        #expect(try await client.getCredentials().map(\.id) == [id])
        #expect(try target.read { try $0.pushCredential(id: id) } != nil)
        #expect(try waiting.waiting().isEmpty)
    }

    /// The enrolment is saved although a move back to the legacy items has emptied the store.
    @Test(arguments: Place.allCases)
    func aPendingEnrolmentIsStoredAlthoughTheStoreWasEmptied(_ place: Place) async throws {
        let folder = try TemporaryFolder()
        let first = try stores(place, folder)[0]
        let second = try stores(place == .sqlite ? .keychain : .sqlite, folder)[0]
        let id = try await enrolInVain(first)
        try StoreMove(from: first, to: second).run()
        try second.write { try $0.removeAllButMarks() }
        let client = try await asyncClient(second).0
        #expect(try await client.getCredentials().map(\.id) == [id])
        #expect(try waiting.waiting().isEmpty)
    }

    // MARK: - In place

    private static let totp = "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example"

    /// Returns a code that enrols a push credential and a one-time-password credential.
    private func combinedCode() throws -> String {
        let push = try PushRegistration(uri: ClientFixture.uri())
        return RegistrationURI.combined(push, try OathRegistration(uri: Self.totp)).text
    }

    private func inPlace(_ keychain: UnreliableKeychain) throws -> ClientFixture {
        try ClientFixture(LegacyItemStore(LegacyKeychain(keychain)), pending: waiting)
    }

    /// Enrols in place; from the server's response on, the keychain refuses to write an item of the legacy SDK.
    private func enrolInVain(
        _ code: String,
        in fixture: ClientFixture,
        _ keychain: UnreliableKeychain,
        refusing item: String
    ) async throws -> String {
        fixture.setToken()
        fixture.server.willAnswer { _ in
            keychain.refuseWriting(item, with: -50)
            return .ok
        }
        return try await fixture.create(code).mechanismUUID
    }

    /// If one credential of a combined code is superseded, the other credential of the code is still stored.
    ///
    /// Before the code's enrolment is finished, the previous release enrols a credential of the same account and of one
    /// of the code's two types. This credential stays.
    @Test(arguments: ["push", "totp"])
    func aSupersededCredentialDoesNotDropTheOtherCredentialOfTheCode(_ superseded: String) async throws {
        let keychain = UnreliableKeychain(phone)
        let first = try inPlace(keychain)
        let id = try await enrolInVain(try combinedCode(), in: first, keychain, refusing: "Example-babs")
        keychain.refuseWriting("Example-babs", with: nil)
        let isPush = superseded == "push"
        let later = "otpauth://totp/Example:babs?secret=GEZDGNBVGY3TQOJQ&issuer=Example"
        let code = try isPush ? ClientFixture.uri() : later
        // The previous release works on the same items, and does not know the pending enrolment.
        let previous = try ClientFixture(LegacyItemStore(LegacyKeychain(UnreliableKeychain(phone))))
        let other = try await previous.create(code).mechanismUUID
        let fixture = try inPlace(keychain)
        let shown = fixture.client.getAllAccounts().flatMap(\.mechanisms)
        #expect(Set(shown.map(\.type)) == ["push", "totp"])
        #expect(shown.map(\.mechanismUUID).contains(other))
        let saved = try fixture.store.read { view in
            (
                try view.pushCredentials().values.map(\.id),
                try view.oathCredentials().values.map { $0.withSecret { $0 } }
            )
        }
        #expect(saved.0 == [isPush ? other : id])
        #expect(saved.1 == [isPush ? "JBSWY3DPEHPK3PXP" : "GEZDGNBVGY3TQOJQ"])
        #expect(try waiting.waiting().isEmpty)
    }

    /// A removed account is not added again by its pending enrolment.
    ///
    /// The keychain refuses to store the push mechanism, but accepts the removal of the account.
    @Test func aRemovedAccountIsNotAddedAgainByItsPendingEnrolment() async throws {
        let keychain = UnreliableKeychain(phone)
        let fixture = try inPlace(keychain)
        _ = try await fixture.create(Self.totp)
        let item = "Example-babs-push"
        _ = try await enrolInVain(try ClientFixture.uri(), in: fixture, keychain, refusing: item)
        let account = try #require(fixture.client.getAllAccounts().first)
        #expect(Set(account.mechanisms.map(\.type)) == ["push", "totp"])
        #expect(fixture.client.removeAccount(account: account))
        #expect(try waiting.waiting().isEmpty)
        keychain.refuseWriting(item, with: nil)
        for client in [fixture.client, try inPlace(keychain).client] {
            #expect(client.getAllAccounts() == [])
        }
    }

    /// A mechanism of a combined code is not stored if the user removes it before both mechanisms are stored.
    @Test(arguments: ["push", "totp"])
    func aRemovedMechanismOfAPendingEnrolmentIsNotStored(_ type: String) async throws {
        let keychain = UnreliableKeychain(phone)
        let fixture = try inPlace(keychain)
        let item = "Example-babs"
        _ = try await enrolInVain(try combinedCode(), in: fixture, keychain, refusing: item)
        let mechanisms = fixture.client.getAllAccounts().flatMap(\.mechanisms)
        #expect(Set(mechanisms.map(\.type)) == ["push", "totp"])
        let removed = try #require(mechanisms.first(where: { $0.type == type }))
        #expect(fixture.client.removeMechanism(mechanism: removed))
        keychain.refuseWriting(item, with: nil)
        let left = mechanisms.map(\.mechanismUUID).filter { $0 != removed.mechanismUUID }
        for client in [fixture.client, try inPlace(keychain).client] {
            let shown = client.getAllAccounts().flatMap(\.mechanisms)
            #expect(shown.map(\.mechanismUUID) == left)
        }
        #expect(try waiting.waiting().isEmpty)
    }

    /// An account is not removed if a pending enrolment cannot be cancelled, because the keychain refuses every call
    /// for the enrolment's item.
    @Test func aRemovalFailsIfThePendingEnrolmentCannotBeCancelled() async throws {
        let (keychain, other) = (UnreliableKeychain(phone), UnreliableKeychain(phone))
        let fixture = try ClientFixture(
            LegacyItemStore(LegacyKeychain(keychain)),
            pending: KeychainPendingEnrolments(other)
        )
        _ = try await fixture.create(Self.totp)
        let item = "Example-babs-push"
        let id = try await enrolInVain(try ClientFixture.uri(), in: fixture, keychain, refusing: item)
        let account = try #require(fixture.client.getAllAccounts().first)
        other.refuse(id, with: -50)
        #expect(!fixture.client.removeAccount(account: account))
        #expect(try fixture.store.read { try $0.oathCredentials().values.count } == 1)
        other.refuse(id, with: nil)
        #expect(fixture.client.removeAccount(account: account))
        keychain.refuseWriting(item, with: nil)
        #expect(fixture.client.getAllAccounts() == [])
    }

    /// The removal of an account from its server fails while an enrolment of the account is pending.
    ///
    /// Only profiles of stored credentials can be removed from the server.
    @Test func anAccountWithAPendingEnrolmentIsNotReportedAsRemovedFromItsServer() async throws {
        let keychain = UnreliableKeychain(phone)
        let fixture = try inPlace(keychain)
        _ = try await fixture.create(Self.totp)
        let item = "Example-babs-push"
        let id = try await enrolInVain(try ClientFixture.uri(), in: fixture, keychain, refusing: item)
        let account = try #require(fixture.client.getAllAccounts().first)
        let report = await outcome { succeed, fail in
            fixture.client.removeAccount(
                account: account,
                unregistering: { _, answer in answer(nil) },
                onSuccess: { _ in succeed() },
                onError: fail
            )
        }
        #expect(report.error != nil)
        #expect(try waiting.waiting().map(\.id) == [id])
        #expect(fixture.client.getAllAccounts().flatMap(\.mechanisms).count == 2)
    }

    @Test func aCredentialDeletedThroughTheAsyncAPIIsNotAddedAgain() async throws {
        let keychain = UnreliableKeychain(phone)
        let (client, server) = try await asyncClient(LegacyItemStore(LegacyKeychain(keychain)))
        try await client.setDeviceToken("00ff")
        server.willAnswer { _ in
            keychain.refuseWriting("Example-babs", with: -50)
            return .ok
        }
        let id = try await client.addCredentialFromUri(ClientFixture.uri()).id
        #expect(try await client.getCredentials().map(\.id) == [id])
        #expect(try await client.deleteCredential(id))
        keychain.refuseWriting("Example-babs", with: nil)
        #expect(try await client.getCredentials().isEmpty)
        #expect(try waiting.waiting().isEmpty)
    }

    /// The name of a store in a file is the same after an app's update, although the system renames the app's folders.
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

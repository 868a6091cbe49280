import Foundation
import PingPush
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// The behaviour of storages when a test calls them directly, and when a client uses them.
@Suite("Storage")
struct StorageTests {
    @Test(arguments: StoreKind.allCases.filter { $0 != .own })
    func storingARecordAgainReplacesIt(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        let credential = try await fixture.enrol()
        let push = try await fixture.deliver(to: credential)
        var renamed = credential
        renamed.displayIssuer = "Renamed"
        try await fixture.storage.storePushCredential(renamed)
        #expect(try await fixture.storage.getAllPushCredentials() == [renamed])
        var answered = push
        answered.markDenied()
        try await fixture.storage.storePushNotification(answered)
        #expect(try await fixture.storage.getAllPushNotifications() == [answered])
    }

    @Test(arguments: StoreKind.allCases)
    func theStorageReturnsTheRecordsOfTheClient(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind) {
            $0.notificationCleanupConfig = NotificationCleanupConfig(cleanupMode: .none)
        }
        let credential = try await fixture.enrol()
        let other = try await fixture.enrol("scarter")
        var pushes: [PushNotification] = []
        for second in 1...3 {
            let claims: JSONValue = ["i": .integer(1_700_000_000_000 + second * 1000)]
            pushes.append(try await fixture.deliver(claims, to: credential, messageId: "\(second)"))
        }
        let storage = fixture.storage
        #expect(Set(try await storage.getAllPushCredentials().map(\.id)) == [credential.id, other.id])
        #expect(try await storage.retrievePushCredential(credentialId: other.id) == other)
        let found = try await storage.getCredentialByIssuerAndAccount(issuer: "Example", accountName: "babs")
        #expect(found == credential)
        #expect(try await storage.getNotificationByMessageId(messageId: "2") == pushes[1])
        #expect(try await storage.retrievePushNotification(notificationId: pushes[0].id) == pushes[0])
        #expect(try await storage.countPushNotifications(credentialId: nil) == 3)
        #expect(try await storage.countPushNotifications(credentialId: other.id) == 0)
        let oldest = try await storage.getOldestPushNotifications(limit: 2, credentialId: credential.id)
        #expect(oldest == Array(pushes.prefix(2)))
        #expect(try await storage.purgePushNotificationsByCount(maxCount: 2, credentialId: nil) == 1)
        #expect(try await storage.removePushNotification(notificationId: pushes[1].id))
        #expect(try await storage.getAllPushNotifications() == [pushes[2]])
        #expect(try await storage.removePushNotificationsForCredential(credentialId: credential.id) == 1)
        #expect(try await storage.getPendingPushNotifications() == [])
        #expect(try await storage.getCurrentPushDeviceToken()?.tokenId == "00ff")
        try await storage.clearPushDeviceTokens()
        try await storage.clearPushNotifications()
        try await storage.clearPushCredentials()
        #expect(try await fixture.client.getCredentials() == [])
        #expect(try await fixture.client.getDeviceToken() == nil)
    }

    @Test func errorsOfAnAppsOwnStorageAreRethrownOrWrapped() async throws {
        let storage = OwnStorage()
        let client = try await PushClient.createClient { $0.storage = storage }
        let known = PushStorageError.storageFailure("The disk is missing.", nil)
        await storage.fail(with: known)
        await #expect(throws: known) { try await client.getCredentials() }
        let unknown = CocoaError(.fileReadNoPermission)
        await storage.fail(with: unknown)
        await #expect(throws: PushError.storageFailure(unknown.localizedDescription, nil)) {
            try await client.getCredentials()
        }
        await storage.fail(with: nil)
        #expect(try await client.getCredentials() == [])
    }

    @Test func theStreamReportsTheChangesOfAnotherClient() async throws {
        let fixture = try await PushClientFixture(.sqlite)
        let other = try await PushClient.createClient { config in
            config.storage = fixture.storage
            config.transport = fixture.server
        }
        let push = try await fixture.deliver(to: try await fixture.enrol())
        let pending = Listener(fixture.client.notifications)
        try await waitFor("the stream to report the pending push") { pending.received.last == [push] }
        try await other.denyNotification(push.id)
        // At first, the stream may report the push while its answer is being sent.
        try await waitFor("the stream to report that nothing is pending") { pending.received.last == [] }
    }

    @Test func aStreamRetainsItsClientWhileItIsRead() async throws {
        let storage = CredentialStoreStorage(MemoryCredentialStore())
        weak var client: PushClient?
        func listen() async throws -> AsyncStream<[PushNotification]> {
            let made = try await PushClient.createClient { $0.storage = storage }
            client = made
            return made.notifications
        }
        var pending: Listener? = Listener(try await listen())
        try await waitFor("the stream to report that nothing is pending") { pending?.received.last == [] }
        let push = PushNotification(
            id: "n",
            credentialId: "c",
            message: PushMessage(id: "m", challenge: "c2M="),
            ttl: 60,
            sentAt: .distantFuture,
            createdAt: .distantFuture
        )
        try await storage.storePushNotification(push)
        try await waitFor("the stream to report the push") { pending?.received.last == [push] }
        pending = nil
        try await waitFor("the client to be deallocated") { client == nil }
    }

    @Test func aCombinedCodeMakesBothCredentials() async throws {
        let store = MemoryCredentialStore()
        let server = FakeTransport()
        let client = try await PushClient.createClient { config in
            config.storage = CredentialStoreStorage(store)
            config.transport = server
        }
        try await client.setDeviceToken("00ff")
        let push = try PushRegistration(uri: PushClientFixture.uri())
        let secret = try #require(SharedSecret(base32: "JBSWY3DPEHPK3PXP"))
        let oath = OathRegistration(
            account: push.account,
            password: try OneTimePassword(secret: secret, algorithm: .sha1, digits: 6),
            movingFactor: .time(period: 30)
        )
        let credential = try await client.addCredentialFromUri(RegistrationURI.combined(push, oath).text)
        #expect(try await client.getCredentials() == [credential])
        let codes = try store.read { try $0.oathCredentials(account: push.account.key) }
        #expect(codes.map(\.password.secret) == [secret])
    }

    @Test(arguments: StoreKind.allCases)
    func deletingTheLastCredentialDeletesItsAccount(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        var first = try await fixture.enrol()
        first.displayIssuer = "Work"
        try await fixture.client.saveCredential(first)
        let second = try await fixture.enrol()
        #expect(second.displayIssuer == "Work")
        try await fixture.client.deleteCredential(first.id)
        #expect(try await fixture.client.getCredential(second.id)?.displayIssuer == "Work")
        try await fixture.client.deleteCredential(second.id)
        #expect(try await fixture.enrol().displayIssuer == "Example")
    }

    @Test func aCredentialIsRestoredFromItsRegistrationURI() async throws {
        let fixture = try await PushClientFixture()
        let credential = try await fixture.enrol(policies: #"{"biometricAvailable":{}}"#)
        var again = try await PushCredential.fromUri(credential.toUri())
        // A URI does not contain the date on which the account was added.
        again.account.addedAt = credential.account.addedAt
        #expect(again.account == credential.account)
        #expect(again.endpoints == credential.endpoints)
        #expect(again.sharedSecret == credential.sharedSecret)
        #expect(again.legacy?.registration == credential.legacy?.registration)
        var imported = credential
        imported.legacy = nil
        let readable = try await PushCredential.fromUri(imported.toUri())
        #expect(readable.endpoints == credential.endpoints)
        #expect(readable.sharedSecret == credential.sharedSecret)
    }
}

import Foundation
import PingPush
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The keychain storage of the successor SDK's guide, with an in-memory keychain.
@Suite("Keychain storage")
struct KeychainStorageTests {
    @Test func theDocumentsCustomStorageIsUsed() async throws {
        let keychain = InMemoryKeychain()
        try await StandIn.$keychain.withValue(keychain) {
            // Create a custom storage instance with specific parameters
            let customStorage = PushKeychainStorage(
                credentialService: "com.myapp.push.credentials",
                notificationService: "com.myapp.push.notifications",
                tokenService: "com.myapp.push.tokens",
                accessGroup: "group.myapp",
                accessibility: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
            )

            // Create the client with the custom storage
            let pushClient = try await PushClient.createClient { config in
                config.storage = customStorage
                config.enableCredentialCache = false
            }

            let credential = try await PushCredential.fromUri(PushClientFixture.uri())
            try await pushClient.saveCredential(credential)
            #expect(
                try keychain.accounts(service: "com.myapp.push.credentials", accessGroup: "group.myapp")
                    == [credential.id]
            )
        }
    }

    @Test func aClientReadsTheCredentialsThatAnotherClientStored() async throws {
        let keychain = InMemoryKeychain()
        let clients = try await [client(keychain), client(keychain)]
        let credential = try await PushCredential.fromUri(PushClientFixture.uri())
        try await clients[0].saveCredential(credential)
        #expect(try await clients[1].getCredentials() == [credential])
        try await clients[1].deleteCredential(credential.id)
        #expect(try await clients[0].getCredentials() == [])
    }

    @Test func aLockedKeychainIsAFailureOfTheStorage() async throws {
        let keychain = InMemoryKeychain()
        let client = try await client(keychain)
        try await client.saveCredential(PushCredential.fromUri(PushClientFixture.uri()))
        keychain.isLocked = true
        let error = await #expect(throws: PushStorageError.self) { try await client.getCredentials() }
        #expect(error?.cause?.code == .locked)
        keychain.isLocked = false
        #expect(try await client.getCredentials().count == 1)
    }

    @Test func aDamagedNotificationDoesNotPreventReceivingOrAnsweringAPush() async throws {
        let (keychain, server) = (InMemoryKeychain(), FakeTransport())
        let client = try await client(keychain, server)
        try await client.setDeviceToken("00ff")
        let credential = try await client.addCredentialFromUri(PushClientFixture.uri())
        func receive(_ messageId: String) async throws -> PushNotification {
            let payload = PushClientFixture.payload(for: credential, messageId: messageId)
            return try #require(await client.processNotification(message: payload.text))
        }
        let damaged = try await receive("1")
        keychain.makeUndecryptable(
            KeychainItem.Name(service: "com.pingidentity.push.notifications", account: damaged.id)
        )
        let push = try await receive("2")
        #expect(try await receive("2") == push)
        #expect(try await client.approveNotification(push.id))
    }

    @Test func aDamagedCredentialDoesNotPreventTokenUpdatesOfOthers() async throws {
        let (keychain, server) = (InMemoryKeychain(), FakeTransport())
        let client = try await client(keychain, server)
        try await client.setDeviceToken("00ff")
        let credential = try await client.addCredentialFromUri(PushClientFixture.uri("babs"))
        let damaged = try await client.addCredentialFromUri(PushClientFixture.uri("scarter"))
        keychain.makeUndecryptable(
            KeychainItem.Name(service: "com.pingidentity.push.credentials", account: damaged.id)
        )
        try await client.setDeviceToken("0a0b")
        let refreshed = server.requests.filter { $0.action == .refresh }.map { $0["mechanismUid"] }
        #expect(refreshed == [.string(credential.id)])
    }

    @Test func aNotificationIsStoredOnce() async throws {
        let storage = PushKeychainStorage(keychain: InMemoryKeychain())
        let notification = PushNotification(
            id: "n",
            credentialId: "c",
            message: PushMessage(id: "m", challenge: "c2M="),
            ttl: 60,
            sentAt: .distantPast,
            createdAt: .distantPast
        )
        try await storage.storePushNotification(notification)
        try await storage.storePushNotification(notification)
        #expect(try await storage.getAllPushNotifications() == [notification])
    }

    private func client(
        _ keychain: InMemoryKeychain,
        _ server: FakeTransport = FakeTransport()
    ) async throws -> PushClient {
        try await PushClient.createClient { config in
            config.storage = PushKeychainStorage(keychain: keychain)
            config.transport = server
            config.logger = LogManager.none
        }
    }
}

/// Replaces Apple's keychain in the guide's snippet.
///
/// `Scripts/apple` compiles the snippet with the real initialiser.
private enum StandIn {
    @TaskLocal static var keychain = InMemoryKeychain()
}

#if !canImport(Security)
private let kSecAttrAccessibleWhenUnlockedThisDeviceOnly = KeychainAccessibility.whenUnlockedThisDeviceOnly

extension PushKeychainStorage {
    fileprivate convenience init(
        credentialService: String,
        notificationService: String,
        tokenService: String,
        accessGroup: String?,
        accessibility: KeychainAccessibility
    ) {
        self.init(
            keychain: StandIn.keychain,
            credentialService: credentialService,
            notificationService: notificationService,
            tokenService: tokenService,
            accessGroup: accessGroup,
            accessibility: accessibility
        )
    }
}
#endif

import Foundation
import PingPush
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// The storages of the package and the storages of an app.
enum SomeStorage: CaseIterable, Sendable {
    case keychain, sqlite, memory, dictionary, fieldByField, files

    func make(in folder: TemporaryFolder) throws -> any PushStorage {
        switch self {
        case .keychain: PushKeychainStorage(keychain: InMemoryKeychain())
        case .sqlite: try PushSQLiteStorage(path: folder.path("push.sqlite"), key: InMemorySealingKey())
        case .memory: CredentialStoreStorage(MemoryCredentialStore())
        case .dictionary: DictionaryStorage()
        case .fieldByField: DictionaryStorage(keepsFieldsOnly: true)
        case .files: try FileStorage()
        }
    }
}

/// The behaviour of every storage, including an app's own storage.
@Suite("Storage contract")
struct StorageContract {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: SomeStorage.allCases)
    func aStorageStoresFindsAndRemovesCredentials(_ kind: SomeStorage) async throws {
        let storage = try kind.make(in: folder)
        let (one, other) = (PushCredential.sample("a"), PushCredential.sample("b"))
        try await storage.storePushCredential(one)
        try await storage.storePushCredential(other)
        #expect(Set(try await storage.getAllPushCredentials().map(\.id)) == ["a", "b"])
        #expect(try await storage.retrievePushCredential(credentialId: "a") == one)
        #expect(try await storage.retrievePushCredential(credentialId: "c") == nil)
        let found = try await storage.getCredentialByIssuerAndAccount(issuer: "Example", accountName: "b")
        #expect(found == other)
        #expect(try await storage.removePushCredential(credentialId: "a"))
        #expect(try await !storage.removePushCredential(credentialId: "a"))
        try await storage.clearPushCredentials()
        #expect(try await storage.getAllPushCredentials() == [])
    }

    @Test(arguments: SomeStorage.allCases)
    func aStorageStoresFindsAndRemovesNotifications(_ kind: SomeStorage) async throws {
        let storage = try kind.make(in: folder)
        var first = PushNotification.sample("1", minutesAgo: 2)
        let second = PushNotification.sample("2", of: "b", minutesAgo: 1)
        try await storage.storePushNotification(first)
        try await storage.storePushNotification(second)
        #expect(try await storage.getOldestPushNotifications(limit: 1, credentialId: nil) == [first])
        #expect(try await storage.getNotificationByMessageId(messageId: "message-2") == second)
        first.markApproved()
        try await storage.updatePushNotification(first)
        #expect(try await storage.retrievePushNotification(notificationId: "1") == first)
        // The package's storages do not list expired pushes as pending, but an app's own storage may list them.
        #expect(try await storage.getPendingPushNotifications().allSatisfy { $0 == second })
        #expect(try await storage.countPushNotifications(credentialId: "b") == 1)
        #expect(Set(try await storage.getAllPushNotifications().map(\.id)) == ["1", "2"])
        #expect(try await storage.purgePushNotificationsByCount(maxCount: 1, credentialId: nil) == 1)
        #expect(try await storage.getAllPushNotifications() == [second])
        #expect(try await storage.purgePushNotificationsByAge(maxAgeDays: 30, credentialId: nil) == 1)
        try await storage.storePushNotification(first)
        #expect(try await storage.removePushNotificationsForCredential(credentialId: "a") == 1)
        try await storage.storePushNotification(second)
        #expect(try await storage.removePushNotification(notificationId: "2"))
        try await storage.clearPushNotifications()
        #expect(try await storage.countPushNotifications(credentialId: nil) == 0)
    }

    @Test(arguments: SomeStorage.allCases)
    func aStorageReturnsOnlyTheLatestDeviceToken(_ kind: SomeStorage) async throws {
        let storage = try kind.make(in: folder)
        #expect(try await storage.getCurrentPushDeviceToken() == nil)
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try await storage.storePushDeviceToken(PushDeviceToken(token: "00ff", createdAt: date))
        try await storage.storePushDeviceToken(PushDeviceToken(token: "0a0b", createdAt: date + 1))
        #expect(try await storage.getCurrentPushDeviceToken()?.token == "0a0b")
        try await storage.clearPushDeviceTokens()
        #expect(try await storage.getCurrentPushDeviceToken() == nil)
    }

    @Test(arguments: SomeStorage.allCases)
    func eachStorageReturnsTheChangesOfAPushClient(_ kind: SomeStorage) async throws {
        let storage = try kind.make(in: folder)
        let server = FakeTransport()
        let client = try await PushClient.createClient { config in
            config.storage = storage
            config.transport = server
            config.logger = LogManager.none
            config.notificationCleanupConfig = .countBased(maxNotifications: 2)
        }
        try await client.setDeviceToken("00ff")
        let credential = try await client.addCredentialFromUri(Sample.uri())
        var last: PushNotification?
        for number in 1...4 {
            let payload = Sample.payload(of: credential, messageId: "m\(number)")
            last = try await client.processNotification(messageData: payload)
        }
        let push = try #require(last)
        #expect(try await client.getAllNotifications().count == 2)
        #expect(try await client.approveNotification(push.id))
        #expect(try await !client.denyNotification(push.id))
        #expect(try await client.getNotification(push.id)?.approved == true)
        var renamed = credential
        renamed.displayIssuer = "Work"
        try await client.saveCredential(renamed)
        #expect(try await client.getCredential(credential.id)?.displayIssuer == "Work")
        #expect(try await client.deleteCredential(credential.id))
        #expect(try await client.getAllNotifications() == [])
    }
    /// A token that the server has not confirmed is sent again when the app creates a new client on the same storage.
    @Test(arguments: SomeStorage.allCases)
    func anUnconfirmedTokenIsSentAfterARestart(_ kind: SomeStorage) async throws {
        let phone = try await EnrolledClient(try kind.make(in: folder))
        func requests(status: Int) async throws -> Int {
            let server = FakeTransport(status: status)
            let client = try await PushClient.createClient { config in
                config.storage = phone.storage
                config.transport = server
                config.logger = LogManager.none
            }
            if status == 200 {
                try await client.setDeviceToken("0a0b")
            } else {
                await #expect(throws: PushError.networkFailure("The server failed (HTTP 500).")) {
                    try await client.setDeviceToken("0a0b")
                }
            }
            #expect(try await client.getDeviceToken() == "0a0b")
            return server.requests.count
        }
        #expect(try await requests(status: 500) == 1)
        #expect(try await requests(status: 200) == 1)
        #expect(try await requests(status: 200) == 0)
    }

    @Test(arguments: SomeStorage.allCases)
    func aHandlerAnswersItsPushAfterARestart(_ kind: SomeStorage) async throws {
        let phone = try await EnrolledClient(try kind.make(in: folder)) {
            $0.customPushHandlers = ["own": SuccessorHandler()]
        }
        let message = "own:\(phone.credential.id)"
        let push = try #require(await phone.client.processNotification(message: message))
        let server = FakeTransport()
        func client(_ handlers: [String: Any]) async throws -> PushClient {
            try await PushClient.createClient { config in
                config.storage = phone.storage
                config.transport = server
                config.logger = LogManager.none
                config.customPushHandlers = handlers
            }
        }
        await #expect(throws: PushError.noHandlerForPlatform("own")) {
            try await client([:]).denyNotification(push.id)
        }
        let restarted = try await client(["own": SuccessorHandler()])
        #expect(try await restarted.approveBiometricNotification(push.id, authenticationMethod: "face"))
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: SomeStorage.allCases)
    func aPushWithAPlusInItsIdRequiresNoHandler(_ kind: SomeStorage) async throws {
        let phone = try await EnrolledClient(try kind.make(in: folder))
        let push = PushNotification(
            id: "a+b",
            credentialId: phone.credential.id,
            ttl: 120,
            messageId: "m1",
            challenge: "c2M=",
            pushType: .default,
            createdAt: Date()
        )
        try await phone.storage.storePushNotification(push)
        #expect(try await phone.client.approveNotification("a+b"))
        #expect(phone.server.requests.last?.action == .authenticate)
    }

    /// If a storage keeps only the fields that the SDK declares, the fields that PushBridge adds are lost.
    @Test func aStorageOfSDKFieldsLosesPushBridgesFields() async throws {
        let base = "https://am.example.com/json/push/sns/message?realm=/beta&_action="
        let endpoints = PushEndpoints(registration: "\(base)register", authentication: "\(base)authenticate")
        var code = PushRegistration(
            account: AccountProfile(issuer: "Example", accountName: "scarter"),
            endpoints: try #require(endpoints),
            sharedSecret: .random(),
            challenge: Data("challenge".utf8),
            messageId: "REGISTER:2"
        )
        code.loadBalancer = "amlbcookie=01"
        let fields = DictionaryStorage(keepsFieldsOnly: true, keepsCredentialsWhole: false)
        for (storage, isWhole) in [(DictionaryStorage(keepsFieldsOnly: true), true), (fields, false)] {
            let client = try await EnrolledClient(storage).client
            let id = try await client.addCredentialFromUri(code.uri()).id
            try await client.deleteCredential(id) { _ in nil }
            let stored = try #require(try await client.getCredential(id))
            #expect(stored.authenticationEndpoint.contains("realm") == isWhole)
            #expect((stored.legacy?.registration?.loadBalancer == "amlbcookie=01") == isWhole)
            #expect((stored.owedRemoval != nil) == isWhole)
        }
    }
}

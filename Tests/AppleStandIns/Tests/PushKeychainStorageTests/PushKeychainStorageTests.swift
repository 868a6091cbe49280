import Foundation
import PingOath
import PingPush
import PushBridgeCore
import PushBridgeStore
import Security
import Testing

/// The async API on Apple platforms, with the system's keychain as its default storage.
@Suite("Keychain storage of the system")
struct PushKeychainStorageTests {
    private let keychain = SystemKeychain()

    init() { StandInKeychain.reset() }

    @Test func aClientStoresCredentialsInItsCustomStorage() async throws {
        StandInKeychain.with { $0.groups = ["app", "group.myapp"] }
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

        try await pushClient.saveCredential(credential("c"))
        #expect(
            try keychain.accounts(service: "com.myapp.push.credentials", accessGroup: "group.myapp") == ["c"]
        )
        let accessibility = StandInKeychain.with {
            $0.accessibility(service: "com.myapp.push.credentials", account: "c")
        }
        #expect(accessibility == "aku")
    }

    @Test func aClientKeepsItsCredentialsInTheKeychainByDefault() async throws {
        let client = try await PushClient.createClient()
        try await client.saveCredential(credential("c"))
        #expect(
            try keychain.accounts(service: "com.pingidentity.push.credentials", accessGroup: nil) == ["c"]
        )
        let another = try await PushClient.createClient()
        #expect(try await another.getCredentials() == [credential("c")])
    }

    /// Before the storage reads a one-time-password credential, the system asks the owner, as with the successor SDK.
    ///
    /// If the owner refuses, the storage throws an access error.
    @Test(arguments: [OathKeychainSecurityOptions.biometric, .biometricOnly])
    func theOwnerIsAskedBeforeACodeIsRead(_ options: OathKeychainSecurityOptions) async throws {
        let storage = OathKeychainStorage(securityOptions: options)
        let credential = OathCredential(
            issuer: "Example",
            accountName: "babs",
            oathType: .totp,
            createdAt: Date(timeIntervalSince1970: 1_700_000_000),
            secretKey: "JBSWY3DPEHPK3PXP"
        )
        try await storage.storeOathCredential(credential)
        #expect(try await storage.retrieveOathCredential(credentialId: credential.id) == credential)
        StandInKeychain.with { $0.ownerAgrees = false }
        let error = await #expect(throws: OathStorageError.self) {
            try await storage.retrieveOathCredential(credentialId: credential.id)
        }
        guard case .accessDenied? = error else {
            Issue.record("The error is \(String(describing: error)) instead of accessDenied.")
            return
        }
        StandInKeychain.with { $0.ownerAgrees = true }
        let plain = OathKeychainStorage(service: "plain")
        try await plain.storeOathCredential(credential)
        StandInKeychain.with { $0.ownerAgrees = false }
        #expect(try await plain.retrieveOathCredential(credentialId: credential.id) == credential)
    }

    @Test func itemsStoredAsAfterFirstUnlockAreReadableOnALockedDevice() async throws {
        let storage = PushKeychainStorage(credentialService: "s", accessibility: .afterFirstUnlock)
        try await storage.storePushCredential(credential("c"))
        StandInKeychain.with { $0.device = .locked }
        #expect(try await storage.getAllPushCredentials() == [credential("c")])
    }

    @Test func onALockedDeviceTheStorageThrowsAndLosesNothing() async throws {
        let storage = PushKeychainStorage()
        try await storage.storePushCredential(credential("c"))
        StandInKeychain.with { $0.device = .locked }
        let reading = await #expect(throws: PushStorageError.self) {
            try await storage.getAllPushCredentials()
        }
        #expect(reading?.cause?.code == .locked)
        let writing = await #expect(throws: PushStorageError.self) {
            try await storage.storePushCredential(credential("d"))
        }
        #expect(writing?.cause?.code == .locked)
        StandInKeychain.with { $0.device = .unlocked }
        #expect(try await storage.getAllPushCredentials() == [credential("c")])
    }

    @Test func aMissingEntitlementIsReported() async throws {
        let storage = PushKeychainStorage(accessGroup: "group.foreign")
        let error = await #expect(throws: PushStorageError.self) { try await storage.getAllPushCredentials() }
        #expect(error?.cause?.reason.hasSuffix("The app has no entitlement for this keychain item.") == true)
    }

    @Test func theSealingKeyOfAFileIsInTheKeychain() throws {
        let key = try KeychainSealingKey(service: "PingPush").keyForNewStore()
        #expect(try keychain.accounts(service: "PingPush", accessGroup: nil) == ["sealing-key"])
        #expect(try KeychainSealingKey(service: "PingPush").existingKey() == key)
        let accessibility = StandInKeychain.with {
            $0.accessibility(service: "PingPush", account: "sealing-key")
        }
        #expect(accessibility == "ck")
    }

    private func credential(_ id: String) throws -> PushCredential {
        let base = "https://am.example.com/json/push/sns/message"
        let endpoints = PushEndpoints(
            registration: "\(base)?_action=register",
            authentication: "\(base)?_action=authenticate"
        )
        return PushCredential(
            id: id,
            account: AccountProfile(issuer: "Example", accountName: "babs"),
            endpoints: try #require(endpoints),
            sharedSecret: try #require(SharedSecret(utf8: "a secret")),
            createdAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
    }
}

extension PushStorageError {
    /// The store's error inside a storage error; `nil` if the storage error contains no store error.
    fileprivate var cause: StoreError? {
        if case .storageFailure(_, let cause) = self { cause as? StoreError } else { nil }
    }
}

import Foundation
import PingOath
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

/// The OATH client, in a file that imports both APIs, as an app may do.
///
/// The names of the two APIs do not clash.
@Suite("OATH client")
struct ClientTests {
    @Test(arguments: StorageKind.allCases)
    func aPolicyLocksAndUnlocksACredential(_ kind: StorageKind) async throws {
        let isTampered = Lock(false)
        let policy = DeviceTamperingPolicy { isTampered.withValue { $0 ? 1 : 0 } }
        let fixture = try await OathClientFixture(kind) { config in
            config.policyEvaluator = MfaPolicyEvaluator(policies: [policy])
            config.enableCredentialCache = true
        }
        let uri = OathClientFixture.hotp("babs", "&policies=eyJkZXZpY2VUYW1wZXJpbmciOnt9fQ")
        let id = try await fixture.client.addCredentialFromUri(uri).id
        #expect(try await fixture.client.generateCode(id) == "755224")

        isTampered.withValue { $0 = true }
        await #expect(throws: OathError.credentialLocked(id)) { try await fixture.client.generateCode(id) }
        #expect(try await fixture.client.getCredentials().map(\.lockingPolicy) == ["deviceTampering"])
        #expect(try await fixture.storage.retrieveOathCredential(credentialId: id)?.isLocked == true)

        isTampered.withValue { $0 = false }
        #expect(try await fixture.client.generateCode(id) == "287082")
        #expect(try await fixture.storage.retrieveOathCredential(credentialId: id)?.isLocked == false)
    }

    @Test func aDeviceThatDoesNotComplyIsNotEnrolled() async throws {
        let fixture = try await OathClientFixture { config in
            config.policyEvaluator = MfaPolicyEvaluator(policies: [DeviceTamperingPolicy { 1 }])
        }
        let error = await #expect(throws: OathError.self) {
            try await fixture.client.addCredentialFromUri(
                OathClientFixture.totp("babs", "&policies=eyJkZXZpY2VUYW1wZXJpbmciOnt9fQ")
            )
        }
        guard case .policyViolation("deviceTampering", let id)? = error else {
            Issue.record("The error is \(String(describing: error)) instead of policyViolation.")
            return
        }
        #expect(UUID(uuidString: id) != nil)
        #expect(try await fixture.client.getCredentials() == [])
    }

    @Test(arguments: StorageKind.allCases)
    func aMissingCredentialIsNamedInTheError(_ kind: StorageKind) async throws {
        let fixture = try await OathClientFixture(kind)
        #expect(try await fixture.client.getCredential("none") == nil)
        await #expect(throws: OathError.credentialNotFound("none")) {
            try await fixture.client.generateCode("none")
        }
    }

    @Test func aClosedClientThrowsAnError() async throws {
        let fixture = try await OathClientFixture()
        let credential = try await fixture.client.addCredentialFromUri(OathClientFixture.totp())
        try await fixture.client.close()
        try await fixture.client.close()
        let closed = OathError.initializationFailed("The client is closed.", nil)
        await #expect(throws: closed) { try await fixture.client.getCredentials() }
        await #expect(throws: closed) { try await fixture.client.generateCode(credential.id) }
        await #expect(throws: closed) { try await fixture.client.saveCredential(credential) }
        await #expect(throws: closed) {
            try await fixture.client.addCredentialFromUri(OathClientFixture.hotp())
        }
        await #expect(throws: closed) { try await fixture.client.deleteCredential(credential.id) }
    }

    @Test func aClosedFileIsAStorageFailure() async throws {
        let folder = try TemporaryFolder()
        let storage = try OathSQLiteStorage(path: folder.path("oath.sqlite"), key: InMemorySealingKey())
        let client = try await OathClient.createClient { $0.storage = storage }
        try storage.close()
        let error = await #expect(throws: OathStorageError.self) { try await client.getCredentials() }
        guard case .storageFailure(_, let cause)? = error else {
            Issue.record("The error is \(String(describing: error)) instead of storageFailure.")
            return
        }
        #expect((cause as? StoreError)?.code == .failed)
    }

    @Test func bothAPIsWorkOnOneStore() async throws {
        let folder = try TemporaryFolder()
        let key = InMemorySealingKey()
        let push = try PushSQLiteStorage(path: folder.path("push.sqlite"), key: key)
        let oath = try await OathClient.createClient { config in
            config.storage = CredentialStoreOathStorage(push.store)
            config.logger = LogManager.logger
        }
        let credential = try await oath.addCredentialFromUri(OathClientFixture.totp())
        #expect(try push.store.read { try $0.oathCredential(id: credential.id) } == credential)
        #expect(try await push.getAllPushCredentials() == [])
    }

    @Test func aChangedCredentialIsRemovedFromTheCache() async throws {
        let fixture = try await OathClientFixture { $0.enableCredentialCache = true }
        var credential = try await fixture.client.addCredentialFromUri(OathClientFixture.totp())
        #expect(try await fixture.client.getCredential(credential.id) == credential)
        try await fixture.storage.clearOathCredentials()
        #expect(try await fixture.client.getCredential(credential.id) == credential)
        credential.displayIssuer = "Work"
        try await fixture.client.saveCredential(credential)
        #expect(try await fixture.client.getCredential(credential.id)?.displayIssuer == "Work")
    }

    @Test func errorsAreSentences() {
        let errors: [OathError] = [
            .credentialNotFound("1"), .credentialLocked("1"), .uriFormatting("why"),
            .cleanupFailed("why", nil),
        ]
        #expect(
            errors.map(\.localizedDescription).filter { $0.hasSuffix(".") || $0.hasSuffix("why") }.count == 4
        )
    }
}

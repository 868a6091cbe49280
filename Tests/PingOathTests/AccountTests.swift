import Foundation
import PingOath
import PushBridgeCore
import PushBridgePlatform
import Testing

/// Properties of an account apply to all its credentials, regardless of which API stored a credential.
@Suite("The account of a one-time password")
struct AccountTests {
    /// Returns a push credential in the account of ``OathClientFixture/totp(_:_:)``.
    private static func pushCredential() throws -> PushCredential {
        let code = try RegistrationURI(
            "pushauth://push/forgerock:babs?m=REGISTER:1&s=c2VjcmV0&c=Y2hhbGxlbmdl&issuer=RXhhbXBsZQ"
                + "&r=aHR0cHM6Ly9hbS5leGFtcGxlLmNvbS9wdXNoP19hY3Rpb249cmVnaXN0ZXI"
                + "&a=aHR0cHM6Ly9hbS5leGFtcGxlLmNvbS9wdXNoP19hY3Rpb249YXV0aGVudGljYXRl"
        )
        guard case .push(let push) = code else { throw RegistrationURIError.unsupported }
        return push.credential(id: "push", createdAt: Date(timeIntervalSince1970: 1))
    }

    private let store = MemoryCredentialStore()

    private func client(_ policies: [any MfaPolicy] = []) async throws -> OathClient {
        try await OathClient.createClient { config in
            config.storage = CredentialStoreOathStorage(store)
            config.policyEvaluator = MfaPolicyEvaluator(policies: policies)
            config.logger = LogManager.none
        }
    }

    private func push() throws -> PushCredential? { try store.read { try $0.pushCredential(id: "push") } }

    @Test func aNewCredentialReceivesTheNameAndLockOfItsAccount() async throws {
        var push = try Self.pushCredential()
        push.displayAccountName = "Babs Jensen"
        push.account.lockingPolicy = "deviceTampering"
        push.account.isLocked = true
        let known = push
        try store.write { try $0.save(known) }
        let client = try await client()
        let added = try await client.addCredentialFromUri(OathClientFixture.totp())
        #expect(added.displayAccountName == "Babs Jensen")
        #expect(added.isLocked)
        #expect(try await client.getCredential(added.id) == added)
        await #expect(throws: OathError.credentialLocked(added.id)) {
            try await client.generateCode(added.id)
        }
    }

    @Test func aRenamedAccountIsRenamedForPushToo() async throws {
        let client = try await client()
        var credential = try await client.addCredentialFromUri(OathClientFixture.totp())
        let push = try Self.pushCredential()
        try store.write { try $0.save(push) }
        credential.displayIssuer = "Work"
        try await client.saveCredential(credential)
        #expect(try self.push()?.displayIssuer == "Work")
    }

    @Test func anAccountThatAPolicyLocksIsLockedForPushToo() async throws {
        let complies = Lock(true)
        let client = try await client([Switch(complies: complies)])
        let added = try await client.addCredentialFromUri(
            OathClientFixture.totp("babs", "&policies=%7B%22switch%22:1%7D")
        )
        let push = try Self.pushCredential()
        try store.write { try $0.put(push) }
        complies.withValue { $0 = false }
        #expect(try await client.getCredential(added.id)?.isLocked == true)
        #expect(try self.push()?.isLocked == true)
        #expect(try self.push()?.lockingPolicy == "switch")
    }

    @Test func deletingTheLastCredentialDeletesItsAccount() async throws {
        let client = try await client()
        var credential = try await client.addCredentialFromUri(OathClientFixture.totp())
        credential.displayIssuer = "Work"
        try await client.saveCredential(credential)
        try await client.deleteCredential(credential.id)
        #expect(try await client.addCredentialFromUri(OathClientFixture.totp()).displayIssuer == "Example")
        let push = try Self.pushCredential()
        try store.write { try $0.put(push) }
        for stored in try await client.getCredentials() { try await client.deleteCredential(stored.id) }
        #expect(try store.read { try $0.account(push.account.key) } != nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func aStorageThatCallsItsClientGetsAnError() async throws {
        let fixture = try await OathClientFixture(.own)
        let storage = try #require(fixture.storage as? OwnStorage)
        let client = fixture.client
        storage.whileStoring { _ = try await client.getCredentials() }
        let reason = "The storage must not call its client in a transaction."
        let error = OathStorageError.storageFailure(reason, nil)
        await #expect(throws: error) { try await client.addCredentialFromUri(OathClientFixture.totp()) }
        storage.whileStoring(nil)
        try await client.addCredentialFromUri(OathClientFixture.totp())
        #expect(try await client.getCredentials().count == 1)
    }

    private struct Switch: MfaPolicy {
        let name = "switch"
        let complies: Lock<Bool>

        func evaluate(data: [String: Any]?) async throws -> Bool { complies.withValue { $0 } }
    }
}

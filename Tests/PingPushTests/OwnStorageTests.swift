import Foundation
import PingPush
import PushBridgeTestSupport
import Testing

/// Failures of an app's own storage, and their effect on credentials.
///
/// The storage rejects duplicates and has no transactions.
@Suite("An app's own storage")
struct OwnStorageTests {
    /// A rename of one credential does not change the lock of another credential of the same account.
    @Test func aRenameOfACredentialUnlocksNoOtherCredential() async throws {
        let (storage, server) = (OwnStorage(), FakeTransport())
        let client = try await PushClient.createClient { config in
            config.storage = storage
            config.transport = server
        }
        try await client.setDeviceToken("00ff")
        let credential = try await client.addCredentialFromUri(PushClientFixture.uri())
        let other = try await client.addCredentialFromUri(PushClientFixture.uri())
        let policies = #"{"deviceTampering":{"score":0.8}}"#
        for id in [credential.id, other.id] {
            var locked = try #require(try await storage.retrievePushCredential(credentialId: id))
            locked.policies = policies
            locked.lockCredential(policyName: "own")
            _ = try await storage.removePushCredential(credentialId: id)
            try await storage.storePushCredential(locked)
        }
        var opened = try #require(try await storage.retrievePushCredential(credentialId: credential.id))
        opened.unlockCredential()
        opened.policies = nil
        _ = try await client.saveCredential(opened)
        opened.displayIssuer = "Renamed"
        _ = try await client.saveCredential(opened)
        let left = try #require(try await storage.retrievePushCredential(credentialId: other.id))
        #expect(left.isLocked && left.lockingPolicy == "own" && left.policies == policies)
    }

    /// A credential survives if the storage fails, or if the process ends, at any change of an update.
    @Test(arguments: 1...6, [false, true])
    func aCredentialSurvivesAnUpdateThatFails(_ change: Int, _ endsThere: Bool) async throws {
        let (storage, credential, client) = try await start()
        await storage.fail(atChange: change, forever: endsThere)
        let payload = PushClientFixture.payload(["d": "babs-id"], for: credential)
        let isReceived = await Result { try await client.processNotification(message: payload.text) }
            .isSuccess
        #expect(isReceived || change <= 5)
        await storage.fail(atChange: nil)
        try await expectOnly(credential, in: storage, endsThere ? nil : client)
    }

    @Test(arguments: 1...6, [false, true])
    func aCredentialSurvivesALockThatFails(_ change: Int, _ endsThere: Bool) async throws {
        let (storage, credential, client) = try await start(DeviceTamperingPolicy { 1 })
        await storage.fail(atChange: change, forever: endsThere)
        _ = await Result { try await client.getCredential(credential.id) }
        await storage.fail(atChange: nil)
        try await expectOnly(credential, in: storage, endsThere ? nil : client)
        #expect(try await client.getCredential(credential.id)?.lockingPolicy == "deviceTampering")
    }

    /// If the storage loses a credential, the client still has the credential, and stores it again later.
    @Test(arguments: [false, true])
    func aCredentialThatTheStorageLostIsStoredAgainLater(_ isCopyRefused: Bool) async throws {
        let (storage, credential, client) = try await start()
        await storage.refuseOthersOfAnAccount(isCopyRefused)
        // Storing the new credential fails after the old credential was removed. Storing the old credential
        // again also fails.
        await storage.fail(atChange: 4, forever: true)
        let payload = PushClientFixture.payload(["d": "babs-id"], for: credential)
        await #expect(throws: PushStorageError.storageFailure("The disk is missing.")) {
            try await client.processNotification(message: payload.text)
        }
        await storage.fail(with: nil)
        try await expectOnly(credential, in: storage, client)
    }

    @Test func callsForOneRecordLoadNoLists() async throws {
        let fixture = try await PushClientFixture(.own)
        let credential = try await fixture.enrol()
        let push = try await fixture.deliver(to: credential)
        let storage = try #require(fixture.storage as? OwnStorage)
        await storage.forgetCalls()
        _ = try await fixture.client.getNotification(push.id)
        _ = try await fixture.client.getCredential(credential.id)
        _ = try await fixture.client.approveNotification(push.id)
        _ = try await fixture.deliver(to: credential, messageId: "AUTHENTICATE:2")
        #expect(await storage.lists == 0)
    }

    @Test(arguments: [0, 3, 40])
    func storageCallsDoNotIncreaseWithTheNumberOfCredentials(_ count: Int) async throws {
        let fixture = try await PushClientFixture(.own)
        let storage = try #require(fixture.storage as? OwnStorage)
        for number in 0..<count { try await fixture.enrol("user\(number)") }
        try await fixture.client.setDeviceToken("00ff")
        await storage.forgetCalls()
        #expect(try await fixture.client.getCredentials().count == count)
        #expect(await storage.calls == ["getAllPushCredentials()": 1])
        await storage.forgetCalls()
        let credential = try await fixture.client.addCredentialFromUri(PushClientFixture.uri())
        // The client reads the credentials and the token before the request and again after it, because another task
        // may change them during the request.
        #expect(
            await storage.calls == [
                "getAllPushCredentials()": 2, "getCurrentPushDeviceToken()": 2, "storePushCredential(_:)": 1,
            ]
        )
        let push = try await fixture.deliver(to: credential)
        await storage.forgetCalls()
        #expect(try await fixture.client.approveNotification(push.id))
        #expect(
            await storage.calls == [
                "retrievePushNotification(notificationId:)": 2,
                "retrievePushCredential(credentialId:)": 1,
                "updatePushNotification(_:)": 1,
            ]
        )
    }

    @Test(.timeLimit(.minutes(1)))
    func aStorageThatCallsItsClientGetsAnError() async throws {
        let fixture = try await PushClientFixture(.own)
        let credential = try await fixture.enrol()
        let storage = try #require(fixture.storage as? OwnStorage)
        let client = fixture.client
        await storage.whileStoring { _ = try await client.getPendingNotifications() }
        let reason = "The storage must not call its client in a transaction."
        let error = PushStorageError.storageFailure(reason, nil)
        await #expect(throws: error) { try await fixture.deliver(to: credential) }
        await storage.whileStoring(nil)
        let push = try await fixture.deliver(to: credential)
        #expect(try await client.getPendingNotifications() == [push])
    }

    @Test func aStorageMayCallItsClientWhenTheTransactionIsOver() async throws {
        let fixture = try await PushClientFixture(.own)
        let credential = try await fixture.enrol()
        let storage = try #require(fixture.storage as? OwnStorage)
        let client = fixture.client
        let (found, ended) = (Awaited<Int>(), Awaited<Void>())
        await storage.whileStoring {
            Task {
                try await ended.value("the transaction to end")
                found.provide(try await client.getPendingNotifications().count)
            }
        }
        _ = try await fixture.deliver(to: credential)
        ended.provide(())
        #expect(try await found.value("the storage's call") == 1)
    }

    @Test func aRenamedAccountIsRenamedForAllOfItsCredentials() async throws {
        let fixture = try await PushClientFixture(.own)
        var first = try await fixture.enrol()
        let second = try await fixture.enrol()
        first.displayIssuer = "Work"
        try await fixture.client.saveCredential(first)
        #expect(try await fixture.client.getCredential(second.id)?.displayIssuer == "Work")
    }

    private func start(_ policies: any MfaPolicy...) async throws -> (OwnStorage, PushCredential, PushClient)
    {
        let fixture = try await PushClientFixture(.own)
        let credential = try await fixture.enrol(policies: #"{"deviceTampering":{}}"#)
        let storage = try #require(fixture.storage as? OwnStorage)
        return (storage, credential, try await client(storage, policies))
    }

    private func client(_ storage: OwnStorage, _ policies: [any MfaPolicy] = []) async throws -> PushClient {
        try await PushClient.createClient { config in
            config.storage = storage
            config.policyEvaluator = MfaPolicyEvaluator(policies: policies)
            config.logger = LogManager.none
        }
    }

    /// Checks that a client finds this credential and no other credential.
    ///
    /// If `client` is `nil`, a new client is used, as after a restart.
    private func expectOnly(
        _ credential: PushCredential,
        in storage: OwnStorage,
        _ client: PushClient?
    ) async throws {
        let client = if let client { client } else { try await self.client(storage) }
        let found = try await client.getCredentials()
        #expect(found.map(\.id) == [credential.id])
        #expect(found.map(\.sharedSecret) == [credential.sharedSecret])
        #expect(try await storage.getAllPushCredentials().map(\.id) == [credential.id])
    }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }

    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}

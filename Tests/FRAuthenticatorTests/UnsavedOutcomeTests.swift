import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// If the server accepts an answer or an enrolment but the storage fails to save it, the call succeeds.
///
/// The call fails only if a restart would lose the enrolment.
@Suite("Outcomes that a storage fails to save")
struct UnsavedOutcomeTests {
    private let storage = CountingStorage()
    private let fixture: ClientFixture
    private let every = Set(1...1000)

    init() throws {
        fixture = try ClientFixture(storage: storage)
    }

    /// Makes the storage reject every change from the next request to the server on.
    private func refuseOnceTheServerIsAsked(of other: ClientFixture? = nil) {
        let (storage, every) = (storage, every)
        (other ?? fixture).server.willAnswer { _ in
            storage.refuse(every)
            return .ok
        }
    }

    @Test(arguments: [true, false])
    func anAnswerIsSavedLaterIfTheStorageFailsAfterTheRequest(_ isApproval: Bool) async throws {
        let push = try #require(try fixture.deliver(to: await fixture.enrol()))
        refuseOnceTheServerIsAsked()
        let report = await outcome {
            isApproval ? push.accept(onSuccess: $0, onError: $1) : push.deny(onSuccess: $0, onError: $1)
        }
        #expect(report.error == nil)
        let sent = fixture.server.requests.count
        #expect(storage.getAllNotifications().map(\.isPending) == [true])
        let shown = try #require(fixture.client.getAllNotifications().first)
        #expect((shown.isPending, shown.isApproved) == (false, isApproval))
        for answered in [push, shown] {
            let again = await outcome { answered.accept(onSuccess: $0, onError: $1) }
            guard case PushNotificationError.notificationInvalidStatus? = again.error else {
                Issue.record("The second answer did not fail as expected: \(String(describing: again.error))")
                return
            }
        }
        #expect(fixture.server.requests.count == sent)
        storage.refuse([])
        _ = fixture.client.getAllNotifications()
        #expect(storage.getAllNotifications().map(\.isPending) == [false])
        #expect(storage.getAllNotifications().map(\.isApproved) == [isApproval])
    }

    /// A second push can be answered before the outcome of the first answer is saved.
    ///
    /// The second push was decoded from JSON. The outcome of its answer is also kept until the storage can save it.
    @Test(.processState) func anotherPushCanBeAnsweredBeforeTheFirstOutcomeIsSaved() async throws {
        FRAClient.shared = fixture.client
        defer { FRAClient.reset() }
        let push = try #require(try fixture.deliver(to: await fixture.enrol()))
        let second = try #require(
            try fixture.deliver(to: await fixture.enrol("carl"), messageId: "AUTHENTICATE:2")
        )
        let json = Data(try #require(second.toJson()).utf8)
        #expect(fixture.client.removeNotification(notification: second))
        let unstored = try JSONDecoder().decode(FRAuthenticator.PushNotification.self, from: json)
        refuseOnceTheServerIsAsked()
        #expect(await outcome { push.accept(onSuccess: $0, onError: $1) }.error == nil)
        #expect(storage.getAllNotifications().map(\.isPending) == [true])
        let sent = fixture.server.requests.count
        #expect(await outcome { unstored.accept(onSuccess: $0, onError: $1) }.error == nil)
        #expect(fixture.server.requests.count == sent + 1)
        storage.refuse([])
        #expect(fixture.client.getAllNotifications().map(\.isApproved) == [true, true])
    }

    /// If the storage fails to save an enrolment, the client stores the enrolment in the keychain.
    ///
    /// The call succeeds. The next process saves the enrolment in the storage.
    @Test func aRegistrationIsSavedLaterIfTheStorageFails() async throws {
        let waiting = KeychainPendingEnrolments(InMemoryKeychain())
        let fixture = try ClientFixture(storage: storage, pending: waiting)
        fixture.setToken()
        refuseOnceTheServerIsAsked(of: fixture)
        let mechanism = try await fixture.create(ClientFixture.uri())
        #expect(storage.getAllAccounts() == [])
        let listed = fixture.client.getAllAccounts().flatMap(\.mechanisms).map(\.mechanismUUID)
        #expect(listed == [mechanism.mechanismUUID])
        #expect(try waiting.waiting().map(\.id) == listed)
        // In the next process the storage rejects changes at first, and then accepts them.
        let next = try ClientFixture(storage: storage, pending: waiting)
        #expect(next.client.getAllAccounts().flatMap(\.mechanisms).map(\.mechanismUUID) == listed)
        storage.refuse([])
        let account = try #require(next.client.getAllAccounts().first)
        #expect(account.mechanisms.map(\.mechanismUUID) == [mechanism.mechanismUUID])
        #expect(storage.getMechanismsForAccount(account: account).map(\.mechanismUUID) == listed)
        #expect(try waiting.waiting().isEmpty)
    }

    /// If an app has two storages of one class, each pending enrolment is saved in the storage for which it was made.
    ///
    /// Each storage belongs to one of two users.
    @Test(arguments: [true, false])
    func anEnrolmentIsFinishedInItsOwnStorage(_ hasOlder: Bool) async throws {
        let waiting = KeychainPendingEnrolments(InMemoryKeychain())
        let other = CountingStorage()
        let ofOther = try await ClientFixture(storage: other, pending: waiting).enrol("carl").mechanismUUID
        let fixture = try ClientFixture(storage: storage, pending: waiting)
        fixture.setToken()
        let older = hasOlder ? [try await fixture.enrol("dora").mechanismUUID] : []
        refuseOnceTheServerIsAsked(of: fixture)
        let newer = try await fixture.create(ClientFixture.uri()).mechanismUUID
        storage.refuse([])
        func listed(_ storage: CountingStorage) throws -> Set<String> {
            let client = try ClientFixture(storage: storage, pending: waiting).client
            return Set(client.getAllAccounts().flatMap(\.mechanisms).map(\.mechanismUUID))
        }
        #expect(try listed(other) == [ofOther])
        if hasOlder { #expect(try listed(CountingStorage()) == []) }
        #expect(try waiting.waiting().map(\.id) == [newer])
        #expect(try listed(storage) == Set(older + [newer]))
        #expect(try waiting.waiting().isEmpty)
    }

    /// An enrolment that the user removed is not saved again by another process.
    ///
    /// The app and its extension both read the pending enrolment. The app saves it, and the user removes it.
    @Test func aRemovedEnrolmentIsNotSavedAgainByAnotherProcess() async throws {
        let waiting = KeychainPendingEnrolments(InMemoryKeychain())
        let fixture = try ClientFixture(storage: storage, pending: waiting)
        fixture.setToken()
        refuseOnceTheServerIsAsked(of: fixture)
        let mechanism = try await fixture.create(ClientFixture.uri())
        let other = try ClientFixture(storage: storage, pending: waiting)
        #expect(other.client.getAllAccounts().count == 1)
        storage.refuse([])
        let account = try #require(fixture.client.getAllAccounts().first)
        #expect(account.mechanisms.map(\.mechanismUUID) == [mechanism.mechanismUUID])
        #expect(fixture.client.removeAccount(account: account))
        #expect(other.client.getAllAccounts() == [])
        #expect(storage.getAllAccounts() == [])
    }

    /// An enrolment is stored from the process's memory if its item in the keychain cannot be decrypted.
    @Test func anEnrolmentIsStoredAlthoughItsWaitingItemCannotBeDecrypted() async throws {
        let phone = InMemoryKeychain()
        let fixture = try ClientFixture(storage: storage, pending: KeychainPendingEnrolments(phone))
        fixture.setToken()
        refuseOnceTheServerIsAsked(of: fixture)
        let mechanism = try await fixture.create(ClientFixture.uri())
        let service = "\(KeychainServices().credentials).pending"
        let waiting = try phone.names(service: service, accessGroup: nil)
        #expect(waiting.map(\.account) == [mechanism.mechanismUUID])
        waiting.forEach(phone.makeUndecryptable)
        storage.refuse([])
        let account = try #require(fixture.client.getAllAccounts().first)
        let stored = storage.getMechanismsForAccount(account: account)
        #expect(stored.map(\.mechanismUUID) == [mechanism.mechanismUUID])
    }

    /// A registration that a restart would lose is not reported as a success.
    @Test func aRegistrationThatCannotBeStoredFails() async throws {
        fixture.setToken()
        refuseOnceTheServerIsAsked()
        let error = await #expect(throws: FRAError.self) { try await fixture.create(ClientFixture.uri()) }
        #expect(error?.errorCode == 8_000_001)
        #expect(fixture.client.getAllAccounts() == [])
    }

    /// An enrolment whose legacy items the keychain rejects is finished later, because the keychain keeps it as
    /// pending.
    @Test func aRegistrationThatTheKeychainRefusesIsFinishedLater() async throws {
        let phone = InMemoryKeychain()
        let keychain = UnreliableKeychain(phone)
        let waiting = KeychainPendingEnrolments(phone)
        func process() throws -> ClientFixture {
            try ClientFixture(LegacyItemStore(LegacyKeychain(keychain)), pending: waiting)
        }
        let fixture = try process()
        fixture.setToken()
        fixture.server.willAnswer { _ in
            keychain.refuseWriting("Example-babs", with: -50)
            return .ok
        }
        let mechanism = try await fixture.create(ClientFixture.uri())
        let ids = [mechanism.mechanismUUID]
        #expect(try process().client.getAllAccounts().flatMap(\.mechanisms).map(\.mechanismUUID) == ids)
        keychain.refuseWriting("Example-babs", with: nil)
        let next = try process()
        #expect(next.client.getAllAccounts().flatMap(\.mechanisms).map(\.mechanismUUID) == ids)
        #expect(try waiting.waiting().isEmpty)
        let keys = try phone.accounts(service: LegacyService.mechanism.rawValue, accessGroup: nil)
        #expect(keys == ["Example-babs-push"])
    }

    @Test func aDeviceTokenIsUpdatedEvenIfTheStorageFails() async throws {
        try await fixture.enrol()
        refuseOnceTheServerIsAsked()
        let report = await outcome {
            fixture.handler.updateDeviceToken(deviceToken: "AABB", onSuccess: $0, onFailure: $1)
        }
        #expect(report.error == nil)
        #expect(fixture.handler.deviceToken == "AABB")
    }
}

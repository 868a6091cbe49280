import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Row 30 of the legacy SDK's behaviour, and similar cases.
///
/// The server accepts an outcome, but the app's storage fails to save it. Then the call reports no error, and
/// the user does not have to answer again.
@Suite("Outcomes that a storage fails to save")
struct HeldOutcomeTests {
    private let storage = CountingStorage()
    private let bench: Bench
    private let every = Set(1...1000)

    init() throws {
        bench = try Bench(storage: storage)
    }

    /// Makes the storage reject every change after the first request to the server.
    private func refuseOnceTheServerIsAsked(of other: Bench? = nil) {
        let (storage, every) = (storage, every)
        (other ?? bench).server.willAnswer { _ in
            storage.refuse(every)
            return .ok
        }
    }

    @Test(arguments: [true, false])
    func anAnswerIsSavedLaterIfTheStorageFailsAfterTheRequest(_ isApproval: Bool) async throws {
        let push = try #require(try bench.deliver(to: await bench.enrol()))
        refuseOnceTheServerIsAsked()
        let report = await outcome {
            isApproval ? push.accept(onSuccess: $0, onError: $1) : push.deny(onSuccess: $0, onError: $1)
        }
        #expect(report.error == nil)
        let sent = bench.server.requests.count
        #expect(storage.getAllNotifications().map(\.isPending) == [true])
        let shown = try #require(bench.client.getAllNotifications().first)
        #expect((shown.isPending, shown.isApproved) == (false, isApproval))
        for answered in [push, shown] {
            let again = await outcome { answered.accept(onSuccess: $0, onError: $1) }
            guard case PushNotificationError.notificationInvalidStatus? = again.error else {
                Issue.record("Answered again: \(String(describing: again.error)).")
                return
            }
        }
        #expect(bench.server.requests.count == sent)
        storage.refuse([])
        _ = bench.client.getAllNotifications()
        #expect(storage.getAllNotifications().map(\.isPending) == [false])
        #expect(storage.getAllNotifications().map(\.isApproved) == [isApproval])
    }

    /// Row 52: a decoded push is answered while the storage rejects changes.
    ///
    /// The outcome of this answer is also kept until it can be saved.
    @Test(.processState) func anotherPushCanBeAnsweredBeforeTheFirstOutcomeIsSaved() async throws {
        FRAClient.shared = bench.client
        defer { FRAClient.reset() }
        let push = try #require(try bench.deliver(to: await bench.enrol()))
        let second = try #require(
            try bench.deliver(to: await bench.enrol("carl"), messageId: "AUTHENTICATE:2")
        )
        let json = Data(try #require(second.toJson()).utf8)
        #expect(bench.client.removeNotification(notification: second))
        let unstored = try JSONDecoder().decode(FRAuthenticator.PushNotification.self, from: json)
        refuseOnceTheServerIsAsked()
        #expect(await outcome { push.accept(onSuccess: $0, onError: $1) }.error == nil)
        #expect(storage.getAllNotifications().map(\.isPending) == [true])
        let sent = bench.server.requests.count
        #expect(await outcome { unstored.accept(onSuccess: $0, onError: $1) }.error == nil)
        #expect(bench.server.requests.count == sent + 1)
        storage.refuse([])
        #expect(bench.client.getAllNotifications().map(\.isApproved) == [true, true])
    }

    /// Row 41: the storage fails to save an enrolment.
    ///
    /// The enrolment succeeds if it can be kept for the next process, which saves it.
    @Test func aRegistrationIsSavedLaterIfTheStorageFails() async throws {
        let waiting = KeychainPendingEnrolments(InMemoryKeychain())
        let bench = try Bench(storage: storage, pending: waiting)
        bench.setToken()
        refuseOnceTheServerIsAsked(of: bench)
        let mechanism = try await bench.create(Bench.uri())
        #expect(storage.getAllAccounts() == [])
        let listed = bench.client.getAllAccounts().flatMap(\.mechanisms).map(\.mechanismUUID)
        #expect(listed == [mechanism.mechanismUUID])
        #expect(try waiting.waiting().map(\.id) == listed)
        // In the next process the storage rejects changes at first, and then accepts them.
        let next = try Bench(storage: storage, pending: waiting)
        #expect(next.client.getAllAccounts().flatMap(\.mechanisms).map(\.mechanismUUID) == listed)
        storage.refuse([])
        let account = try #require(next.client.getAllAccounts().first)
        #expect(account.mechanisms.map(\.mechanismUUID) == [mechanism.mechanismUUID])
        #expect(storage.getMechanismsForAccount(account: account).map(\.mechanismUUID) == listed)
        #expect(try waiting.waiting().isEmpty)
    }

    /// Issue 37: an app has two storages of one class, one storage for each of two users.
    ///
    /// An enrolment of one user is not saved in the other user's storage.
    @Test(arguments: [true, false])
    func anEnrolmentIsFinishedInItsOwnStorage(_ hasOlder: Bool) async throws {
        let waiting = KeychainPendingEnrolments(InMemoryKeychain())
        let other = CountingStorage()
        let ofOther = try await Bench(storage: other, pending: waiting).enrol("carl").mechanismUUID
        let bench = try Bench(storage: storage, pending: waiting)
        bench.setToken()
        let older = hasOlder ? [try await bench.enrol("dora").mechanismUUID] : []
        refuseOnceTheServerIsAsked(of: bench)
        let newer = try await bench.create(Bench.uri()).mechanismUUID
        storage.refuse([])
        func listed(_ storage: CountingStorage) throws -> Set<String> {
            let client = try Bench(storage: storage, pending: waiting).client
            return Set(client.getAllAccounts().flatMap(\.mechanisms).map(\.mechanismUUID))
        }
        #expect(try listed(other) == [ofOther])
        if hasOlder { #expect(try listed(CountingStorage()) == []) }
        #expect(try waiting.waiting().map(\.id) == [newer])
        #expect(try listed(storage) == Set(older + [newer]))
        #expect(try waiting.waiting().isEmpty)
    }

    /// An app and its extension both read a pending enrolment.
    ///
    /// The app saves the enrolment, and the user removes it. So the extension must not save it again.
    @Test func aRemovedEnrolmentIsNotSavedAgainByAnotherProcess() async throws {
        let waiting = KeychainPendingEnrolments(InMemoryKeychain())
        let bench = try Bench(storage: storage, pending: waiting)
        bench.setToken()
        refuseOnceTheServerIsAsked(of: bench)
        let mechanism = try await bench.create(Bench.uri())
        let other = try Bench(storage: storage, pending: waiting)
        #expect(other.client.getAllAccounts().count == 1)
        storage.refuse([])
        let account = try #require(bench.client.getAllAccounts().first)
        #expect(account.mechanisms.map(\.mechanismUUID) == [mechanism.mechanismUUID])
        #expect(bench.client.removeAccount(account: account))
        #expect(other.client.getAllAccounts() == [])
        #expect(storage.getAllAccounts() == [])
    }

    /// The process that enrolled also has the enrolment in memory.
    @Test func anEnrolmentIsStoredAlthoughItsWaitingItemCannotBeDecrypted() async throws {
        let phone = InMemoryKeychain()
        let bench = try Bench(storage: storage, pending: KeychainPendingEnrolments(phone))
        bench.setToken()
        refuseOnceTheServerIsAsked(of: bench)
        let mechanism = try await bench.create(Bench.uri())
        let service = "\(KeychainServices().credentials).pending"
        let waiting = try phone.names(service: service, accessGroup: nil)
        #expect(waiting.map(\.account) == [mechanism.mechanismUUID])
        waiting.forEach(phone.makeUndecryptable)
        storage.refuse([])
        let account = try #require(bench.client.getAllAccounts().first)
        let stored = storage.getMechanismsForAccount(account: account)
        #expect(stored.map(\.mechanismUUID) == [mechanism.mechanismUUID])
    }

    /// Row 41: a registration that a restart would lose is not reported as a success.
    @Test func aRegistrationThatCannotBeStoredFails() async throws {
        bench.setToken()
        refuseOnceTheServerIsAsked()
        let error = await #expect(throws: FRAError.self) { try await bench.create(Bench.uri()) }
        #expect(error?.errorCode == 8_000_001)
        #expect(bench.client.getAllAccounts() == [])
    }

    /// Row 41, in place: the keychain rejects the legacy items but accepts the pending enrolment.
    @Test func aRegistrationThatTheKeychainRefusesIsFinishedLater() async throws {
        let phone = InMemoryKeychain()
        let keychain = MoodyKeychain(phone)
        let waiting = KeychainPendingEnrolments(phone)
        func process() throws -> Bench {
            try Bench(LegacyItemStore(LegacyKeychain(keychain)), pending: waiting)
        }
        let bench = try process()
        bench.setToken()
        bench.server.willAnswer { _ in
            keychain.refuseWriting("Example-babs", with: -50)
            return .ok
        }
        let mechanism = try await bench.create(Bench.uri())
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
        try await bench.enrol()
        refuseOnceTheServerIsAsked()
        let report = await outcome {
            bench.handler.updateDeviceToken(deviceToken: "AABB", onSuccess: $0, onFailure: $1)
        }
        #expect(report.error == nil)
        #expect(bench.handler.deviceToken == "AABB")
    }
}

import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

@Suite("Calls of an app's own storage")
struct StorageClientTests {
    private static let attached = #"{"switch":{}}"#
    private static let totp = "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example"
    private static let hotp = "otpauth://hotp/Example:babs?secret=JBSWY3DPEHPK3PXP&counter=7"

    private let storage = CountingStorage()
    private let fixture: ClientFixture

    init() throws {
        fixture = try ClientFixture(storage: storage)
    }

    @Test func aListOfAccountsReadsTheMechanismsOfEachAccountOnce() async throws {
        for number in 0..<20 { try await fixture.enrol("user\(number)") }
        let calls = await storage.calls { #expect(fixture.client.getAllAccounts().count == 20) }
        #expect(calls == ["getAllAccounts": 1, "getMechanismsForAccount": 20])
    }

    @Test func oneAccountIsLookedUpWithoutTheOthers() async throws {
        try await fixture.enrol("other")
        let mechanism = try await fixture.enrol()
        let expected = ["getAccount": 1, "getMechanismsForAccount": 1]
        #expect(await storage.calls { _ = fixture.client.getAccount(mechanism: mechanism) } == expected)
        #expect(await storage.calls { _ = fixture.client.getAccount(identifier: "Example-babs") } == expected)
    }

    @Test func anEnrolmentReadsOnlyItsOwnAccount() async throws {
        for number in 0..<20 { try await fixture.enrol("user\(number)") }
        let first = try await storage.calls { _ = try await fixture.create(Self.totp) }
        #expect(first == ["getAccount": 1, "setAccount": 1, "setMechanism": 1])
        let second = try await storage.calls { _ = try await fixture.create(Self.hotp) }
        #expect(second == ["getAccount": 1, "getMechanismsForAccount": 1, "setMechanism": 1])
        fixture.setToken()
        let push = try await storage.calls { _ = try await fixture.create(ClientFixture.uri("new")) }
        #expect(push == ["getAccount": 1, "setAccount": 1, "setMechanism": 1])
        // This is the first call in a new process.
        let restarted = try ClientFixture(storage: storage)
        let later = try await storage.calls { _ = try await restarted.create(ClientFixture.uri("newer")) }
        #expect(
            later == ["getAccount": 1, "getPushDeviceToken": 1, "setAccount": 1, "setMechanism": 1]
        )
        // If data changed during the request, the client reads the data again.
        let (changing, uri) = (fixture.client, try #require(URL(string: Self.totp)))
        fixture.server.willAnswer { _ in
            changing.createMechanismFromUri(uri: uri, onSuccess: { _ in }, onError: { _ in })
            return .ok
        }
        for account in fixture.client.getAllAccounts() where account.accountName == "babs" {
            #expect(fixture.client.removeAccount(account: account))
        }
        let slow = try await storage.calls { _ = try await fixture.create(ClientFixture.uri()) }
        #expect(slow == ["getAccount": 3, "getMechanismsForAccount": 1, "setAccount": 1, "setMechanism": 2])
        #expect(fixture.client.getAccount(identifier: "Example-babs")?.mechanisms.count == 2)
    }

    @Test func removingAnAccountReadsOnlyThatAccount() async throws {
        for number in 0..<20 { try await fixture.enrol("user\(number)") }
        let mechanism = try await fixture.enrol()
        _ = try await fixture.create(Self.totp)
        _ = try fixture.deliver(to: mechanism)
        _ = try fixture.deliver(to: mechanism, messageId: "AUTHENTICATE:2")
        let account = try #require(fixture.client.getAccount(mechanism: mechanism))
        let removing = await storage.calls { #expect(fixture.client.removeAccount(account: account)) }
        #expect(
            removing == [
                "getAccount": 1, "getMechanismsForAccount": 1, "getAllNotificationsForMechanism": 1,
                "removeNotification": 2, "removeMechanism": 2, "removeAccount": 1,
            ]
        )
    }

    @Test func changingAnAccountReadsOnlyThatAccount() async throws {
        for number in 0..<20 { try await fixture.enrol("user\(number)", policies: Self.attached) }
        let account = try #require(fixture.client.getAccount(identifier: "Example-user7"))
        let expected = ["getAccount": 1, "setAccount": 1]
        account.displayIssuer = "Renamed"
        #expect(try await storage.calls { try fixture.client.updateAccount(account: account) } == expected)
        let policy = SwitchPolicy(fixture.complies)
        let locking = try await storage.calls {
            try fixture.client.lockAccount(account: account, policy: policy)
        }
        #expect(locking == expected)
        #expect(try await storage.calls { try fixture.client.unlockAccount(account: account) } == expected)
    }

    @Test func aRemovedPushIsStoredAgainAfterTheServerAcceptsItsAnswer() async throws {
        let push = try #require(try fixture.deliver(to: await fixture.enrol()))
        #expect(fixture.client.removeNotification(notification: push))
        let storage = storage
        let stored = Lock<[Int]>([])
        fixture.server.willAnswer { _ in
            stored.withValue { $0.append(storage.getAllNotifications().count) }
            return stored.withValue(\.count) == 1 ? .fault : .ok
        }
        let refused = await storage.calls { _ = await outcome { push.accept(onSuccess: $0, onError: $1) } }
        #expect(refused["setNotification"] == nil)
        let taken = await storage.calls { _ = await outcome { push.accept(onSuccess: $0, onError: $1) } }
        #expect(taken["setNotification"] == 1)
        #expect(stored.withValue { $0 } == [0, 0])
        #expect(storage.getAllNotifications().map { $0.toJson() } == [push.toJson()])
    }

    @Test func aNewTokenIsStoredAfterEachServerHasAcceptedIt() async throws {
        try await fixture.enrol()
        fixture.server.willAnswer { _ in .fault }
        let update = { [handler = fixture.handler] in
            await outcome { handler.updateDeviceToken(deviceToken: "AA11", onSuccess: $0, onFailure: $1) }
        }
        #expect(await update().error != nil)
        #expect(fixture.handler.deviceToken == "AA11")
        #expect(storage.getPushDeviceToken()?.tokenId == "00FF")
        // After a restart, the storage contains the old token. So the servers receive the new token again.
        let second = try ClientFixture(storage: storage)
        #expect(second.handler.deviceToken == "00FF")
        fixture.server.willAnswer { _ in .ok }
        let calls = await storage.calls { #expect(await update().error == nil) }
        #expect(calls["setPushDeviceToken"] == 1)
        #expect(storage.getPushDeviceToken()?.tokenId == "AA11")
    }

    @Test func makingACodeReadsOnlyItsAccount() async throws {
        let totp = try #require(try await fixture.create(Self.totp) as? TOTPMechanism)
        let hotp = try #require(try await fixture.create(Self.hotp) as? HOTPMechanism)
        #expect(try await storage.calls { _ = try totp.generateCode() } == ["getAccount": 1])
        #expect(
            try await storage.calls { _ = try hotp.generateCode() } == ["getAccount": 1, "setMechanism": 1]
        )
    }

    @Test(arguments: [true, false])
    func answeringAPushReadsItsMechanismOnceAndStoresThePushOnce(_ accepts: Bool) async throws {
        let mechanism = try await fixture.enrol()
        var delivered: FRAuthenticator.PushNotification?
        let receiving = try await storage.calls { delivered = try fixture.deliver(to: mechanism) }
        // The test's fixture reads the credential's secret, so there is one more call to `getMechanismForUUID`.
        #expect(
            receiving
                == [
                    "getMechanismForUUID": 2, "getAccount": 1, "getNotificationByMessageId": 1,
                    "setNotification": 1,
                ]
        )
        let push = try #require(delivered)
        let calls = await storage.calls {
            _ = await outcome {
                accepts ? push.accept(onSuccess: $0, onError: $1) : push.deny(onSuccess: $0, onError: $1)
            }
        }
        #expect(push.isApproved == accepts && push.isDenied != accepts)
        #expect(calls == ["getMechanismForUUID": 1, "getAccount": 1, "setNotification": 1])
    }

    @Test func aMechanismReadsItsNotificationsOnFirstUseOnly() async throws {
        let mechanism = try await fixture.enrol()
        _ = try fixture.deliver(to: mechanism)
        let listed = fixture.client.getAllAccounts().flatMap(\.mechanisms).compactMap { $0 as? PushMechanism }
        let push = try #require(listed.first)
        let once = ["getAllNotificationsForMechanism": 1]
        #expect(await storage.calls { _ = push.notifications } == once)
        #expect(await storage.calls { _ = push.pendingNotifications } == [:])
        #expect(push.pendingNotifications.count == 1)
        #expect(await storage.calls { _ = fixture.client.getAllNotifications(mechanism: push) } == once)
        let received = try #require(push.notifications.first)
        let removing = await storage.calls { _ = fixture.client.removeNotification(notification: received) }
        #expect(removing == ["removeNotification": 1])
    }

    @Test func accountsAreListedInTheOrderOfTheStorage() async throws {
        let storage = OrderedStorage()
        for name in ["c", "a", "b"] {
            let time = name == "b" ? 1_600_000_000_000 : 1_700_000_000_000
            let json = #"{"issuer":"Example","accountName":"\#(name)","timeAdded":\#(time)}"#
            storage.accounts.append(try JSONDecoder().decode(Account.self, from: Data(json.utf8)))
        }
        let fixture = try ClientFixture(storage: storage)
        #expect(fixture.client.getAllAccounts().map(\.accountName) == ["c", "a", "b"])
    }

    @Test(arguments: [
        "getAllAccounts", "getMechanismsForAccount", "setMechanism", "getAccount", "getPushDeviceToken",
    ])
    func aStorageThatCallsItsClientBackGetsAnErrorAndNoDeadlock(_ name: String) async throws {
        try await fixture.enrol()
        // This is a new process, which has not read a token yet.
        let fixture = try ClientFixture(storage: storage)
        let accounts = Lock<[Account]?>(nil)
        let error = Lock<(any Error)?>(nil)
        let depth = Lock(0)
        storage.callBack.withValue { callBack in
            callBack = (
                name,
                { [client = fixture.client, handler = fixture.handler] in
                    // Prevents a stack overflow if the client fails to reject calls from inside the storage.
                    let isInside = depth.withValue { depth in
                        depth += 1
                        return depth > 1
                    }
                    defer { depth.withValue { $0 -= 1 } }
                    guard !isInside else { return }
                    accounts.withValue { $0 = client.getAllAccounts() }
                    _ = handler.deviceToken
                    guard let url = URL(string: Self.hotp) else { return }
                    let report = { (reported: any Error) in error.withValue { $0 = reported } }
                    client.createMechanismFromUri(uri: url, onSuccess: { _ in }, onError: report)
                }
            )
        }
        #expect(fixture.client.getAllAccounts().count == 1)
        _ = fixture.handler.deviceToken
        _ = try await fixture.create(Self.totp)
        #expect(accounts.withValue { $0 } == [])
        let text = error.withValue { $0?.localizedDescription }
        #expect(text?.contains("called FRAClient while FRAClient was calling it") == true)
        storage.callBack.withValue { $0 = nil }
        #expect(fixture.client.getAllAccounts().flatMap(\.mechanisms).count == 2)
    }

    /// During a call, a storage may wait for a queue on which the app is calling the client.
    ///
    /// For example, the storage of a plugin waits for the main queue.
    @Test(.timeLimit(.minutes(2)), arguments: ["getAccount", "setMechanism"])
    func aStorageMayWaitForAQueueOnWhichTheAppCallsTheClient(_ name: String) async throws {
        // RFC 4226, appendix D.
        let uri = "otpauth://hotp/Example:babs?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0"
        let hotp = try #require(try await fixture.create(uri) as? HOTPMechanism)
        let queue = DispatchQueue(label: "app")
        let isOnQueue = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: isOnQueue, value: true)
        let (inside, codes) = (DispatchSemaphore(value: 0), Lock<[String]>([]))
        let ends = (0..<2).map { _ in DispatchSemaphore(value: 0) }
        storage.callBack.withValue { callBack in
            callBack = (
                name,
                {
                    guard DispatchQueue.getSpecific(key: isOnQueue) == nil else { return }
                    inside.signal()
                    queue.sync {}
                }
            )
        }
        let makeCode = { @Sendable (mechanism: HOTPMechanism?, end: DispatchSemaphore) in
            let code = try? mechanism?.generateCode().code
            codes.withValue { $0.append(code ?? "none") }
            end.signal()
        }
        let client = fixture.client
        queue.async {
            do {
                try inside.wait(for: "the storage to be called")
            } catch {
                Issue.record(error)
            }
            makeCode(client.getAllAccounts().first?.mechanisms.first as? HOTPMechanism, ends[0])
        }
        Thread.detachNewThread { makeCode(hotp, ends[1]) }
        let areEnded = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let limit = DispatchTime.now() + 30
                continuation.resume(returning: ends.allSatisfy { $0.wait(timeout: limit) == .success })
            }
        }
        try #require(areEnded, "The storage and the app wait for each other.")
        storage.callBack.withValue { $0 = nil }
        #expect(Set(codes.withValue { $0 }) == ["755224", "287082"])
        // The slower call may store its earlier counter after the faster call has stored the later counter. The client
        // then stores the later counter again.
        let stored = storage.getMechanismForUUID(uuid: hotp.mechanismUUID) as? HOTPMechanism
        #expect(stored?.counter == 2)
    }

    /// Work of the client that changes the storage.
    ///
    /// The work always starts with the same contents.
    enum Work: String, CaseIterable {
        case combinedCode, push, lock, removal, code, token
    }

    /// If the storage rejects one of the changes that a call makes, the storage's contents stay unchanged.
    ///
    /// The call is repeated until the storage has rejected each of these changes once.
    @Test(arguments: Work.allCases)
    func aRejectedChangeLeavesTheStorageUnchanged(_ work: Work) async throws {
        let mechanism = try await fixture.enrol(policies: Self.attached)
        _ = try await fixture.create(Self.totp)
        let hotp = try #require(try await fixture.create(Self.hotp) as? HOTPMechanism)
        _ = try fixture.deliver(to: mechanism)
        let account = try #require(fixture.client.getAccount(identifier: "Example-babs"))
        func stored() -> [String?] {
            storage.getAllAccounts().flatMap { account in
                [account.toJson()] + storage.getMechanismsForAccount(account: account).map { $0.toJson() }
            } + storage.getAllNotifications().map { $0.toJson() } + [storage.getPushDeviceToken()?.tokenId]
        }
        func isDone() async throws -> Bool {
            switch work {
            case .combinedCode:
                let code = RegistrationURI.combined(
                    try PushRegistration(uri: ClientFixture.uri("new")),
                    try OathRegistration(uri: Self.totp.replacingOccurrences(of: "babs", with: "new"))
                )
                return await succeeds { _ = try await fixture.create(code.text) }
            case .push: return try fixture.deliver(to: mechanism, messageId: "AUTHENTICATE:2") != nil
            case .lock:
                account.unlock()
                return try fixture.client.lockAccount(
                    account: account,
                    policy: SwitchPolicy(fixture.complies)
                )
            case .removal: return fixture.client.removeAccount(account: account)
            case .code: return await succeeds { _ = try hotp.generateCode() }
            case .token:
                return await outcome {
                    fixture.handler.updateDeviceToken(deviceToken: "AA", onSuccess: $0, onFailure: $1)
                }.error == nil
            }
        }
        let before = stored()
        var refusals = 0
        while true {
            storage.refuse([refusals + 1])
            if try await isDone() {
                // A token that the server accepted is stored when the storage accepts changes again.
                storage.refuse([])
                _ = fixture.client.getAllNotifications()
                break
            }
            refusals += 1
            try #require(refusals < 100, "The work makes more than 100 changes.")
            storage.refuse([])
            #expect(stored() == before, "after change \(refusals) was refused")
        }
        let changes: [Work: Int] = [.combinedCode: 3, .token: 0, .removal: 5]
        #expect(refusals == changes[work] ?? 1)
        let isChanged = stored() != before
        #expect(isChanged)
    }

    private func succeeds(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return true
        } catch {
            return false
        }
    }

    @Test func aLockThatTheStorageRejectsReturnsFalseButChangesTheObject() async throws {
        try await fixture.enrol(policies: Self.attached)
        let account = try #require(fixture.client.getAllAccounts().first)
        let policy = SwitchPolicy(fixture.complies)
        storage.refuse([1])
        #expect(try !fixture.client.lockAccount(account: account, policy: policy))
        #expect(account.lock)
        storage.refuse([])
        #expect(fixture.client.getAllAccounts().map(\.lock) == [false])
        account.unlock()
        #expect(try fixture.client.lockAccount(account: account, policy: policy))
        storage.refuse([1])
        #expect(try !fixture.client.unlockAccount(account: account))
        #expect(!account.lock)
    }

    /// A second removal of a notification does not restore the notification.
    ///
    /// The storage returns `false` the second time, as if there were nothing to remove.
    @Test func aSecondRemovalDoesNotRestoreANotification() async throws {
        let push = try #require(try fixture.deliver(to: await fixture.enrol()))
        #expect(fixture.client.removeNotification(notification: push))
        storage.refuse([1])
        #expect(!fixture.client.removeNotification(notification: push))
        #expect(storage.getAllNotifications() == [])
    }

    @Test func anUnchangedAccountIsStillPassedToTheStorage() async throws {
        try await fixture.enrol(policies: Self.attached)
        let account = try #require(fixture.client.getAllAccounts().first)
        storage.refuse([1])
        #expect(try !fixture.client.updateAccount(account: account))
        storage.refuse([1])
        account.lock(policy: SwitchPolicy(fixture.complies))
        #expect(try !fixture.client.unlockAccount(account: account))
        storage.refuse([])
        #expect(try fixture.client.updateAccount(account: account))
    }

    @Test func aLockByPolicyIsShownAlthoughTheStorageRefusesIt() async throws {
        try await fixture.enrol(policies: Self.attached)
        fixture.complies.withValue { $0 = false }
        storage.refuse([1])
        #expect(fixture.client.getAllAccounts().map(\.lock) == [true])
        storage.refuse([])
        #expect(fixture.client.getAllAccounts().map(\.lock) == [true])
        fixture.complies.withValue { $0 = true }
        #expect(fixture.client.getAllAccounts().map(\.lock) == [false])
    }

    @Test func aMechanismThatTheStorageLosesDuringARejectedChangeIsRestored() async throws {
        let hotp = try #require(try await fixture.create(Self.hotp) as? HOTPMechanism)
        let storage = LossyStorage(self.storage)
        let client = try ClientFixture(storage: storage).client
        let known = try #require(client.getAllAccounts().first?.mechanisms.first as? HOTPMechanism)
        storage.losesNext.withValue { $0 = true }
        let error = #expect(throws: MechanismError.self) { try known.generateCode() }
        let reason = "The change could not be stored: The app's storage refused a change to a mechanism."
        #expect(error?.localizedDescription == reason)
        #expect(client.getAllAccounts().flatMap(\.mechanisms).map(\.mechanismUUID) == [hotp.mechanismUUID])
    }

    @Test func aMechanismThatTheStorageLosesDuringARejectedRemovalIsRestored() async throws {
        let hotp = try await fixture.create(Self.hotp)
        let storage = LossyStorage(self.storage)
        let client = try ClientFixture(storage: storage).client
        let account = try #require(client.getAllAccounts().first)
        storage.losesNext.withValue { $0 = true }
        #expect(!client.removeAccount(account: account))
        #expect(client.getAllAccounts().flatMap(\.mechanisms).map(\.mechanismUUID) == [hotp.mechanismUUID])
    }

    @Test(arguments: [
        ["getAccount"], ["getAccount", "getMechanismsForAccount"], ["getAccount", "getAllAccounts"],
    ])
    func anAccountThatTheStorageFailedToReadIsNotRemovedAfterARefusal(_ failures: Set<String>) async throws {
        let hotp = try await fixture.create(Self.hotp)
        let storage = UnreadableStorage(self.storage)
        let unreadable = try ClientFixture(storage: storage)
        storage.failsNext.withValue { $0 = failures }
        // The storage accepts the account but rejects the mechanism.
        self.storage.refuse([2])
        await #expect(throws: (any Error).self) { try await unreadable.create(Self.totp) }
        #expect(storage.failsNext.withValue { $0 } == [])
        #expect(
            unreadable.client.getAllAccounts().flatMap(\.mechanisms).map(\.mechanismUUID) == [
                hotp.mechanismUUID
            ]
        )
    }

    @Test func aRefusedCounterDoesNotReplaceTheLaterCounterOfAnotherProcess() async throws {
        let hotp = try #require(try await fixture.create(Self.hotp) as? HOTPMechanism)
        let helper = try ClientFixture(storage: storage)
        let code = Lock<String?>(nil)
        refuseNextChange("setMechanism") {
            let other = helper.client.getAllAccounts().first?.mechanisms.first as? HOTPMechanism
            code.withValue { $0 = try? other?.generateCode().code }
        }
        #expect(throws: MechanismError.self) { try hotp.generateCode() }
        let stored = try #require(storage.getMechanismForUUID(uuid: hotp.mechanismUUID) as? HOTPMechanism)
        #expect(code.withValue { $0 } != nil)
        #expect(stored.counter == 8)
    }

    @Test func aRefusedNameDoesNotReplaceTheLockOfAnotherProcess() async throws {
        try await fixture.enrol(policies: Self.attached)
        let account = try #require(fixture.client.getAllAccounts().first)
        let (helper, complies) = (try ClientFixture(storage: storage), fixture.complies)
        let isLocked = Lock(false)
        refuseNextChange("setAccount") {
            guard let other = helper.client.getAllAccounts().first else { return }
            isLocked.withValue {
                $0 = (try? helper.client.lockAccount(account: other, policy: SwitchPolicy(complies))) ?? false
            }
        }
        account.displayAccountName = "changed"
        #expect(try !fixture.client.updateAccount(account: account))
        #expect(isLocked.withValue { $0 })
        #expect(storage.getAllAccounts().map(\.lock) == [true])
    }

    /// Rejects the next change.
    ///
    /// Before the rejection, another process makes another change.
    private func refuseNextChange(_ name: String, after change: @escaping @Sendable () -> Void) {
        storage.callBack.withValue {
            $0 = (
                name,
                {
                    storage.callBack.withValue { $0 = nil }
                    change()
                    storage.refuse([1])
                }
            )
        }
    }

    @Test func aMechanismWithAnUnsupportedAlgorithmIsListedAndCanBeRemoved() async throws {
        let hotp = try await fixture.create(Self.hotp)
        let json = try #require(hotp.toJson())
            .replacingOccurrences(of: "\"sha1\"", with: "\"ripemd160\"")
            .replacingOccurrences(of: "\"SHA1\"", with: "\"ripemd160\"")
        let unusable = try JSONDecoder().decode(HOTPMechanism.self, from: Data(json.utf8))
        #expect(unusable.algorithm == "ripemd160")
        storage.setMechanism(mechanism: unusable)
        let shown = fixture.client.getAllAccounts().flatMap(\.mechanisms)
        #expect(shown.map { $0.toJson() } == [unusable.toJson()])
        let one = fixture.client.getAccount(identifier: "Example-babs")
        #expect(one?.mechanisms.map { $0.toJson() } == [unusable.toJson()])
        // The test needs an object of the client, because a decoded object would use the client of the
        // process.
        let mechanism = try #require(shown.first as? HOTPMechanism)
        let error = #expect(throws: FRAuthenticator.OathError.self) { try mechanism.generateCode() }
        #expect(error?.errorCode == 9_000_000)
        #expect(fixture.client.removeMechanism(mechanism: unusable))
        #expect(fixture.client.getAllAccounts().map(\.mechanisms.count) == [0])
        #expect(!fixture.client.removeMechanism(mechanism: unusable))
    }

    /// As in the SDK, an answer changes the object that the app's storage keeps.
    ///
    /// In the first process, the storage received this object; in a new process, the storage returned it.
    @Test(arguments: [true, false], [true, false])
    func anAnswerChangesTheObjectThatTheStorageKeeps(_ approves: Bool, _ isNewProcess: Bool) async throws {
        let storage = KeepingStorage()
        var fixture = try ClientFixture(storage: storage)
        var push = try #require(try fixture.deliver(to: await fixture.enrol()))
        let kept = try #require(storage.getAllNotifications().first)
        if isNewProcess {
            fixture = try ClientFixture(storage: storage)
            push = try #require(fixture.client.getAllNotifications().first)
        }
        let answered = push
        #expect(kept.isPending && kept !== answered)
        let report = await outcome {
            approves ? answered.accept(onSuccess: $0, onError: $1) : answered.deny(onSuccess: $0, onError: $1)
        }
        #expect(report.error == nil)
        #expect(answered.isApproved == approves && !answered.isPending)
        #expect(kept.isApproved == approves && !kept.isPending)
        #expect(fixture.client.getAllNotifications().map(\.isApproved) == [approves])
    }

    /// `FRAClient` returns copies of a storage's objects, and changes the storage's objects when the storage accepts
    /// a change.
    ///
    /// This is row `storages-get-copies` of `docs/divergences.md`.
    @Test(arguments: [true, false])
    func objectsThatAStorageKeepsReceiveTheirChanges(_ replaces: Bool) async throws {
        let storage = KeepingStorage(replaces: replaces)
        let fixture = try ClientFixture(storage: storage)
        try await fixture.enrol(policies: Self.attached)
        let hotp = try #require(try await fixture.create(Self.hotp) as? HOTPMechanism)
        let kept = try #require(storage.getAllAccounts().first)
        let keptHOTP = try #require(storage.getMechanismForUUID(uuid: hotp.mechanismUUID) as? HOTPMechanism)
        let account = try #require(fixture.client.getAllAccounts().first)
        account.displayIssuer = "Renamed"
        #expect(kept.displayIssuer == "Example")
        #expect(try fixture.client.updateAccount(account: account))
        #expect(kept.displayIssuer == "Renamed")
        let policy = SwitchPolicy(fixture.complies)
        #expect(try fixture.client.lockAccount(account: account, policy: policy))
        #expect(kept.lock && kept.lockingPolicy == "switch")
        #expect(try fixture.client.unlockAccount(account: account))
        #expect(!kept.lock && kept.lockingPolicy == nil && kept.displayIssuer == "Renamed")
        for counter in 8...9 {
            _ = try hotp.generateCode()
            #expect(keptHOTP.counter == counter)
        }
    }

    @Test func aRejectedChangeLeavesTheObjectsOfTheStorageUnchanged() async throws {
        let storage = KeepingStorage()
        let fixture = try ClientFixture(storage: storage)
        let push = try #require(try fixture.deliver(to: await fixture.enrol()))
        let hotp = try #require(try await fixture.create(Self.hotp) as? HOTPMechanism)
        let kept = try #require(storage.getAllAccounts().first)
        let keptHOTP = try #require(storage.getMechanismForUUID(uuid: hotp.mechanismUUID) as? HOTPMechanism)
        let keptPush = try #require(storage.getAllNotifications().first)
        let account = try #require(fixture.client.getAllAccounts().first)
        account.displayIssuer = "Renamed"
        storage.refuses.withValue { $0 = true }
        #expect(throws: MechanismError.self) { try hotp.generateCode() }
        #expect(try !fixture.client.updateAccount(account: account))
        #expect(await outcome { push.accept(onSuccess: $0, onError: $1) }.error == nil)
        #expect(keptHOTP.counter == 7 && kept.displayIssuer == "Example" && keptPush.isPending)
        // The server accepted the answer, so the answer is stored as soon as the storage accepts changes.
        storage.refuses.withValue { $0 = false }
        #expect(fixture.client.getAllNotifications().map(\.isApproved) == [true])
        #expect(keptPush.isApproved)
    }
}

/// A storage that keeps objects in memory.
private final class KeepingStorage: ForwardingStorage, @unchecked Sendable {
    private let accounts = Lock<[Account]>([])
    private let mechanisms = Lock<[Mechanism]>([])
    private let notifications = Lock<[FRAuthenticator.PushNotification]>([])
    /// Whether a new object replaces the earlier object; otherwise the storage keeps the earlier object.
    private let replaces: Bool
    /// Whether the storage rejects all changes.
    let refuses = Lock(false)

    init(replaces: Bool = false) {
        self.replaces = replaces
        super.init(ArchivingStorage())
    }

    @discardableResult override func setAccount(account: Account) -> Bool {
        keep(account, in: accounts) { $0.identifier == account.identifier }
    }

    override func getAccount(accountIdentifier: String) -> Account? {
        getAllAccounts().first { $0.identifier == accountIdentifier }
    }

    override func getAllAccounts() -> [Account] { accounts.withValue { $0 } }

    @discardableResult override func setMechanism(mechanism: Mechanism) -> Bool {
        keep(mechanism, in: mechanisms) { $0.mechanismUUID == mechanism.mechanismUUID }
    }

    override func getMechanismsForAccount(account: Account) -> [Mechanism] {
        mechanisms.withValue { $0 }.filter { $0.accountIdentifier == account.identifier }
    }

    override func getMechanismForUUID(uuid: String) -> Mechanism? {
        mechanisms.withValue { $0 }.first { $0.mechanismUUID == uuid }
    }

    @discardableResult override func setNotification(
        notification: FRAuthenticator.PushNotification
    ) -> Bool {
        keep(notification, in: notifications) { $0.identifier == notification.identifier }
    }

    override func getNotification(notificationIdentifier: String) -> FRAuthenticator.PushNotification? {
        getAllNotifications().first { $0.identifier == notificationIdentifier }
    }

    override func getNotificationByMessageId(messageId: String) -> FRAuthenticator.PushNotification? {
        getAllNotifications().first { $0.messageId == messageId }
    }

    override func getAllNotificationsForMechanism(mechanism: Mechanism) -> [FRAuthenticator.PushNotification]
    {
        getAllNotifications()
    }

    override func getAllNotifications() -> [FRAuthenticator.PushNotification] {
        notifications.withValue { $0 }
    }

    private func keep<Object>(
        _ object: Object,
        in place: Lock<[Object]>,
        isSame: (Object) -> Bool
    ) -> Bool {
        let rejects = refuses.withValue { $0 }
        guard !rejects else { return false }
        place.withValue { kept in
            guard let index = kept.firstIndex(where: isSame) else { return kept.append(object) }
            if replaces { kept[index] = object }
        }
        return true
    }
}

import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform
import Testing

@Suite("What an app's own storage is asked for")
struct StorageClientTests {
    private static let attached = #"{"switch":{}}"#
    private static let totp = "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example"
    private static let hotp = "otpauth://hotp/Example:babs?secret=JBSWY3DPEHPK3PXP&counter=7"

    private let storage = CountingStorage()
    private let bench: Bench

    init() throws {
        bench = try Bench(storage: storage)
    }

    @Test func aListAsksOnceForEachAccount() async throws {
        for number in 0..<20 { try await bench.enrol("user\(number)") }
        let calls = await storage.calls { #expect(bench.client.getAllAccounts().count == 20) }
        #expect(calls == ["getAllAccounts": 1, "getMechanismsForAccount": 20])
    }

    @Test func oneAccountIsLookedUpWithoutTheOthers() async throws {
        try await bench.enrol("other")
        let mechanism = try await bench.enrol()
        let expected = ["getAccount": 1, "getMechanismsForAccount": 1]
        #expect(await storage.calls { _ = bench.client.getAccount(mechanism: mechanism) } == expected)
        #expect(await storage.calls { _ = bench.client.getAccount(identifier: "Example-babs") } == expected)
    }

    @Test func enrollingLooksAtOneAccount() async throws {
        for number in 0..<20 { try await bench.enrol("user\(number)") }
        let first = try await storage.calls { _ = try await bench.create(Self.totp) }
        #expect(first == ["getAccount": 1, "setAccount": 1, "setMechanism": 1])
        let second = try await storage.calls { _ = try await bench.create(Self.hotp) }
        #expect(second == ["getAccount": 1, "getMechanismsForAccount": 1, "setMechanism": 1])
        // Before the request and after it, because it takes its time.
        let push = try await storage.calls { try await bench.enrol("new") }
        #expect(
            push == ["getAccount": 2, "getPushDeviceToken": 3, "setAccount": 1, "setMechanism": 1]
        )
    }

    @Test func codesLookAtTheirMechanismOnly() async throws {
        let totp = try #require(try await bench.create(Self.totp) as? TOTPMechanism)
        let hotp = try #require(try await bench.create(Self.hotp) as? HOTPMechanism)
        #expect(try await storage.calls { _ = try totp.generateCode() } == ["getAccount": 1])
        #expect(
            try await storage.calls { _ = try hotp.generateCode() } == ["getAccount": 1, "setMechanism": 1]
        )
    }

    @Test(arguments: [true, false])
    func answeringReadsThePushOnce(_ accepts: Bool) async throws {
        let mechanism = try await bench.enrol()
        var delivered: FRAuthenticator.PushNotification?
        let receiving = try await storage.calls { delivered = try bench.deliver(to: mechanism) }
        // The bench itself looks the secret up.
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

    @Test func notificationsAreReadOnceTheyAreAskedFor() async throws {
        let mechanism = try await bench.enrol()
        _ = try bench.deliver(to: mechanism)
        let listed = bench.client.getAllAccounts().flatMap(\.mechanisms).compactMap { $0 as? PushMechanism }
        let push = try #require(listed.first)
        let once = ["getAllNotificationsForMechanism": 1]
        #expect(await storage.calls { _ = push.notifications } == once)
        #expect(await storage.calls { _ = push.pendingNotifications } == [:])
        #expect(push.pendingNotifications.count == 1)
        #expect(await storage.calls { _ = bench.client.getAllNotifications(mechanism: push) } == once)
        let received = try #require(push.notifications.first)
        let removing = await storage.calls { _ = bench.client.removeNotification(notification: received) }
        #expect(removing == ["removeNotification": 1])
    }

    @Test func accountsComeInTheOrderOfTheStorage() async throws {
        let storage = OrderedStorage()
        for name in ["c", "a", "b"] {
            let time = name == "b" ? 1_600_000_000_000 : 1_700_000_000_000
            let json = #"{"issuer":"Example","accountName":"\#(name)","timeAdded":\#(time)}"#
            storage.accounts.append(try JSONDecoder().decode(Account.self, from: Data(json.utf8)))
        }
        let bench = try Bench(storage: storage)
        #expect(bench.client.getAllAccounts().map(\.accountName) == ["c", "a", "b"])
    }

    @Test(arguments: [
        "getAllAccounts", "getMechanismsForAccount", "setMechanism", "getAccount", "getPushDeviceToken",
    ])
    func aStorageThatCallsItsClientBackGetsAnErrorAndNoDeadlock(_ name: String) async throws {
        try await bench.enrol()
        let accounts = Lock<[Account]?>(nil)
        let error = Lock<(any Error)?>(nil)
        storage.callBack.withValue { callBack in
            callBack = (
                name,
                { [client = bench.client, handler = bench.handler] in
                    accounts.withValue { $0 = client.getAllAccounts() }
                    _ = handler.deviceToken
                    guard let url = URL(string: Self.hotp) else { return }
                    let report = { (reported: any Error) in error.withValue { $0 = reported } }
                    client.createMechanismFromUri(uri: url, onSuccess: { _ in }, onError: report)
                }
            )
        }
        #expect(bench.client.getAllAccounts().count == 1)
        _ = bench.handler.deviceToken
        _ = try await bench.create(Self.totp)
        #expect(accounts.withValue { $0 } == [])
        let text = error.withValue { $0?.localizedDescription }
        #expect(text?.contains("called FRAClient while FRAClient was calling it") == true)
        storage.callBack.withValue { $0 = nil }
        #expect(bench.client.getAllAccounts().flatMap(\.mechanisms).count == 2)
    }

    /// Every change of a combined registration, of a lock, of an unlock and of a removal fails once.
    @Test(arguments: 1...4)
    func nothingIsLostWhenTheStorageRefusesAChange(_ number: Int) async throws {
        let mechanism = try await bench.enrol(policies: Self.attached)
        _ = try await bench.create(Self.totp)
        _ = try bench.deliver(to: mechanism)
        let account = try #require(bench.client.getAccount(identifier: "Example-babs"))
        func shown() -> [String?] {
            bench.client.getAllAccounts().flatMap { account in
                [account.toJson()] + account.mechanisms.map { $0.toJson() }
            } + bench.client.getAllNotifications().map { $0.toJson() }
        }
        let before = shown()
        storage.refuse([number])
        let isRemoved = bench.client.removeAccount(account: account)
        #expect(!isRemoved)
        storage.refuse([])
        #expect(shown() == before)
    }

    @Test func aLockThatTheStorageRefusesIsFalseAndTheObjectChanges() async throws {
        try await bench.enrol(policies: Self.attached)
        let account = try #require(bench.client.getAllAccounts().first)
        let policy = SwitchPolicy(bench.complies)
        storage.refuse([1])
        #expect(try !bench.client.lockAccount(account: account, policy: policy))
        #expect(account.lock)
        storage.refuse([])
        #expect(bench.client.getAllAccounts().map(\.lock) == [false])
        account.unlock()
        #expect(try bench.client.lockAccount(account: account, policy: policy))
        storage.refuse([1])
        #expect(try !bench.client.unlockAccount(account: account))
        #expect(!account.lock)
    }

    @Test func aLockByPolicyIsShownAlthoughTheStorageRefusesIt() async throws {
        try await bench.enrol(policies: Self.attached)
        bench.complies.withValue { $0 = false }
        storage.refuse([1])
        #expect(bench.client.getAllAccounts().map(\.lock) == [true])
        storage.refuse([])
        #expect(bench.client.getAllAccounts().map(\.lock) == [true])
        bench.complies.withValue { $0 = true }
        #expect(bench.client.getAllAccounts().map(\.lock) == [false])
    }

    @Test func aStorageThatLosesWhatItRefusesGetsItBack() async throws {
        let hotp = try #require(try await bench.create(Self.hotp) as? HOTPMechanism)
        let storage = LossyStorage(self.storage)
        let client = try Bench(storage: storage).client
        let known = try #require(client.getAllAccounts().first?.mechanisms.first as? HOTPMechanism)
        storage.losesNext.withValue { $0 = true }
        #expect(throws: MechanismError.self) { try known.generateCode() }
        #expect(client.getAllAccounts().flatMap(\.mechanisms).map(\.mechanismUUID) == [hotp.mechanismUUID])
    }

    @Test func aMechanismThatNoCredentialCanBeMadeOfIsShownAndCanBeRemoved() async throws {
        let hotp = try await bench.create(Self.hotp)
        let json = try #require(hotp.toJson())
            .replacingOccurrences(of: "\"sha1\"", with: "\"ripemd160\"")
            .replacingOccurrences(of: "\"SHA1\"", with: "\"ripemd160\"")
        let unusable = try JSONDecoder().decode(HOTPMechanism.self, from: Data(json.utf8))
        #expect(unusable.algorithm == "ripemd160")
        storage.setMechanism(mechanism: unusable)
        let shown = bench.client.getAllAccounts().flatMap(\.mechanisms)
        #expect(shown.map { $0.toJson() } == [unusable.toJson()])
        let one = bench.client.getAccount(identifier: "Example-babs")
        #expect(one?.mechanisms.map { $0.toJson() } == [unusable.toJson()])
        #expect(throws: (any Error).self) { try unusable.generateCode() }
        #expect(bench.client.removeMechanism(mechanism: unusable))
        #expect(bench.client.getAllAccounts().map(\.mechanisms.count) == [0])
        #expect(!bench.client.removeMechanism(mechanism: unusable))
    }
}

import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import Testing

@Suite("Accounts of the legacy API")
struct AccountTests {
    private static let attached = #"{"switch":{}}"#

    @Test(arguments: StoreKind.allCases)
    func anAccountOutlivesItsMechanismsUntilItIsRemoved(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let mechanism = try await bench.enrol()
        _ = try bench.deliver(to: mechanism)
        #expect(bench.client.removeMechanism(mechanism: mechanism))
        let account = try #require(bench.client.getAccount(identifier: "Example-babs"))
        #expect(account.mechanisms == [])
        account.displayIssuer = "Renamed"
        #expect(try bench.client.updateAccount(account: account))
        #expect(bench.client.getAllAccounts().map(\.displayIssuer) == ["Renamed"])
        try await bench.enrol()
        #expect(bench.client.getAllAccounts().map(\.displayIssuer) == ["Renamed"])
        #expect(bench.client.removeAccount(account: account))
        #expect(bench.client.getAllAccounts() == [])
        #expect(!bench.client.removeAccount(account: account))
        #expect(try !bench.client.updateAccount(account: account))
    }

    @Test(arguments: StoreKind.allCases)
    func removingAnAccountRemovesItsNotifications(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        _ = try bench.deliver(to: await bench.enrol("one"))
        _ = try bench.deliver(to: await bench.enrol("two"), messageId: "AUTHENTICATE:2")
        let account = try #require(bench.client.getAccount(identifier: "Example-one"))
        #expect(bench.client.removeAccount(account: account))
        #expect(bench.client.getAllNotifications().map(\.messageId) == ["AUTHENTICATE:2"])
        let left = try #require(bench.client.getAllNotifications().first)
        #expect(bench.client.removeNotification(notification: left))
        #expect(!bench.client.removeNotification(notification: left))
    }

    @Test(arguments: StoreKind.allCases)
    func readingAnAccountLocksAndUnlocksIt(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        try await bench.enrol(policies: Self.attached)
        bench.complies.withValue { $0 = false }
        #expect(bench.client.getAllAccounts().map(\.lock) == [true])
        #expect(try bench.store.read { try $0.pushCredentials().map(\.isLocked) } == [true])
        bench.complies.withValue { $0 = true }
        #expect(bench.client.getAccount(identifier: "Example-babs")?.lock == false)
        #expect(try bench.store.read { try $0.pushCredentials().map(\.isLocked) } == [false])
    }

    @Test func onlyAPolicyOfTheAccountLocksIt() async throws {
        final class Policy: FRAPolicy {
            let name: String
            var data: Any?
            init(name: String) { self.name = name }
            func evaluate() -> Bool { true }
        }
        let bench = try Bench()
        try await bench.enrol(policies: Self.attached)
        let account = try #require(bench.client.getAllAccounts().first)
        func code(_ body: () throws -> Void) -> Int? {
            do {
                try body()
                return nil
            } catch {
                return (error as? any FRError & CustomNSError)?.errorCode
            }
        }
        #expect(
            code { try bench.client.lockAccount(account: account, policy: Policy(name: "")) } == 6_100_001
        )
        #expect(
            code { try bench.client.lockAccount(account: account, policy: Policy(name: "x")) } == 6_100_002
        )
        #expect(code { try bench.client.unlockAccount(account: account) } == 6_100_004)
        let policy = Policy(name: "switch")
        #expect(code { try bench.client.lockAccount(account: account, policy: policy) } == nil)
        #expect(code { try bench.client.lockAccount(account: account, policy: policy) } == 6_100_003)
        #expect(account.lockingPolicy == "switch")
        #expect(code { try bench.client.unlockAccount(account: account) } == nil)
        #expect(!account.lock)
    }

    @Test(arguments: StoreKind.allCases)
    func anAccountThatIsGoneCannotBeUnlocked(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        try await bench.enrol()
        let account = try #require(bench.client.getAllAccounts().first)
        #expect(bench.client.removeAccount(account: account))
        final class Policy: FRAPolicy {
            let name = "switch"
            var data: Any?
            func evaluate() -> Bool { false }
        }
        #expect(try !bench.client.updateAccount(account: account))
        account.lock(policy: Policy())
        let error = #expect(throws: FRAError.self) { try bench.client.unlockAccount(account: account) }
        #expect(error?.errorCode == 8_000_001)
        #expect(error?.localizedDescription == "The storage failed: The account is not stored.")
        #expect(account.lock)
    }

    @Test func collidingIdentifiersAreDistinguished() async throws {
        let bench = try Bench()
        bench.setToken()
        _ = try await bench.create(Bench.uri("C", issuer: "A-B"))
        _ = try await bench.create(Bench.uri("B-C", issuer: "A"))
        let accounts = bench.client.getAllAccounts()
        #expect(accounts.map(\.identifier) == ["A-B-C", "A-B-C"])
        #expect(accounts.map(\.mechanisms.count) == [1, 1])
        let second = try #require(accounts.first { $0.issuer == "A" })
        #expect(bench.client.removeAccount(account: second))
        #expect(bench.client.getAllAccounts().map(\.issuer) == ["A-B"])
    }

    @Test func aRefusalOfAnAppsStorageIsReportedAndChangesNothing() async throws {
        let bench = try Bench(.storageClient)
        let account = try #require(bench.client.getAccount(mechanism: try await bench.enrol()))
        bench.storage?.contents.withValue { $0.refuses = ["mechanism"] }
        let url = try #require(URL(string: "otpauth://totp/New:babs?secret=JBSWY3DPEHPK3PXP"))
        let report = await outcome { _, fail in
            bench.client.createMechanismFromUri(uri: url, onSuccess: { _ in }, onError: fail)
        }
        #expect(report.code == 8_000_001)
        #expect(bench.client.getAllAccounts().map(\.identifier) == [account.identifier])
        bench.storage?.contents.withValue { $0.refuses = ["account"] }
        account.displayIssuer = "Renamed"
        #expect(try !bench.client.updateAccount(account: account))
    }
}

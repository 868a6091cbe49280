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
        let fixture = try ClientFixture(kind)
        let mechanism = try await fixture.enrol()
        _ = try fixture.deliver(to: mechanism)
        #expect(fixture.client.removeMechanism(mechanism: mechanism))
        let account = try #require(fixture.client.getAccount(identifier: "Example-babs"))
        #expect(account.mechanisms == [])
        account.displayIssuer = "Renamed"
        #expect(try fixture.client.updateAccount(account: account))
        #expect(fixture.client.getAllAccounts().map(\.displayIssuer) == ["Renamed"])
        try await fixture.enrol()
        #expect(fixture.client.getAllAccounts().map(\.displayIssuer) == ["Renamed"])
        #expect(fixture.client.removeAccount(account: account))
        #expect(fixture.client.getAllAccounts() == [])
        #expect(!fixture.client.removeAccount(account: account))
        #expect(try !fixture.client.updateAccount(account: account))
    }

    @Test(arguments: StoreKind.allCases)
    func removingAnAccountRemovesItsNotifications(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        _ = try fixture.deliver(to: await fixture.enrol("one"))
        _ = try fixture.deliver(to: await fixture.enrol("two"), messageId: "AUTHENTICATE:2")
        let account = try #require(fixture.client.getAccount(identifier: "Example-one"))
        #expect(fixture.client.removeAccount(account: account))
        #expect(fixture.client.getAllNotifications().map(\.messageId) == ["AUTHENTICATE:2"])
        let left = try #require(fixture.client.getAllNotifications().first)
        #expect(fixture.client.removeNotification(notification: left))
        #expect(!fixture.client.removeNotification(notification: left))
    }

    @Test(arguments: StoreKind.allCases)
    func readingAnAccountLocksAndUnlocksIt(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        try await fixture.enrol(policies: Self.attached)
        fixture.complies.withValue { $0 = false }
        #expect(fixture.client.getAllAccounts().map(\.lock) == [true])
        #expect(try fixture.store.read { try $0.pushCredentials().map(\.isLocked) } == [true])
        fixture.complies.withValue { $0 = true }
        #expect(fixture.client.getAccount(identifier: "Example-babs")?.lock == false)
        #expect(try fixture.store.read { try $0.pushCredentials().map(\.isLocked) } == [false])
    }

    @Test func anAccountIsLockedOnlyByOneOfItsPolicies() async throws {
        final class Policy: FRAPolicy {
            let name: String
            var data: Any?
            init(name: String) { self.name = name }
            func evaluate() -> Bool { true }
        }
        let fixture = try ClientFixture()
        try await fixture.enrol(policies: Self.attached)
        let account = try #require(fixture.client.getAllAccounts().first)
        func code(_ body: () throws -> Void) -> Int? {
            do {
                try body()
                return nil
            } catch {
                return (error as? any FRError & CustomNSError)?.errorCode
            }
        }
        #expect(
            code { try fixture.client.lockAccount(account: account, policy: Policy(name: "")) } == 6_100_001
        )
        #expect(
            code { try fixture.client.lockAccount(account: account, policy: Policy(name: "x")) } == 6_100_002
        )
        #expect(code { try fixture.client.unlockAccount(account: account) } == 6_100_004)
        let policy = Policy(name: "switch")
        #expect(code { try fixture.client.lockAccount(account: account, policy: policy) } == nil)
        #expect(code { try fixture.client.lockAccount(account: account, policy: policy) } == 6_100_003)
        #expect(account.lockingPolicy == "switch")
        #expect(code { try fixture.client.unlockAccount(account: account) } == nil)
        #expect(!account.lock)
    }

    @Test(arguments: StoreKind.allCases)
    func anAccountThatIsGoneCannotBeUnlocked(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        try await fixture.enrol()
        let account = try #require(fixture.client.getAllAccounts().first)
        #expect(fixture.client.removeAccount(account: account))
        final class Policy: FRAPolicy {
            let name = "switch"
            var data: Any?
            func evaluate() -> Bool { false }
        }
        #expect(try !fixture.client.updateAccount(account: account))
        account.lock(policy: Policy())
        let error = #expect(throws: FRAError.self) { try fixture.client.unlockAccount(account: account) }
        #expect(error?.errorCode == 8_000_001)
        #expect(error?.localizedDescription == "The storage failed: The account is not stored.")
        #expect(account.lock)
    }

    @Test func collidingIdentifiersAreDistinguished() async throws {
        let fixture = try ClientFixture()
        fixture.setToken()
        _ = try await fixture.create(ClientFixture.uri("C", issuer: "A-B"))
        _ = try await fixture.create(ClientFixture.uri("B-C", issuer: "A"))
        let accounts = fixture.client.getAllAccounts()
        #expect(accounts.map(\.identifier) == ["A-B-C", "A-B-C"])
        #expect(accounts.map(\.mechanisms.count) == [1, 1])
        let second = try #require(accounts.first { $0.issuer == "A" })
        #expect(fixture.client.removeAccount(account: second))
        #expect(fixture.client.getAllAccounts().map(\.issuer) == ["A-B"])
    }

    @Test func aRefusalOfAnAppsStorageIsReportedAndChangesNothing() async throws {
        let fixture = try ClientFixture(.storageClient)
        let account = try #require(fixture.client.getAccount(mechanism: try await fixture.enrol()))
        fixture.storage?.contents.withValue { $0.refuses = ["mechanism"] }
        let url = try #require(URL(string: "otpauth://totp/New:babs?secret=JBSWY3DPEHPK3PXP"))
        let report = await outcome { _, fail in
            fixture.client.createMechanismFromUri(uri: url, onSuccess: { _ in }, onError: fail)
        }
        #expect(report.code == 8_000_001)
        #expect(fixture.client.getAllAccounts().map(\.identifier) == [account.identifier])
        fixture.storage?.contents.withValue { $0.refuses = ["account"] }
        account.displayIssuer = "Renamed"
        #expect(try !fixture.client.updateAccount(account: account))
    }
}

import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import Testing

@Suite("Registering through the legacy API")
struct RegistrationTests {
    private static let totp = "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example"
    private static let hotp = "otpauth://hotp/Example:babs?secret=JBSWY3DPEHPK3PXP&counter=7"

    private func failure(_ uri: String, _ bench: Bench) async throws -> Report {
        let url = try #require(URL(string: uri))
        return await outcome { _, fail in
            bench.client.createMechanismFromUri(uri: url, onSuccess: { _ in }, onError: fail)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aPushCodeMakesAMechanism(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let made = try await bench.enrol()
        #expect(made.type == "push")
        #expect(made.identifier == "Example-babs-push")
        #expect(bench.server.requests.map(\.action) == [.register])
        #expect(bench.server.requests[0].claims?["deviceId"] == "00FF")
        #expect(bench.server.requests[0].claims?["deviceName"] == "Phone")
        let headers = bench.server.requests[0].headers
        #expect(headers.contains(PushRequest.Header("x-requested-with", "forgerock-sdk")))
        let account = try #require(bench.client.getAccount(mechanism: made))
        #expect(account.identifier == "Example-babs")
        #expect(account.mechanisms.map(\.mechanismUUID) == [made.mechanismUUID])
    }

    @Test(arguments: StoreKind.allCases)
    func oneTimePasswordsJoinTheAccount(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let push = try await bench.enrol()
        let account = try #require(bench.client.getAccount(mechanism: push))
        account.displayAccountName = "Babs Jensen"
        #expect(try bench.client.updateAccount(account: account))
        #expect(try await bench.create(Self.totp) is TOTPMechanism)
        #expect(try await bench.create(Self.hotp) is HOTPMechanism)
        let accounts = bench.client.getAllAccounts()
        #expect(accounts.map(\.displayAccountName) == ["Babs Jensen"])
        #expect(Set(accounts[0].mechanisms.map(\.type)) == ["push", "totp", "hotp"])
    }

    @Test(arguments: StoreKind.allCases)
    func anAccountStaysAsOldAsItsFirstMechanism(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let first = try await bench.create(Self.totp)
        let added = try #require(bench.client.getAccount(mechanism: first)).timeAdded
        _ = try await bench.create(Self.hotp)
        let push = try await bench.enrol()
        #expect(bench.client.getAccount(mechanism: push)?.timeAdded == added)
        #expect(bench.client.removeMechanism(mechanism: first))
        #expect(bench.client.getAccount(mechanism: push)?.timeAdded == added)
    }

    @Test(arguments: StoreKind.allCases)
    func aSecondMechanismOfATypeIsRefusedBeforeAnyRequest(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        try await bench.enrol()
        _ = try await bench.create(Self.totp)
        let push = try await failure(try Bench.uri(), bench)
        let totp = try await failure(Self.totp, bench)
        #expect([push.code, totp.code] == [6_000_004, 6_000_004])
        #expect(push.isAtOnce && totp.isAtOnce)
        guard case MechanismError.alreadyExists("Example-babs-push")? = push.error else {
            Issue.record("\(String(describing: push.error))")
            return
        }
        #expect(bench.server.requests.count == 1)
    }

    @Test func withoutADeviceTokenNothingIsSent() async throws {
        let bench = try Bench()
        let report = try await failure(try Bench.uri(), bench)
        #expect(report.code == 1_100_000)
        #expect(report.isAtOnce)
        #expect(bench.server.requests == [])
    }

    @Test(arguments: [
        ("https://example.com", 6_000_000), ("nonsense", 6_000_000),
        ("otpauth://sms/A:b?secret=AA", 6_000_001),
        ("otpauth://totp/A:b", 6_000_002), ("otpauth://totp/A:b?secret=JBSWY3DP&digits=9", 6_000_003),
        ("pushauth://push/A:b?s=AA", 6_000_002),
    ])
    func anInvalidCodeFailsAtOnce(_ uri: String, _ code: Int) async throws {
        let bench = try Bench()
        bench.setToken()
        let report = try await failure(uri, bench)
        #expect(report.code == code)
        #expect(report.isAtOnce)
    }

    @Test func aRefusedRegistrationStoresNothing() async throws {
        let bench = try Bench()
        bench.setToken()
        bench.server.willAnswer { _ in .refusal }
        let report = try await failure(try Bench.uri(), bench)
        #expect(report.code == 5_000_010)
        #expect(!report.isAtOnce)
        #expect(bench.client.getAllAccounts() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func aCombinedCodeCreatesBothMechanismsAndReturnsThePushMechanism(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        bench.setToken()
        let uri = try combined()
        #expect(try await bench.create(uri) is PushMechanism)
        let mechanisms = bench.client.getAllAccounts().flatMap(\.mechanisms)
        #expect(Set(mechanisms.map(\.type)) == ["push", "totp"])
        #expect(try await failure(uri, bench).code == 6_000_004)
        #expect(bench.server.requests.count == 1)
    }

    @Test func aCombinedCodeIsRefusedIfTheAccountHasAnyMechanism() async throws {
        let bench = try Bench()
        bench.setToken()
        _ = try await bench.create(Self.hotp)
        #expect(try await failure(try combined(), bench).code == 6_000_004)
        #expect(bench.server.requests == [])
    }

    @Test func aCombinedCodeIsRefusedIfTheDeviceViolatesAPolicy() async throws {
        let bench = try Bench()
        bench.setToken()
        bench.complies.withValue { $0 = false }
        let report = try await failure(try combined(policies: #"{"switch":{}}"#), bench)
        #expect(report.code == 6_100_005)
        #expect(report.isAtOnce)
        #expect(bench.server.requests == [])
    }

    private func combined(policies: String? = nil) throws -> String {
        let push = try PushRegistration(uri: Bench.uri(policies: policies))
        return RegistrationURI.combined(push, try OathRegistration(uri: Self.totp)).text
    }
}

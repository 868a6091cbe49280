import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@Suite("Registering through the legacy API")
struct RegistrationTests {
    private static let totp = "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example"
    private static let hotp = "otpauth://hotp/Example:babs?secret=JBSWY3DPEHPK3PXP&counter=7"

    private func failure(_ uri: String, _ fixture: ClientFixture) async throws -> Report {
        let url = try #require(URL(string: uri))
        return await outcome { _, fail in
            fixture.client.createMechanismFromUri(uri: url, onSuccess: { _ in }, onError: fail)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aPushCodeMakesAMechanism(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let made = try await fixture.enrol()
        #expect(made.type == "push")
        #expect(made.identifier == "Example-babs-push")
        #expect(fixture.server.requests.map(\.action) == [.register])
        #expect(fixture.server.requests[0].claims?["deviceId"] == "00FF")
        #expect(fixture.server.requests[0].claims?["deviceName"] == "Phone")
        let headers = fixture.server.requests[0].headers
        #expect(headers.contains(PushRequest.Header("x-requested-with", "forgerock-sdk")))
        let account = try #require(fixture.client.getAccount(mechanism: made))
        #expect(account.identifier == "Example-babs")
        #expect(account.mechanisms.map(\.mechanismUUID) == [made.mechanismUUID])
    }

    @Test(arguments: StoreKind.allCases)
    func oneTimePasswordsJoinTheAccount(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let push = try await fixture.enrol()
        let account = try #require(fixture.client.getAccount(mechanism: push))
        account.displayAccountName = "Babs Jensen"
        #expect(try fixture.client.updateAccount(account: account))
        #expect(try await fixture.create(Self.totp) is TOTPMechanism)
        #expect(try await fixture.create(Self.hotp) is HOTPMechanism)
        let accounts = fixture.client.getAllAccounts()
        #expect(accounts.map(\.displayAccountName) == ["Babs Jensen"])
        #expect(Set(accounts[0].mechanisms.map(\.type)) == ["push", "totp", "hotp"])
    }

    @Test(arguments: StoreKind.allCases)
    func anAccountKeepsTheDateOfItsFirstMechanism(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let first = try await fixture.create(Self.totp)
        let added = try #require(fixture.client.getAccount(mechanism: first)).timeAdded
        _ = try await fixture.create(Self.hotp)
        let push = try await fixture.enrol()
        #expect(fixture.client.getAccount(mechanism: push)?.timeAdded == added)
        #expect(fixture.client.removeMechanism(mechanism: first))
        #expect(fixture.client.getAccount(mechanism: push)?.timeAdded == added)
    }

    @Test(arguments: StoreKind.allCases)
    func aSecondMechanismOfATypeIsRefusedBeforeAnyRequest(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        try await fixture.enrol()
        _ = try await fixture.create(Self.totp)
        let push = try await failure(try ClientFixture.uri(), fixture)
        let totp = try await failure(Self.totp, fixture)
        #expect([push.code, totp.code] == [6_000_004, 6_000_004])
        #expect(push.isAtOnce && totp.isAtOnce)
        guard case MechanismError.alreadyExists("Example-babs-push")? = push.error else {
            Issue.record("The error is \(String(describing: push.error)) instead of alreadyExists.")
            return
        }
        #expect(fixture.server.requests.count == 1)
    }

    @Test func withoutADeviceTokenNothingIsSent() async throws {
        let fixture = try ClientFixture()
        let report = try await failure(try ClientFixture.uri(), fixture)
        #expect(report.code == 1_100_000)
        #expect(report.isAtOnce)
        #expect(fixture.server.requests == [])
    }

    @Test(arguments: [
        ("https://example.com", 6_000_000), ("nonsense", 6_000_000),
        ("otpauth://sms/A:b?secret=AA", 6_000_001),
        ("otpauth://totp/A:b", 6_000_002), ("otpauth://totp/A:b?secret=JBSWY3DP&digits=9", 6_000_003),
        ("pushauth://push/A:b?s=AA", 6_000_002),
    ])
    func anInvalidCodeFailsAtOnce(_ uri: String, _ code: Int) async throws {
        let fixture = try ClientFixture()
        fixture.setToken()
        let report = try await failure(uri, fixture)
        #expect(report.code == code)
        #expect(report.isAtOnce)
    }

    @Test func aRefusedRegistrationStoresNothing() async throws {
        let fixture = try ClientFixture()
        fixture.setToken()
        fixture.server.willAnswer { _ in .refusal }
        let report = try await failure(try ClientFixture.uri(), fixture)
        #expect(report.code == 5_000_010)
        #expect(!report.isAtOnce)
        #expect(fixture.client.getAllAccounts() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func aCombinedCodeCreatesBothMechanismsAndReturnsThePushMechanism(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        fixture.setToken()
        let uri = try combined()
        #expect(try await fixture.create(uri) is PushMechanism)
        let mechanisms = fixture.client.getAllAccounts().flatMap(\.mechanisms)
        #expect(Set(mechanisms.map(\.type)) == ["push", "totp"])
        #expect(try await failure(uri, fixture).code == 6_000_004)
        #expect(fixture.server.requests.count == 1)
    }

    @Test func aCombinedCodeIsRefusedIfTheAccountHasAnyMechanism() async throws {
        let fixture = try ClientFixture()
        fixture.setToken()
        _ = try await fixture.create(Self.hotp)
        #expect(try await failure(try combined(), fixture).code == 6_000_004)
        #expect(fixture.server.requests == [])
    }

    @Test func aCombinedCodeIsRefusedIfTheDeviceViolatesAPolicy() async throws {
        let fixture = try ClientFixture()
        fixture.setToken()
        fixture.complies.withValue { $0 = false }
        let report = try await failure(try combined(policies: #"{"switch":{}}"#), fixture)
        #expect(report.code == 6_100_005)
        #expect(report.isAtOnce)
        #expect(fixture.server.requests == [])
    }

    private func combined(policies: String? = nil) throws -> String {
        let push = try PushRegistration(uri: ClientFixture.uri(policies: policies))
        return RegistrationURI.combined(push, try OathRegistration(uri: Self.totp)).text
    }
}

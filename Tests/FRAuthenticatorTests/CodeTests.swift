import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import Testing

@Suite("One-time passwords of the legacy API")
struct CodeTests {
    @Test(arguments: StoreKind.allCases)
    func theCounterIsStoredWithEveryCode(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        // RFC 4226, appendix D.
        let uri = "otpauth://hotp/Example:babs?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0"
        let hotp = try #require(try await fixture.create(uri) as? HOTPMechanism)
        #expect(try hotp.generateCode().code == "755224")
        #expect(try hotp.generateCode().code == "287082")
        #expect(hotp.counter == 2)
        #expect(try fixture.store.read { try $0.oathCredentials().map(\.counter) } == [2])
        let again = fixture.client.getAllAccounts().flatMap(\.mechanisms).first as? HOTPMechanism
        let code = try #require(try again?.generateCode())
        #expect(code.code == "359152")
        #expect((code.until, code.progress, code.isValid) == (nil, 0, true))
    }

    @Test(arguments: StoreKind.allCases)
    func movingTheCounterChangesNothingElse(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let uid = Data("babs-id".utf8).base64EncodedString()
        let uri = "otpauth://hotp/Example:babs?secret=JBSWY3DPEHPK3PXP&counter=7&uid=\(uid)"
        let hotp = try #require(try await fixture.create(uri) as? HOTPMechanism)
        let before = try #require(hotp.toJson())
        _ = try hotp.generateCode()
        let expected = before.replacingOccurrences(of: "\"counter\":7", with: "\"counter\":8")
        #expect(before != expected)
        #expect(hotp.toJson() == expected)
        #expect(fixture.client.getAllAccounts().flatMap(\.mechanisms).map { $0.toJson() } == [expected])
    }

    @Test func aTimeBasedCodeContainsItsExpirationTime() async throws {
        let fixture = try ClientFixture()
        let uri = "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&period=60&digits=8"
        let totp = try #require(try await fixture.create(uri) as? TOTPMechanism)
        #expect((totp.period, totp.digits) == (60, 8))
        let code = try totp.generateCode()
        #expect(code.code.count == 8)
        #expect(code.until == code.start + 60)
        let decoded = try JSONDecoder().decode(
            OathTokenCode.self,
            from: Data(try #require(code.toJson()).utf8)
        )
        #expect(decoded.toJson() == code.toJson())
    }

    @Test func aLockedAccountMakesNoCodes() async throws {
        let fixture = try ClientFixture()
        let uri = "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&policies=%7B%22switch%22:1%7D"
        let totp = try #require(try await fixture.create(uri) as? TOTPMechanism)
        fixture.complies.withValue { $0 = false }
        do {
            _ = try totp.generateCode()
            Issue.record("A locked account made a code.")
        } catch {
            #expect((error as? any FRError & CustomNSError)?.errorCode == 6_100_000)
        }
    }
}

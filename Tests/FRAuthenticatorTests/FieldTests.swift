import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Situations that once failed in the field.
@Suite("Situations from the field")
struct FieldTests {
    /// As in the SDK, two names mean the same account if they are canonically equivalent in Unicode.
    @Test(arguments: StoreKind.allCases)
    func anotherSpellingOfTheSameNameIsTheSameAccount(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let first = try await fixture.create(
            "otpauth://totp/Caf%65%CC%81:cafe%CC%81?secret=JBSWY3DPEHPK3PXP&issuer=Cafe%CC%81"
        )
        await #expect {
            _ = try await fixture.create(
                "otpauth://totp/Caf%C3%A9:caf%C3%A9?secret=JBSWY3DPEHPK3PXQ&issuer=Caf%C3%A9"
            )
        } throws: { error in
            if case MechanismError.alreadyExists? = error as? MechanismError { true } else { false }
        }
        let accounts = fixture.client.getAllAccounts()
        #expect(accounts.count == 1)
        #expect(accounts.first?.mechanisms.map(\.mechanismUUID) == [first.mechanismUUID])
        #expect(fixture.client.getAccount(identifier: "Caf\u{E9}-caf\u{E9}") != nil)
    }

    @Test(arguments: 4...8)
    func codesWithFourToEightDigitsAreAccepted(_ digits: Int) async throws {
        let fixture = try ClientFixture()
        let uri = "otpauth://totp/A:b?secret=JBSWY3DPEHPK3PXP&digits=\(digits)"
        let totp = try #require(try await fixture.create(uri) as? TOTPMechanism)
        #expect(try totp.generateCode().code.count == digits)
    }

    @Test(arguments: [3, 9, 0])
    func codesWithOtherNumbersOfDigitsAreRefused(_ digits: Int) async throws {
        let fixture = try ClientFixture()
        await #expect(throws: MechanismError.self) {
            _ = try await fixture.create("otpauth://totp/A:b?secret=JBSWY3DPEHPK3PXP&digits=\(digits)")
        }
    }

    /// Codes with peculiar names and addresses are read as the SDK reads them.
    ///
    /// A `URL` drops the slash at the end of its path. An empty issuer counts as absent. A percent sign can be part of
    /// a name.
    @Test(arguments: [
        ("Company:John/?issuer=Company", "Company", "John"), ("Demo:ann?issuer=", "Demo", "ann"),
        ("example?issuer&algorithm=SHA1", "example", "example"), ("100%:ann?digits=6", "100%", "ann"),
    ])
    func namesInCodesAreReadAsTheSDKReadsThem(_ label: String, _ issuer: String, _ name: String) throws {
        for readsAsSuccessor in [false, true] {
            let code = try RegistrationURI(
                "otpauth://totp/\(label)&secret=JBSWY3DPEHPK3PXP",
                readsAsSuccessor: readsAsSuccessor
            )
            #expect(code.account.key == AccountKey(issuer: issuer, accountName: name))
        }
    }

    /// A token of a push service other than APNs is sent and stored as given: a Firebase token is invalid in upper
    /// case.
    @Test func aTokenOfAnotherServiceIsSentAndStoredAsGiven() async throws {
        let (fixture, token) = (try ClientFixture(), "fGci:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx")
        let mechanism = try await fixture.enrol()
        let report = await outcome { succeed, fail in
            fixture.handler.updateDeviceToken(
                mechanism: mechanism,
                deviceToken: token,
                onSuccess: succeed,
                onFailure: fail
            )
        }
        #expect(report.error == nil)
        #expect(fixture.handler.deviceToken == token)
        let sent = try #require(fixture.server.requests.last)
        #expect(sent.claims?["deviceId"] == .string(token))
        let other = PushBridgeCore.PushDeviceToken(token: token.uppercased())
        #expect(try fixture.store.read { try $0.deviceToken() }?.isSameDevice(as: other) == false)
    }

    /// A policy can read the numbers in its data as any type.
    ///
    /// The numbers are `NSNumber`s, as `JSONSerialization` creates them.
    @Test func aPolicyCanReadItsNumbersAsAnyType() throws {
        final class Reader: FRAPolicy {
            let name = "reader"
            var data: Any?
            func evaluate() -> Bool {
                guard let members = data as? [String: Any] else { return data is NSNull }
                return members["one"] as? Double == 1 && members["one"] as? Int == 1
                    && members["half"] as? Double == 0.5 && members["flag"] as? Bool == true
                    && members["none"] is NSNull && data is [String: Any]
                    && members["levels"] as? [String: Double] == ["low": 1, "high": 2.5]
            }
        }
        let evaluator = FRAPolicyEvaluator()
        try evaluator.registerPolicies(policies: [Reader()])
        for policies in [
            #"{"reader":{"one":1,"half":0.5,"flag":true,"none":null,"levels":{"low":1,"high":2.5}}}"#,
            #"{"reader":null}"#,
        ] {
            let encoded = Data(policies.utf8).base64EncodedString()
            let uri = "otpauth://totp/A:b?secret=JBSWY3DPEHPK3PXP&policies=\(encoded)"
            #expect(evaluator.evaluate(uri: try #require(URL(string: uri))).comply)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aNameThatEqualsTheSecretIsAccepted(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let secret = "JBSWY3DPEHPK3PXP"
        _ = try await fixture.create("otpauth://totp/\(secret)?secret=\(secret)")
        _ = try await fixture.create("otpauth://hotp/\(secret):a?secret=\(secret)&issuer=\(secret)")
        let accounts = fixture.client.getAllAccounts()
        #expect(accounts.map(\.mechanisms.count) == [1, 1])
        let codes = accounts.flatMap(\.mechanisms).map { mechanism in
            (mechanism as? TOTPMechanism).map { try? $0.generateCode().code }
                ?? (try? (mechanism as? HOTPMechanism)?.generateCode().code)
        }
        #expect(codes.allSatisfy { $0?.count == 6 })
    }
}

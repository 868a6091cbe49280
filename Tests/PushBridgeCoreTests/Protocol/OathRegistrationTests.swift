import Foundation
import PushBridgeCore
import Testing

@Suite struct OathRegistrationTests {
    private func registration(
        issuer: String = "Acme",
        algorithm: OathAlgorithm = .sha1,
        digits: Int = 6,
        movingFactor: OathMovingFactor = .time(period: 30)
    ) throws -> OathRegistration {
        OathRegistration(
            account: AccountProfile(issuer: issuer, accountName: "demo"),
            password: try OneTimePassword(
                secret: #require(SharedSecret(base32: "MZXW6YTB")),
                algorithm: algorithm,
                digits: digits
            ),
            movingFactor: movingFactor
        )
    }

    @Test func missingParametersGetDefaultValues() throws {
        #expect(try OathRegistration(uri: "otpauth://totp/Acme:demo?secret=MZXW6YTB") == registration())
        #expect(
            try OathRegistration(uri: "otpauth://hotp/Acme:demo?secret=MZXW6YTB")
                == registration(movingFactor: .counter(0))
        )
    }

    @Test(arguments: OathAlgorithm.allCases, [6, 8])
    func everyKindOfRegistrationRoundTrips(_ algorithm: OathAlgorithm, _ digits: Int) throws {
        for movingFactor: OathMovingFactor in [.time(period: 45), .counter(1 << 40)] {
            var registration = try registration(
                issuer: "Acme & Söhne + 50%",
                algorithm: algorithm,
                digits: digits,
                movingFactor: movingFactor
            )
            registration.account.imageURL = "https://example.com/a?b=c&d"
            registration.account.backgroundColor = "032b75"
            registration.account.policies = #"{"deviceTampering":{"score":0.8}}"#
            registration.userId = "id=demo"
            registration.resourceId = "oath-1"
            #expect(try OathRegistration(uri: registration.uri()) == registration)
        }
    }

    @Test(arguments: ["mzxw6ytb", "MZXW%206YTB", "mzxw-6ytb%3D%3D", "MZXW6YT8"])
    func lenientSpellingsOfTheSecretAreRead(_ secret: String) throws {
        #expect(try OathRegistration(uri: "otpauth://totp/Acme:demo?secret=\(secret)") == registration())
    }

    @Test(arguments: ["SHA256", "sha256", "Sha256"])
    func algorithmsAreReadInAnyCase(_ name: String) throws {
        let uri = "otpauth://totp/Acme:demo?secret=MZXW6YTB&algorithm=\(name)"
        #expect(try OathRegistration(uri: uri) == registration(algorithm: .sha256))
    }

    @Test func plainIdsAndPoliciesAreReadUnchanged() throws {
        let uri = #"otpauth://totp/x:demo?secret=MZXW6YTB&issuer=Acme&uid=demo&oid=r-1&policies={"a":{}}"#
        var expected = try registration()
        expected.userId = "demo"
        expected.resourceId = "r-1"
        expected.account.policies = #"{"a":{}}"#
        #expect(try OathRegistration(uri: uri) == expected)
    }

    @Test(arguments: [
        ("totp", "secret=%21", "secret"),
        ("totp", "algorithm=crc32", "algorithm"), ("totp", "digits=9", "digits"),
        ("totp", "digits=six", "digits"), ("totp", "period=0", "period"), ("totp", "period=-30", "period"),
        ("totp", "period=99999999999999999999", "period"), ("hotp", "counter=-1", "counter"),
        ("hotp", "counter=1.5", "counter"), ("totp", "policies=%21", "policies"),
    ])
    func invalidParametersAreRefused(_ kind: String, _ parameter: String, _ name: String) {
        #expect(throws: RegistrationURIError.invalid(parameter: name)) {
            try OathRegistration(uri: "otpauth://\(kind)/Acme:demo?secret=MZXW6YTB&\(parameter)")
        }
    }

    @Test func aSecretOfMoreThan1024CharactersIsRefused() throws {
        let longest = String(repeating: "A", count: 1024)
        _ = try OathRegistration(uri: "otpauth://totp/Acme:demo?secret=\(longest)")
        #expect(throws: RegistrationURIError.invalid(parameter: "secret")) {
            try OathRegistration(uri: "otpauth://totp/Acme:demo?secret=\(longest)A")
        }
    }

    @Test(arguments: [
        ("aHR0cHM6Ly9hLmV4YW1wbGUvbG9nby5wbmc=", "https://a.example/logo.png"),
        ("aHR0cHM6Ly9hLmV4YW1wbGUvbG9nby5wbmc", "https://a.example/logo.png"),
        ("https%3A%2F%2Fa.example%2Flogo.png", "https://a.example/logo.png"), ("logo", "logo"),
    ])
    func anImageMayBeBase64(_ value: String, _ image: String) throws {
        let uri = "otpauth://totp/Acme:demo?secret=MZXW6YTB&image=\(value)"
        #expect(try OathRegistration(uri: uri).account.imageURL == image)
    }

    @Test func invalidRegistrationsAreRefused() {
        #expect(throws: RegistrationURIError.missing(parameter: "secret")) {
            try OathRegistration(uri: "otpauth://totp/Acme:demo")
        }
        #expect(throws: RegistrationURIError.unsupported) {
            try OathRegistration(uri: "otpauth://push/Acme:demo?secret=MZXW6YTB")
        }
        #expect(throws: RegistrationURIError.unsupported) {
            try OathRegistration(uri: "pushauth://totp/Acme:demo?secret=MZXW6YTB")
        }
    }
}

import Foundation
import PushBridgeCore
import Testing

@Suite struct LegacyConversionTests {
    private let account = LegacyAccount(
        profile: AccountProfile(issuer: "A-B", accountName: "C"),
        timeAdded: Date(timeIntervalSince1970: 1_700_000_000.001)
    )

    private func mechanism(secret: String, factor: LegacyFactor) throws -> LegacyMechanism {
        var mechanism = LegacyMechanism(
            mechanismUUID: "56E8",
            account: account.profile.key,
            secret: try #require(SharedSecret(utf8: secret)),
            timeAdded: Date(timeIntervalSince1970: 1_700_000_000.25),
            factor: factor
        )
        mechanism.version = 1
        mechanism.uid = "id=demo"
        return mechanism
    }

    private func push(registration: String = "https://reg.example.com/m?realm=/a&_action=register&x=1")
        -> LegacyPushParameters
    {
        LegacyPushParameters(
            registrationEndpoint: registration,
            authenticationEndpoint: "https://auth.example.com/m?_action=authenticate",
            registration: LegacyRegistration(
                messageId: "REGISTER:1",
                challenge: SharedSecret(utf8: "Y2g="),
                loadBalancer: ""
            )
        )
    }

    @Test(arguments: ["++//AAAA", "--__AAAA", "AQ", "AQ==", " AQID\n"])
    func pushMechanismRoundTrips(_ secret: String) throws {
        let mechanism = try mechanism(secret: secret, factor: .push(push()))
        let credential = try PushCredential(mechanism: mechanism, parameters: push(), account: account)
        #expect(credential.legacyMechanism == mechanism)
        #expect(credential.legacyAccount == account)
        #expect(credential.sharedSecret == SharedSecret(base64: secret))
    }

    @Test func pushAddressesStayVerbatim() throws {
        let mechanism = try mechanism(secret: "AQID", factor: .push(push()))
        let credential = try PushCredential(mechanism: mechanism, parameters: push(), account: nil)
        #expect(credential.registrationEndpoint == "https://reg.example.com/m?realm=/a&_action=register&x=1")
        #expect(credential.updateEndpoint == "https://reg.example.com/m?realm=/a&_action=refresh&x=1")
        #expect(credential.serverEndpoint == "https://reg.example.com/m")
        #expect(credential.authenticationEndpoint == "https://auth.example.com/m?_action=authenticate")
        #expect(credential.resourceId == "56E8")
        #expect(credential.userId == "id=demo")
        #expect(credential.legacyAccount == nil)
    }

    @Test(arguments: ["mzxw 6ytb-oi", "MZXW6YTB", "MZXW6YTB0I"])
    func oathMechanismRoundTrips(_ secret: String) throws {
        let parameters = LegacyOathParameters(algorithm: "sha384", digits: 8)
        for factor: LegacyFactor in [.totp(parameters, period: 45), .hotp(parameters, counter: 1 << 40)] {
            let mechanism = try mechanism(secret: secret, factor: factor)
            let credential = try OathCredential(mechanism: mechanism, account: account)
            #expect(credential.legacyMechanism == mechanism)
            #expect(credential.legacyAccount == account)
        }
    }

    @Test func valuesThatTheNewModelCannotRepresentAreUnsupported() throws {
        let cases: [(LegacyFactor, reason: String)] = [
            (
                .totp(LegacyOathParameters(algorithm: "ripemd160", digits: 6), period: 30),
                "One-time passwords with an unknown algorithm are not supported."
            ),
            (
                .totp(LegacyOathParameters(algorithm: "sha1", digits: 12), period: 30),
                "One-time passwords of 12 digits are not supported."
            ),
            (
                .totp(LegacyOathParameters(algorithm: "sha1", digits: 6), period: 0),
                "The period of 0 seconds is not positive."
            ),
            (
                .hotp(LegacyOathParameters(algorithm: "sha1", digits: 6), counter: -1),
                "The counter is negative."
            ),
        ]
        for (factor, reason) in cases {
            let mechanism = try mechanism(secret: "MZXW6YTB", factor: factor)
            #expect(throws: LegacyRecordError.unsupported(reason)) {
                try OathCredential(mechanism: mechanism, account: nil)
            }
        }
    }

    @Test func recordsWithAnInvalidSecretOrAddressAreReportedAsDamaged() throws {
        let unsigned = try mechanism(secret: "no base64!", factor: .push(push()))
        let lost = try mechanism(secret: "AQID", factor: .push(push(registration: "nowhere")))
        let cases = [
            (unsigned, push(), reason: "The secret is not base64."),
            (lost, push(registration: "nowhere"), reason: "An endpoint is not a URL with a host."),
        ]
        for (mechanism, parameters, reason) in cases {
            #expect(throws: LegacyRecordError.damaged(reason)) {
                try PushCredential(mechanism: mechanism, parameters: parameters, account: nil)
            }
        }
    }

    @Test(arguments: [(12.5, 13), (0, 0), (120, 120), (0.001, 1)])
    func timeToLiveIsRoundedUpAndKept(_ exact: TimeInterval, _ whole: Int) throws {
        var legacy = PushNotification(
            message: PushMessage(id: "AUTHENTICATE:1", challenge: "Y2g="),
            mechanismUUID: "56E8",
            ttl: exact,
            timeAdded: Date(timeIntervalSince1970: 1_700_000_300.001)
        )
        legacy.legacyPushType = "Challenge"
        legacy.pending = false
        let notification = try legacy.checked()
        #expect(notification.id == "56E8-1700000300001")
        #expect(notification.ttl == whole)
        #expect(notification.pushType == .challenge)
        #expect(notification.expiresAt == legacy.expiresAt)
        #expect(notification.legacyNotification == legacy)
    }

    @Test func aRecordWithAnInvalidTimeToLiveIsDamaged() {
        let legacy = PushNotification(
            message: PushMessage(id: "1", challenge: ""),
            mechanismUUID: "1",
            ttl: .infinity,
            timeAdded: .distantPast
        )
        #expect(throws: LegacyRecordError.damaged("The time to live is not a number of seconds.")) {
            try legacy.checked()
        }
    }

    @Test func accountKeysWithTheSameLegacyIdentifierDiffer() {
        let one = AccountKey(issuer: "A-B", accountName: "C")
        let other = AccountKey(issuer: "A", accountName: "B-C")
        #expect(one.legacyIdentifier == other.legacyIdentifier)
        #expect(one != other)
    }

    @Test func datesBeyondSixtyFourBitsAreClamped() {
        #expect(Date(timeIntervalSince1970: .infinity).millisecondsSince1970 == .max)
        #expect(Date(timeIntervalSince1970: -.infinity).millisecondsSince1970 == .min)
    }
}

import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@testable import LegacyStore

/// Records in the form in which the successor SDK stores them.
@Suite struct NewSDKDecodingTests {
    private func decoded(_ json: String, _ service: NewSDKService = .pushCredentials) throws -> DecodedItem {
        let payload = RecordService.newSDK(service).payload(Data(json.utf8))
        return try LegacyItem(
            position: .index(0),
            service: service.counterpart,
            key: "key",
            payload: payload
        ).decoded()
    }

    @Test func serviceNamesAreFrozen() {
        #expect(
            NewSDKService.allCases.map(\.rawValue) == [
                "com.pingidentity.push.credentials", "com.pingidentity.push.notifications",
                "com.pingidentity.push.tokens", "com.pingidentity.oath", "com.pingidentity.oath.secrets",
            ]
        )
    }

    @Test func aPushCredentialIsReadWithAllItsFields() throws {
        let item = try decoded(NewSDKSamples.push("P1", secret: "-_8", extra: NewSDKSamples.everyField))
        guard case .mechanism(let mechanism) = item.record, case .push(let parameters) = mechanism.factor
        else {
            Issue.record("The item contains no push mechanism.")
            return
        }
        #expect(mechanism.mechanismUUID == "P1")
        #expect(mechanism.secret == SharedSecret(utf8: "-_8"))
        #expect(mechanism.uid == "user-1")
        #expect(mechanism.resourceId == "resource-1")
        #expect(mechanism.timeAdded == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(parameters.registrationEndpoint == "https://am.example.com/am/push?_action=register")
        #expect(parameters.authenticationEndpoint == "https://am.example.com/am/push?_action=authenticate")
        var profile = AccountProfile(issuer: "Bank", accountName: "alice")
        profile.customDisplayAccountName = "Alice"
        profile.imageURL = "https://example.com/logo.png"
        profile.backgroundColor = "#ff8800"
        profile.policies = "{\"biometricAvailable\":{}}"
        profile.lockingPolicy = "biometricAvailable"
        profile.isLocked = true
        #expect(item.embeddedAccount == LegacyAccount(profile: profile, timeAdded: mechanism.timeAdded))
    }

    @Test func oathCredentialsAreReadFromEitherService() throws {
        let totp = try decoded(NewSDKSamples.totp("T1"), .oathCredentials).record
        let hotp = try decoded(NewSDKSamples.hotp("H1"), .pushCredentials).record
        #expect(totp.kind == .totp)
        #expect(hotp.kind == .hotp)
    }

    @Test func aNotificationKeepsItsIdAndDates() throws {
        let item = try decoded(NewSDKSamples.notification("N1", of: "P1"), .pushNotifications)
        guard case .notification(let notification) = item.record else {
            Issue.record("The item contains no notification.")
            return
        }
        #expect(notification.messageId == "AUTHENTICATE:N1")
        #expect(notification.challenge == "Y2hhbGxlbmdl")
        #expect(notification.credentialId == "P1")
        #expect(notification.sentAt == Date(timeIntervalSince1970: 1_700_000_100.25))
        #expect(notification.approved && !notification.pending)
        #expect(notification.id == "N1")
        #expect(notification.createdAt == Date(timeIntervalSince1970: 1_700_000_101))
        #expect(notification.respondedAt == Date(timeIntervalSince1970: 1_700_000_110))
    }

    @Test func aDeviceTokenIsRead() throws {
        let json = #"{"id":"t","token":"F79B","createdAt":"2023-11-14T22:13:20Z"}"#
        let token = PushDeviceToken(tokenId: "F79B", createdAt: Date(timeIntervalSince1970: 1_700_000_000))
        #expect(try decoded(json, .pushTokens).record == .deviceToken(token))
    }

    @Test(arguments: [
        ("", "not well-formed JSON"), ("[]", "object"), ("{}", "id is missing"),
        (NewSDKSamples.push("", secret: "AAAA"), "id is missing or empty"),
        (NewSDKSamples.push("P", secret: ""), "sharedSecret is missing or empty"),
        (NewSDKSamples.push("AAAA", secret: "AAAA"), "equals the secret"),
        (NewSDKSamples.push("P", secret: "AAAA", date: "yesterday"), "createdAt"),
    ])
    func theErrorOfADamagedCredentialContainsTheReason(_ json: String, _ reason: String) {
        let error = #expect(throws: LegacyRecordError.self) { try decoded(json) }
        #expect(error?.code == .damaged)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
        #expect(error?.reason.contains("AAAA") == false)
    }

    @Test func anotherPlatformIsUnsupported() {
        let json = NewSDKSamples.push("P", secret: "AAAA", platform: "PING_ONE")
        let error = #expect(throws: LegacyRecordError.self) { try decoded(json) }
        #expect(error?.code == .unsupported)
    }

    @Test(arguments: [
        ("https://h/p", "https://h/p?_action=register", "https://h/p?_action=authenticate"),
        (
            "https://h/p?realm=a", "https://h/p?realm=a&_action=register",
            "https://h/p?realm=a&_action=authenticate"
        ),
        ("https://h/p?_action=register", "https://h/p?_action=register", "https://h/p?_action=authenticate"),
    ])
    func theEndpointsAreDerivedFromTheServerAddress(
        _ server: String,
        _ registration: String,
        _ authentication: String
    ) {
        let endpoints = PushEndpoints(server: server)
        #expect(endpoints?.registration == registration)
        #expect(endpoints?.authentication == authentication)
    }

    @Test(arguments: [
        ("c2VjcmV0LXNlY3JldC1f/w==", nil), ("c2VjcmV0LXNlY3JldC1f_w", SigningFault.rawSecret),
        ("c2VjcmV0LXNlY3JldC1f/w", .rawSecret), ("c2VjcmV0LXNlY3JldC1f_w==", .rawSecret), ("!!", .noSecret),
        ("c2VjcmV0", nil),
    ])
    func aSecretCanSignOnlyInPaddedStandardBase64(_ secret: String, _ fault: SigningFault?) throws {
        let json = NewSDKSamples.push("P", secret: secret)
        let item = LegacyItem(
            position: .index(0),
            service: .mechanism,
            key: "P",
            payload: .newSDK(Data(json.utf8))
        )
        #expect(item.signingFault(try item.decoded()) == fault)
    }
}

import Foundation
import PingPush
import PushBridgeTestSupport
import Testing

@Suite("Registration")
struct RegistrationTests {
    @Test(arguments: StoreKind.allCases)
    func anAcceptedRegistrationIsStored(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        let credential = try await fixture.enrol()
        let request = try #require(fixture.server.requests.first)
        let claims = try request.claims(signedWith: credential.sharedSecret)
        #expect(fixture.server.requests.count == 1)
        #expect(request.action == .register)
        #expect(request.headers.contains(.init("Cookie", "amlbcookie=01")))
        #expect(claims?["deviceId"] == "00ff")
        #expect(claims?["mechanismUid"] == .string(credential.id))
        #expect(try await fixture.client.getCredential(credential.id) == credential)
        #expect(try await fixture.client.getCredential(credentialId: credential.id) == credential)
        #expect(try await fixture.client.getCredentials() == [credential])
    }

    @Test func aRegistrationWithoutADeviceTokenThrowsAndSendsNoRequest() async throws {
        let fixture = try await PushClientFixture()
        let uri = try PushClientFixture.uri()
        await #expect(throws: PushError.deviceTokenNotSet) {
            try await fixture.client.addCredentialFromUri(uri)
        }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func aRefusedRegistrationStoresNothing(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        fixture.server.willAnswer { _ in .refusal }
        await #expect(
            throws: PushError.registrationFailed(
                "The code may be too old or already used. The server refused (HTTP 400): Too late"
            )
        ) { try await fixture.enrol() }
        #expect(try await fixture.client.getCredentials() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func theSameAccountAndSecretAreRefusedASecondTime(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        try await fixture.client.setDeviceToken("00ff")
        let uri = try PushClientFixture.uri()
        let credential = try await fixture.client.addCredentialFromUri(uri)
        await #expect(
            throws: PushError.duplicateCredential(
                issuer: credential.issuer,
                accountName: credential.accountName
            )
        ) {
            try await fixture.client.addCredentialFromUri(uri)
        }
        #expect(fixture.server.requests.count == 1)
    }

    @Test(arguments: [
        ("", PushError.invalidUri("The form of the URI is not scheme://kind/label?parameters.")),
        ("otpauth://totp/a:b?secret=AAAA", .invalidUri("The URI is not for push.")),
        ("pushauth://push/a:b?c=AAAA", .invalidUri("The URI lacks the parameter s.")),
        (
            "pushauth://push/?s=AAAA",
            .invalidUri("The form of the URI is not scheme://kind/label?parameters.")
        ),
        ("pushauth://push/a:b?s=!", .invalidParameterValue("The value of s cannot be read.")),
    ])
    func eachInvalidCodeThrowsASpecificError(_ uri: String, _ error: PushError) async throws {
        let fixture = try await PushClientFixture()
        await #expect(throws: error) { try await fixture.client.addCredentialFromUri(uri) }
    }

    @Test func aViolatedPolicyRefusesTheRegistration() async throws {
        let fixture = try await PushClientFixture { config in
            config.policyEvaluator = MfaPolicyEvaluator(
                policies: [BiometricAvailablePolicy(isAvailable: { false })]
            )
        }
        await #expect(throws: PushError.policyViolation("biometricAvailable")) {
            try await fixture.enrol(policies: #"{"biometricAvailable":{}}"#)
        }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test(arguments: [false, true])
    func theClientReturnsCachedCredentialsUntilTheNextChange(_ isCaching: Bool) async throws {
        let fixture = try await PushClientFixture { $0.enableCredentialCache = isCaching }
        let credential = try await fixture.enrol()
        _ = try await fixture.client.getCredential(credential.id)
        // The credential is removed without the client, as another process could do.
        _ = try await fixture.storage.removePushCredential(credentialId: credential.id)
        #expect(try await fixture.client.getCredential(credential.id) == (isCaching ? credential : nil))
        #expect(try await fixture.client.deleteCredential(credential.id) == false)
        #expect(try await fixture.client.getCredential(credential.id) == nil)
    }

    @Test(arguments: [false, true])
    func readingACredentialReturnsTheSavedChange(_ isCaching: Bool) async throws {
        let fixture = try await PushClientFixture { $0.enableCredentialCache = isCaching }
        var credential = try await fixture.enrol()
        _ = try await fixture.client.getCredential(credential.id)
        credential.displayIssuer = "Example Checking"
        try await fixture.client.saveCredential(credential)
        #expect(try await fixture.client.getCredential(credential.id)?.displayIssuer == "Example Checking")
    }
}

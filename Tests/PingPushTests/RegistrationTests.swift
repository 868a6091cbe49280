import Foundation
import PingPush
import Testing

@Suite("Registration")
struct RegistrationTests {
    @Test(arguments: StoreKind.allCases)
    func anAcceptedRegistrationIsStored(_ kind: StoreKind) async throws {
        let bench = try await Bench(kind)
        let credential = try await bench.enrol()
        let request = try #require(bench.server.requests.first)
        let claims = try request.claims(signedWith: credential.sharedSecret)
        #expect(bench.server.requests.count == 1)
        #expect(request.action == .register)
        #expect(request.headers.contains(.init("Cookie", "amlbcookie=01")))
        #expect(claims?["deviceId"] == "00ff")
        #expect(claims?["mechanismUid"] == .string(credential.id))
        #expect(try await bench.client.getCredential(credential.id) == credential)
        #expect(try await bench.client.getCredential(credentialId: credential.id) == credential)
        #expect(try await bench.client.getCredentials() == [credential])
    }

    @Test func aRegistrationWithoutADeviceTokenThrowsAndSendsNoRequest() async throws {
        let bench = try await Bench()
        let uri = try Bench.uri()
        await #expect(throws: PushError.deviceTokenNotSet) {
            try await bench.client.addCredentialFromUri(uri)
        }
        #expect(bench.server.requests.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func aRefusedRegistrationStoresNothing(_ kind: StoreKind) async throws {
        let bench = try await Bench(kind)
        bench.server.willAnswer { _ in .refusal }
        await #expect(
            throws: PushError.registrationFailed(
                "The code may be too old, or used already. The server refused (HTTP 400): Too late"
            )
        ) { try await bench.enrol() }
        #expect(try await bench.client.getCredentials() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func theSameAccountAndSecretAreRefusedASecondTime(_ kind: StoreKind) async throws {
        let bench = try await Bench(kind)
        try await bench.client.setDeviceToken("00ff")
        let uri = try Bench.uri()
        let credential = try await bench.client.addCredentialFromUri(uri)
        await #expect(
            throws: PushError.duplicateCredential(
                issuer: credential.issuer,
                accountName: credential.accountName
            )
        ) {
            try await bench.client.addCredentialFromUri(uri)
        }
        #expect(bench.server.requests.count == 1)
    }

    @Test(arguments: [
        ("", PushError.invalidUri("Its form is not scheme://kind/label?parameters.")),
        ("otpauth://totp/a:b?secret=AAAA", .invalidUri("It is not for push.")),
        ("pushauth://push/a:b?c=AAAA", .invalidUri("It lacks the parameter s.")),
        ("pushauth://push/?s=AAAA", .invalidUri("Its form is not scheme://kind/label?parameters.")),
        ("pushauth://push/a:b?s=!", .invalidParameterValue("s cannot be read.")),
    ])
    func eachInvalidCodeThrowsASpecificError(_ uri: String, _ error: PushError) async throws {
        let bench = try await Bench()
        await #expect(throws: error) { try await bench.client.addCredentialFromUri(uri) }
    }

    @Test func aViolatedPolicyRefusesTheRegistration() async throws {
        let bench = try await Bench { config in
            config.policyEvaluator = MfaPolicyEvaluator(
                policies: [BiometricAvailablePolicy(isAvailable: { false })]
            )
        }
        await #expect(throws: PushError.policyViolation("biometricAvailable")) {
            try await bench.enrol(policies: #"{"biometricAvailable":{}}"#)
        }
        #expect(bench.server.requests.isEmpty)
    }

    @Test(arguments: [false, true])
    func theCacheAnswersUntilTheNextChange(_ isCaching: Bool) async throws {
        let bench = try await Bench { $0.enableCredentialCache = isCaching }
        let credential = try await bench.enrol()
        _ = try await bench.client.getCredential(credential.id)
        // The credential is removed without the client, as another process could do.
        _ = try await bench.storage.removePushCredential(credentialId: credential.id)
        #expect(try await bench.client.getCredential(credential.id) == (isCaching ? credential : nil))
        #expect(try await bench.client.deleteCredential(credential.id) == false)
        #expect(try await bench.client.getCredential(credential.id) == nil)
    }

    @Test(arguments: [false, true])
    func readingACredentialReturnsTheSavedChange(_ isCaching: Bool) async throws {
        let bench = try await Bench { $0.enableCredentialCache = isCaching }
        var credential = try await bench.enrol()
        _ = try await bench.client.getCredential(credential.id)
        credential.displayIssuer = "Example Checking"
        try await bench.client.saveCredential(credential)
        #expect(try await bench.client.getCredential(credential.id)?.displayIssuer == "Example Checking")
    }
}

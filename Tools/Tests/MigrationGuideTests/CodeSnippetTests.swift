import FRAuthenticator
import Foundation
import PingOath
import PushBridgeCore
import PushBridgeInternals
import PushBridgeStore
import Testing

/// Runs the guide's code for one-time passwords before and after the change.
///
/// Both versions of the code run on the same store.
@Suite struct CodeSnippetTests {
    @Test func bothSnippetsShowTheSameOneTimePassword() async throws {
        let store = MemoryCredentialStore()
        let now = Date(timeIntervalSince1970: 1_700_000_020)
        let client = try await OathClient.createClient { config in
            config.storage = CredentialStoreOathStorage(store)
            config.now = { now }
        }
        let uri = "otpauth://totp/Bank:alice?secret=JBSWY3DPEHPK3PXP&period=30"
        let credential = try await client.addCredentialFromUri(uri)
        let legacy = FRAClient.separate(store: store, now: { now }).client
        let mechanism = try #require(legacy.getAllAccounts().first?.mechanisms.first as? TOTPMechanism)
        let old = try OldCode.code(of: mechanism)
        let new = try await NewCode.code(of: credential.id, from: client)
        #expect(old.0 == new.0)
        // The legacy API computes the progress from the device's real clock. By this clock, the one-time password has
        // expired, so the progress is 1.
        #expect(old.1 == 1)
        #expect(abs(new.1 - 10.0 / 30) < 0.001)
    }
}

import CredentialMigration
import Foundation
import LegacyFiles
import PushBridgeTestSupport
import Testing

/// Runs the code of docs/doctor.md that compares a push with the secrets of a phone's items.
@Suite struct DoctorPageTests {
    /// Each argument is the secret of a phone's item and the expected sentence.
    ///
    /// Python's `hmac` module signed the push's token with the first secret.
    @Test(arguments: [
        ("c2VjcmV0LXNlY3JldC1f/w==", "The server has this secret."),
        ("YW5vdGhlci1zZWNyZXQtb2YtdGhlLXNlcnZlcg==", "The signature is wrong."),
    ])
    func aPushIsComparedWithTheSecretOfASource(_ secret: String, _ result: String) async throws {
        let folder = try TemporaryFolder()
        let store = try folder.file("store.json", "[\(NewSDKSamples.push("sound", secret: secret))]")
        let token = """
            eyJhbGciOiJIUzI1NiJ9.eyJjIjoiWTJoaGJHeGxibWRsIiwidSI6InNvdW5kIiwidCI6IjEyMCIsImwiOiJZVzFzWW1OdmIydHBaVDB3TVE9\
            PSJ9.hEQ4CY6MyAaTOJB89mJ4au8ucCCsZOJpunsS1tTitew
            """
        let push: [AnyHashable: Any] = ["aps": ["messageId": "AUTHENTICATE:1", "data": token]]
        #expect(try await comparison(of: push, with: .file(store)) == result)
        let other: [AnyHashable: Any] = ["aps": ["alert": "Hello"]]
        #expect(try await comparison(of: other, with: .file(store)) == "This is not a push of PingAM.")
    }
}

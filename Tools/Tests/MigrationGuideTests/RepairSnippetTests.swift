import Foundation
import PushBridgeCore
import PushBridgeInternals
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Runs the guide's code that repairs a store of the vendor's migrator.
@Suite struct RepairSnippetTests {
    /// The records of a store that the vendor's migrator made.
    ///
    /// The second secret is in URL-safe base64 without padding, because the migrator copied it in this form.
    private let records = [
        NewSDKSamples.push("sound", secret: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
        NewSDKSamples.push("raw", secret: "_-ECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"),
    ]

    @Test func credentialsThatCannotSignAreNamedAndRepaired() throws {
        let folder = try TemporaryFolder()
        let file = folder.url("vendor.json")
        try Data("[\(records.joined(separator: ","))]".utf8).write(to: file)
        #expect(try Repair.unableToSign(in: file).map { $0.hasPrefix("raw: ") } == [true])
        let store = try SQLiteCredentialStore(
            path: folder.path("credentials.db"),
            key: InMemorySealingKey(),
            mode: .create
        )
        #expect(try Repair.repair(file, into: store) == 1)
        let credentials = try store.contents().pushCredentials
        let secrets = ["sound", "raw"].map { id in
            credentials.first { $0.id == id }?.sharedSecret.withBase64 { $0 }
        }
        #expect(
            secrets == [
                "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
                "/+ECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            ]
        )
    }
}

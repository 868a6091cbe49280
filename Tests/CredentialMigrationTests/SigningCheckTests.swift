import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The check for push credentials that cannot sign.
@Suite struct SigningCheckTests {
    private func check(_ items: [LegacyItem]) throws -> SigningCheck {
        try SigningCheck(of: .store(MemoryLegacySource(items)))
    }

    private func item(_ json: String, key: String) -> LegacyItem {
        LegacyItem(position: .index(0), service: .mechanism, key: key, payload: .newSDK(Data(json.utf8)))
    }

    @Test func theSigningCheckReportsRawSecretsOfTheSuccessorSDK() throws {
        let check = try check([
            item(NewSDKSamples.push("sound", secret: "c2VjcmV0LXNlY3JldC1f/w=="), key: "1"),
            item(NewSDKSamples.push("raw", secret: "c2VjcmV0LXNlY3JldC1f_w"), key: "2"),
            item(NewSDKSamples.totp("T1"), key: "3"), item("{", key: "4"),
            item(NewSDKSamples.push("none", secret: "!!"), key: "5"),
        ])
        #expect(check.credentials == 4)
        #expect(check.problems.map(\.key) == ["2", "4", "5"])
        #expect(check.problems.map(\.credentialId) == ["raw", nil, "none"])
        #expect(check.problems.map(\.isRepairable) == [true, false, false])
        #expect(check.problems.filter { $0.reason.contains("c2Vj") } == [])
    }

    /// The check reports an incomplete file, because the missing part may have contained credentials that cannot sign.
    @Test(arguments: ["plist", "json"])
    func theSigningCheckReportsATruncatedFile(_ kind: String) throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path("cut.\(kind)"))
        let json = Data(#"{"accounts":[{"issuer":"Acme","accountName":"alice"},{"issuer":"#.utf8)
        let whole = kind == "json" ? json : try LegacyFixtures.data("everyday.plist").prefix(2000)
        try whole.write(to: file)
        let check = try SigningCheck(of: .file(file))
        #expect(check.credentials == 1)
        #expect(check.problems.map(\.credentialId) == [nil])
    }

    @Test func theSigningCheckAcceptsTheSameSecretInALegacyStore() throws {
        var legacy = LegacyStoreBuilder()
        try legacy.push(secret: "c2VjcmV0LXNlY3JldC1f_w")
        #expect(try check(legacy.items).problems == [])
    }

    @Test func theSigningCheckReportsItsProgress() throws {
        let items = (0..<1100).map { number in
            item(
                NewSDKSamples.push("P\(number)", secret: "c2VjcmV0", name: "user\(number)"),
                key: "\(number)"
            )
        }
        let source = MigrationSource.store(MemoryLegacySource(items))
        var seen: [CredentialMigration.Progress] = []
        let check = try SigningCheck(of: source) { seen.append($0) }
        #expect(check.credentials == 1100)
        #expect(
            seen
                == [500, 1000].map {
                    CredentialMigration.Progress(step: .verifying, completed: $0, total: nil)
                }
        )
        let store = MemoryCredentialStore()
        _ = try migrate(MemoryLegacySource(items), to: store)
        seen = []
        let stored = try SigningCheck(of: store) { seen.append($0) }
        #expect(stored.credentials == 1100)
        #expect(
            seen
                == [500, 1000].map {
                    CredentialMigration.Progress(step: .verifying, completed: $0, total: 1100)
                }
        )
    }

    @Test func theSigningCheckAcceptsARepairedCredential() throws {
        let store = MemoryCredentialStore()
        let raw = item(NewSDKSamples.push("raw", secret: "c2VjcmV0LXNlY3JldC1f_w"), key: "2")
        _ = try migrate(MemoryLegacySource([raw]), to: store)
        let check = try SigningCheck(of: store)
        #expect(check.credentials == 1)
        #expect(check.problems == [])
    }
}

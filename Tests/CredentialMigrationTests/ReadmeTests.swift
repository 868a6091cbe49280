import AuthenticatorStore
import CredentialMigration
import Foundation
import TestSupport
import Testing

/// What the README shows compiles and does what it says.
@Suite struct ReadmeTests {
    @Test func appExampleMigratesAndRetires() throws {
        let folder = try TemporaryFolder()
        let legacyStore = try folder.copy(LegacyFixtures.url("everyday.sqlite"))
        let backup = folder.url("backup.sqlite")
        let path = folder.path("credentials.db")

        let store = try SQLiteCredentialStore(path: path, key: KeyFile(path: "\(path).key"), mode: .create)
        let migration = CredentialMigration(from: .file(legacyStore), to: store)
        let plan = try migration.plan()
        let receipt = try migration.apply(plan)
        try migration.retire(receipt, backup: backup)

        #expect(receipt.isComplete)
        #expect(FileManager.default.fileExists(atPath: backup.path))
    }

    @Test func appExampleStandsInThisFile() throws {
        let this = URL(fileURLWithPath: #filePath)
        let readme = this.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("README.md")
        let source = try String(contentsOf: this, encoding: .utf8)
        let blocks = try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "```swift\n")
        let block = try #require(blocks.first { $0.hasPrefix("import AuthenticatorStore\n") })
        let lines = try #require(block.components(separatedBy: "```").first).split(separator: "\n")
        #expect(lines.count >= 7)
        for line in lines {
            let code = line.components(separatedBy: "//")[0].trimmingCharacters(in: .whitespaces)
            #expect(source.contains(code), "\(code)")
        }
    }
}

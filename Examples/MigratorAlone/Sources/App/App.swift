import CredentialMigration
import Foundation
import LegacyPhone
// These modules belong to the successor SDK; PushBridge does not change them.
import PingAuthMigration
import PingPush
import PingTamperDetector
import StandInKeychain

/// Migrates a legacy keychain into the items that the successor SDK reads, and prints each problem.
@main
struct App {
    static func main() async throws {
        let findings = try await findings()
        for finding in findings { print(finding) }
        exit(findings.isEmpty ? 0 : 1)
    }

    static func findings() async throws -> [String] {
        var findings: [String] = []
        let (legacy, phone) = (try LegacyPhone.keychain(), InMemoryKeychain())
        let count = try LegacyPhone.items(legacy).count
        // On a phone, the source is .keychain, and the destination is
        // MigrationDestination.successorKeychain().
        let migration = CredentialMigration(
            from: .keychain(legacy),
            to: KeychainCredentialStore(keychain: phone)
        )
        let receipt = try migration.migrate()
        if receipt.records.count != count || !receipt.records.allSatisfy(\.isRetirable) {
            findings.append("Not every record was proven.")
        }
        let backup = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: backup) }
        try migration.retire(receipt, backup: backup)
        if try !LegacyPhone.items(legacy).isEmpty { findings.append("Legacy items are left.") }

        // A phone has one keychain. In this example, the SDK's stand-in has its own keychain, so the items are
        // copied.
        let services = [
            "com.pingidentity.push.credentials", "com.pingidentity.push.notifications",
            "com.pingidentity.push.tokens", "com.pingidentity.oath", "com.pingidentity.oath.secrets",
        ]
        for service in services {
            for item in try phone.items(service: service, accessGroup: nil) {
                StandInKeychain.set(service, item.name.account, item.data)
            }
        }
        findings += try await differencesThatTheSDKSees()
        if PushClient.origin != "the successor SDK" {
            findings.append("PingPush is not the module of the successor SDK.")
        }
        return findings
    }
}

import CredentialMigration
import Foundation

/// The migrator alone, into the successor SDK's own items; only compiled, because it needs the keychain of a phone.
enum SuccessorKeychain {
    static func migrate(backup: URL) throws {
        // guide: begin
        let migration = CredentialMigration(from: .keychain, to: MigrationDestination.successorKeychain())
        let receipt = try migration.migrate()
        // Removes what was proven; the rest is in the receipt with its reason.
        try migration.retire(receipt, backup: backup)
        // guide: end
    }
}

import CredentialMigration
import Foundation

/// The migrator alone, into the successor SDK's own items; compiled and not run, because it is about a phone's keychain.
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

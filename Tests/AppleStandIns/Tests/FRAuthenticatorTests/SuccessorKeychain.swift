import CredentialMigration
import Foundation

/// Migrates into the successor SDK's own items with only the module `CredentialMigration`, without either API.
///
/// The tests compile this code but do not run it, because it needs the keychain of a phone.
enum SuccessorKeychain {
    static func migrate(backup: URL) throws {
        // guide: begin
        let migration = CredentialMigration(from: .keychain, to: MigrationDestination.successorKeychain())
        let receipt = try migration.migrate()
        // Removes the proven records; for each other record, the receipt states why it stays.
        try migration.retire(receipt, backup: backup)
        // guide: end
    }
}

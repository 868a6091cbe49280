import CredentialMigration
import Foundation
import LegacyFiles

/// The app's store, which both APIs use.
enum AccountStore {
    // guide: begin
    static func open(in folder: URL) throws -> SQLiteCredentialStore {
        let path = folder.appendingPathComponent("credentials.db").path
        return try SQLiteCredentialStore(path: path, key: KeyFile(path: "\(path).key"), mode: .create)
    }

    /// Migrates the accounts once, and continues at the next launch if records were locked.
    static func migrate(in folder: URL, to store: SQLiteCredentialStore) throws -> MigrationReceipt? {
        let legacy = folder.appendingPathComponent("accounts.plist")
        let done = folder.appendingPathComponent("migrated")
        guard FileManager.default.fileExists(atPath: legacy.path),
            !FileManager.default.fileExists(atPath: done.path)
        else { return nil }
        let migration = CredentialMigration(from: .file(legacy), to: store)
        let receipt = try migration.apply(migration.plan())
        if receipt.totals[.locked] == 0 { try Data().write(to: done) }
        return receipt
    }
    // guide: end
}

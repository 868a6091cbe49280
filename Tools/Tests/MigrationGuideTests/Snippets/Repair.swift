import CredentialMigration
import Foundation
import LegacyFiles
import PushBridgeStore

/// Repairs a store that the vendor's own migrator made.
enum Repair {
    // guide: begin
    static func unableToSign(in vendorsStore: URL) throws -> [String] {
        try SigningCheck(of: .file(vendorsStore)).problems.map { "\($0.key): \($0.reason)" }
    }

    /// Imports the vendor's store, and repairs credentials that could not sign.
    static func repair(_ vendorsStore: URL, into store: SQLiteCredentialStore) throws -> Int {
        let migration = CredentialMigration(from: .file(vendorsStore), to: store)
        return try migration.apply(migration.plan()).records.filter(\.isRepaired).count
    }
    // guide: end
}

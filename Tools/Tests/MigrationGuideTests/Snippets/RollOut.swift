import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore

/// The results of a migration for telemetry and support, the later retirement, and the way back.
enum RollOut {
    // guide: begin
    /// For your telemetry, because it contains only counts.
    static func summary(of receipt: MigrationReceipt) -> [String: Int] {
        var counts: [String: Int] = [:]
        for outcome in MigrationOutcome.allCases { counts[outcome.rawValue] = receipt.totals[outcome] }
        counts["unproven"] = receipt.totals.unproven
        return counts
    }

    /// For the support screen on the phone only, because keys contain account names.
    static func complaints(in receipt: MigrationReceipt) -> [String] {
        receipt.records.filter { !$0.isRetirable }.map { record in
            "\(record.key): \(record.result.outcome.rawValue). \(record.result.reason ?? "")"
        }
    }
    // guide: end

    // guide: begin
    /// For a later version: proves every record again, and removes the proven ones.
    static func retire(_ legacy: URL, provenIn store: SQLiteCredentialStore, backup: URL) throws -> Int {
        let migration = CredentialMigration(from: .file(legacy), to: store)
        let receipt = try migration.verify()
        return try migration.retire(receipt, backup: backup).count
    }
    // guide: end

    // guide: begin
    static func goBack(from store: SQLiteCredentialStore, to file: URL) throws -> [String] {
        try CredentialExport(of: store).write(to: PropertyListStoreWriter(file)).unreadable
    }
    // guide: end
}

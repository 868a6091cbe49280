public import Foundation
import LegacyStore
public import PushBridgeCore

extension CredentialMigration {
    /// Removes from the source the records that the receipt calls retirable and that are proven once more now.
    ///
    /// A complete copy of the source is written to `backup` first, mode 0600. All records leave together or none does.
    /// A call that failed after its backup can be repeated with the same one. Without records to remove no backup is
    /// written, and what an earlier call could not clear is cleared.
    ///
    /// - Parameters:
    ///   - receipt: What was migrated and verified.
    ///   - backup: A new file, or one that holds what the backup would.
    ///   - warn: Takes a sentence about each copy of removed records that may remain.
    /// - Returns: The records that were removed.
    /// - Throws: An error of the source or of the store; nothing was removed then.
    @discardableResult
    public func retire(
        _ receipt: MigrationReceipt,
        backup: URL,
        warn: (String) -> Void = { _ in }
    ) throws -> Set<RecordFingerprint> {
        let legacy = try source.open()
        let retirable = receipt.retirable
        var doomed: [LegacyItem.Position: LegacyItem.Digest] = [:]
        var removed: Set<RecordFingerprint> = []
        try store.read { view in
            let verifier = Verifier(view: view)
            for named in try SourceReader(legacy) {
                let record = SourceRecord(try named.get())
                guard retirable.contains(record.fingerprint) else { continue }
                let result = try verifier.result(for: record, planned: MigrationResult(.alreadyPresent))
                guard result.outcome.isRetirable, result.isVerified else { continue }
                doomed[record.item.position] = record.item.digest
                removed.insert(record.fingerprint)
            }
        }
        let warnings = try doomed.isEmpty ? legacy.cleanUp() : legacy.remove(doomed, backup: backup)
        warnings.forEach(warn)
        return removed
    }
}

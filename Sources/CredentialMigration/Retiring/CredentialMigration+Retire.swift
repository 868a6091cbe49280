public import Foundation
import LegacyStore
public import PushBridgeCore

extension CredentialMigration {
    /// Removes from the source the records that the receipt calls retirable and that are proven once more now.
    ///
    /// A complete copy of the source is written to `backup` first, mode 0600; an existing file is refused. All
    /// records leave together or none does. Answers the records that were removed; without any, no backup is
    /// written.
    @discardableResult
    public func retire(_ receipt: MigrationReceipt, backup: URL) throws -> Set<RecordFingerprint> {
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
        if !doomed.isEmpty { try legacy.remove(doomed, backup: backup) }
        return removed
    }
}

import Foundation
package import PushBridgeCore

extension LegacyMechanism {
    /// The mechanism's credential or, if the mechanism cannot be converted, a ledger entry that contains its archive.
    package var record: any StoredRecord {
        do {
            guard case .push(let parameters) = factor else {
                return try OathCredential(mechanism: self, account: nil)
            }
            return try PushCredential(mechanism: self, parameters: parameters, account: nil)
        } catch {
            let name = [kind.rawValue, mechanismUUID]
            return LedgerEntry(
                record: RecordFingerprint(parts: name, payload: Data(), occurrence: 0),
                kind: kind,
                key: identifier,
                result: MigrationResult(.unsupported, reason: error.reason),
                recordedAt: timeAdded,
                verbatim: VerbatimRecord(format: .archive, payload: LegacyRecord.mechanism(self).archive)
            )
        }
    }
}

import CredentialMigration
import Foundation
import LegacyStore
import PushBridgeCore

extension MigrationSource {
    /// The records of this source of which the store's ledger does not know what became; `nil` if there are none, so
    /// that a start with nothing to do reads a device's sealed items once only.
    ///
    /// Those that were locked are among them. Nobody who removed a mechanism wants it back at the next start.
    func unsettled(in store: any CredentialStore) throws -> MigrationSource? {
        let plan = try CredentialMigration(from: self, to: store).plan()
        let settled = try store.read { view in
            try plan.records.map { record in
                let outcome = try view.ledgerEntry(for: record.fingerprint)?.result.outcome
                return outcome != nil && outcome != .locked
            }
        }
        guard settled.contains(false) else { return nil }
        return MigrationSource { () throws(LegacyStoreError) in
            UnsettledRecords(source: try opened(), settled: settled)
        }
    }
}

/// A legacy store without some of its records.
private struct UnsettledRecords: LegacySource {
    let source: any LegacySource
    /// Whether each record, in source order, is left out.
    let settled: [Bool]

    var container: String { source.container }

    func items() throws(LegacyStoreError) -> LegacyItems {
        var items = try source.items()
        var index = 0
        return LegacyItems { () throws(LegacyStoreError) in
            while let item = try items.next()?.get() {
                defer { index += 1 }
                if index >= settled.count || !settled[index] { return item }
            }
            return nil
        }
    }

    func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        try source.remove(doomed, backup: backup)
    }
}

import PushBridgeCore

extension SQLiteView: CredentialWriting {
    func ledgerEntry(for record: RecordFingerprint) throws -> LedgerEntry? {
        try first(MigrationQueries.ledgerEntry) { try $0.write(record.bytes) }
    }

    func forEachLedgerEntry(_ body: (LedgerEntry) throws -> Void) throws {
        try forEach(MigrationQueries.ledger, body)
    }

    func record(_ entry: LedgerEntry) throws { try save(row: entry) }

    func preservedRecord(for record: RecordFingerprint) throws -> PreservedRecord? {
        try first(MigrationQueries.preservedRecord) { try $0.write(record.bytes) }
    }

    func forEachPreservedRecord(_ body: (PreservedRecord) throws -> Void) throws {
        try forEach(MigrationQueries.preserved, body)
    }

    func preserve(_ record: PreservedRecord) throws { try save(row: record) }

    func removePreservedRecord(for record: RecordFingerprint) throws -> Bool {
        try execute(MigrationQueries.removal) { try $0.write(record.bytes) } > 0
    }
}

/// The statements of the ledger and of the preserved records.
enum MigrationQueries {
    static let ledgerEntry = LedgerEntry.table.query("WHERE fingerprint = ?")
    static let ledger = LedgerEntry.table.query("ORDER BY sequence")
    static let preservedRecord = PreservedRecord.table.query("WHERE fingerprint = ?")
    static let preservedFingerprints = PreservedRecord.table.query(["fingerprint"], "ORDER BY sequence")
    static let preserved = PreservedRecord.table.query("ORDER BY sequence")
    static let removal = PreservedRecord.table.removal("WHERE fingerprint = ?")
}

import PushBridgeCore

/// One pass of a migration, which stores one batch after another and proves each batch after its commit.
final class MigrationPass {
    private let store: any CredentialStore
    private let options: MigrationOptions
    private let importer: Importer
    /// Called before each batch of records whose outcomes are determined at the end; if it returns `false`, no
    /// further outcomes are determined.
    private let mayContinue: @Sendable () -> Bool
    private var results = Results()
    private var count = 0

    init(
        store: any CredentialStore,
        options: MigrationOptions,
        while mayContinue: @escaping @Sendable () -> Bool = { true }
    ) throws {
        self.store = store
        self.options = options
        self.mayContinue = mayContinue
        importer = try store.read { try Importer(options: options, destination: $0) }
    }

    /// Stores the next records of the source with their outcomes.
    ///
    /// `select` is called in the transaction that stores the records, and returns the records to store. The
    /// other records get no outcome.
    func add(
        _ records: [SourceRecord],
        selecting select: (any CredentialReading, [SourceRecord]) throws -> [SourceRecord] = { $1 }
    ) throws {
        let (batch, placed) = try store.write { view in
            let batch = try select(view, records)
            return (batch, try importer.add(batch, from: count, to: view))
        }
        results.records += zip(batch, placed).map(MigrationRecord.init)
        try prove(
            zip(batch, placed).enumerated().map { offset, record in
                Stored(number: count + offset, source: record.0, result: record.1)
            }
        )
        count += batch.count
    }

    /// Remembers that an account's own record cannot be read.
    ///
    /// When the account's credentials are stored, the account is locked.
    func addUnreadableAccount(_ record: SourceRecord) { importer.addUnreadableAccount(record) }

    /// Determines the outcomes that depended on later records, and stores failed proofs in the ledger.
    /// - Returns: The receipt, which contains the name of the source's container.
    func finish(_ container: String) throws -> MigrationReceipt {
        try settle()
        if !results.failures.isEmpty {
            try store.write { view in try results.failures.forEach(view.record) }
        }
        return MigrationReceipt(
            container: container,
            records: results.records,
            restorableAccounts: mayContinue() ? try restorableAccounts() : 0
        )
    }

    private func restorableAccounts() throws -> Int {
        try store.read { view in
            let known = try results.failures.isEmpty ? importer.onlyAccounts(in: view) : nil
            return try view.restorableAccounts(in: store, known: known)
        }
    }

    /// Determines the outcomes that depended on later records, including the outcomes of records that earlier
    /// migrations kept.
    func settle() throws {
        guard mayContinue() else { return }
        let unsettled = try store.read { try importer.unsettled(in: $0) }
        for start in stride(from: 0, to: unsettled.count, by: options.batchSize) {
            guard mayContinue() else { return }
            try settle(unsettled[start..<min(start + options.batchSize, unsettled.count)])
        }
        guard mayContinue() else { return }
        if importer.mayLackAccounts { try store.write { try importer.lockAccountsWithoutRecord(in: $0) } }
        if importer.mustSettleDeviceToken { try store.write { try importer.settleDeviceToken(in: $0) } }
    }

    private func settle(_ unsettled: ArraySlice<Unsettled>) throws {
        let settled = try store.write { try importer.settle(unsettled, in: $0) }
        for record in settled where record.source == nil { results.settle(record) }
        try prove(
            settled.compactMap { record in
                record.source.map { Stored(number: record.number, source: $0, result: record.result) }
            }
        )
    }

    private func prove(_ stored: [Stored]) throws {
        let proven = try store.read { view in
            let prover = Prover(view: view, merged: importer.merged)
            return try stored.map { try prover.proven($0.result, $0.source) }
        }
        for (record, result) in zip(stored, proven) {
            if let number = record.number { results.records[number].result = result }
            guard result.outcome != record.result.outcome else { continue }
            results.failures.append(record.source.entry(result, recordedAt: options.clock()))
        }
    }

    private struct Results {
        var records: [MigrationRecord] = []
        /// The ledger entries of the records whose proof failed.
        var failures: [LedgerEntry] = []

        /// Changes the outcome of an account without credentials, if the account was proven.
        mutating func settle(_ settled: Settled) {
            guard let number = settled.number, records[number].result.isVerified else { return }
            records[number].result = settled.result.verified(by: .proven)
        }
    }

    private struct Stored {
        /// The number of the record in the source; `nil` if the record is one that an earlier migration kept.
        let number: Int?
        let source: SourceRecord
        let result: MigrationResult
    }
}

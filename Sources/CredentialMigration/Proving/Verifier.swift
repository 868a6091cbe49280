import PushBridgeCore

/// Says of a source record how it fares in the destination now.
struct Verifier {
    let view: any CredentialReading

    /// The ledger's result, proven anew; for a record that is not in the ledger, the planned one.
    func result(for record: SourceRecord, planned: MigrationResult) throws -> MigrationResult {
        let recorded = try view.ledgerEntry(for: record.fingerprint)?.result ?? planned
        guard recorded.outcome.isRetirable, case .success(let value) = record.value(account: { _ in nil })
        else {
            return recorded
        }
        return MigrationResult(recorded.outcome, credentialId: recorded.credentialId)
            .verified(by: try proof(of: value, record: record, as: recorded.outcome))
    }

    /// A stored record that cannot be read proves nothing, and stops nothing.
    private func proof(
        of value: LegacyValue,
        record: SourceRecord,
        as outcome: MigrationOutcome
    ) throws -> Proof {
        do {
            return try Prover(view: view).proof(of: value, record: record, as: outcome)
        } catch let error as StoreError where error.code == .damaged {
            return .different(error.reason)
        }
    }
}

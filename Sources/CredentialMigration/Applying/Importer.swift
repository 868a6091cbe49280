import AuthenticatorCore
import Foundation
import LegacyStore

/// Brings one record at a time into the destination, reads it back, proves it and enters it in the ledger.
///
/// Works inside the caller's transaction, so that a record, its outcome and its neighbours commit together.
struct Importer {
    let view: any CredentialWriting
    let survey: Survey
    let options: MigrationOptions

    /// Imports a record for which `planned` was foreseen.
    func add(_ record: SourceRecord, planned: MigrationResult) throws -> MigrationResult {
        let result = try place(record, planned: planned)
        if survey.preserved.contains(record.fingerprint), !result.outcome.isPreserved {
            try view.removePreservedRecord(for: record.fingerprint)
        }
        try enter(result, for: record)
        return result
    }

    /// Keeps the record verbatim.
    func keep(_ record: SourceRecord, as outcome: MigrationOutcome = .kept) throws -> MigrationResult {
        try view.preserve(record.preserved(as: outcome))
        return MigrationResult(outcome)
    }

    private func place(_ record: SourceRecord, planned: MigrationResult) throws -> MigrationResult {
        switch record.value(account: { survey.accounts[$0] }) {
        case .failure(let refusal):
            if refusal.result.outcome.isPreserved { _ = try keep(record, as: refusal.result.outcome) }
            return refusal.result
        case .success(let value):
            do {
                return try place(value, of: record, planned: planned)
            } catch let error as StoreError where error.code == .damaged {
                return .unreadableDestination(credentialId: value.credentialId)
            }
        }
    }

    private func place(
        _ value: LegacyValue,
        of record: SourceRecord,
        planned: MigrationResult
    ) throws -> MigrationResult {
        let result =
            switch value {
            case .account(let account): try place(account, of: record, planned: planned)
            case .push(_, _, let credential): try place(credential)
            case .oath(_, let credential): try place(credential)
            case .notification(let notification): try place(notification, of: record)
            case .deviceToken(let token): try place(token)
            }
        guard result.outcome.isRetirable else { return result }
        return result.verified(
            by: try Prover(view: view).proof(of: value, record: record, as: result.outcome)
        )
    }

    /// Enters the result in the ledger; that a record is still there never hides how it came there.
    private func enter(_ result: MigrationResult, for record: SourceRecord) throws {
        let known = result.outcome == .migrated ? nil : try view.ledgerEntry(for: record.fingerprint)
        if let known, result.outcome == .alreadyPresent || result == known.result, known.result.isVerified {
            return
        }
        try view.record(
            LedgerEntry(
                record: record.fingerprint,
                kind: record.kind,
                key: record.item.key,
                result: result,
                recordedAt: options.clock()
            )
        )
    }
}

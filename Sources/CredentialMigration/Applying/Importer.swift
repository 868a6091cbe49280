import Foundation
import LegacyStore
import PushBridgeCore

/// Brings one record at a time into the destination, reads it back, proves it and enters it in the ledger.
///
/// Works inside the caller's transaction, so that a record, its outcome and its neighbours commit together.
struct Importer {
    let view: any CredentialWriting
    let survey: Survey
    let options: MigrationOptions

    /// Imports one record.
    func add(_ record: PreparedRecord) throws -> MigrationResult {
        let result = try place(record)
        if survey.preserved.contains(record.source.fingerprint), !result.outcome.isPreserved {
            try view.removePreservedRecord(for: record.source.fingerprint)
        }
        try enter(result, for: record.source)
        return result
    }

    private func place(_ record: PreparedRecord) throws -> MigrationResult {
        switch record.value {
        case .failure(let refusal):
            if refusal.result.outcome.isPreserved { try keep(record.source, as: refusal.result.outcome) }
            return refusal.result
        case .success(let value):
            do {
                return try place(value, of: record)
            } catch let error as StoreError where error.code == .damaged {
                return .unreadableDestination(credentialId: value.credentialId)
            }
        }
    }

    private func place(_ value: LegacyValue, of record: PreparedRecord) throws -> MigrationResult {
        if survey.repetition(of: value, record: record.source.fingerprint) == .different {
            return .repeatedId(credentialId: value.credentialId)
        }
        let result =
            switch value {
            case .account(let account): try place(account, of: record)
            case .push(_, _, let credential): try place(credential)
            case .oath(_, let credential): try place(credential)
            case .notification(let notification): try place(notification)
            case .deviceToken(let token): try place(token)
            }
        guard result.outcome.isRetirable else { return result }
        if result.outcome == .kept { try keep(record.source, as: .kept) }
        let prover = Prover(view: view)
        return result.verified(by: try prover.proof(of: value, record: record.source, as: result.outcome))
    }

    /// Keeps the record verbatim.
    private func keep(_ record: SourceRecord, as outcome: MigrationOutcome) throws {
        try view.preserve(record.preserved(as: outcome))
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

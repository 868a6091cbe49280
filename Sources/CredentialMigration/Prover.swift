import PushBridgeCore

/// Compares source records with the records of a store: their signatures, responses, one-time passwords and contents.
///
/// A prover works on a view of committed records, and never inside the transaction that stored these records.
struct Prover {
    let view: any CredentialReading
    /// Returns the account that the pass merged from the account's records; returns `nil` if no record
    /// describes the account.
    var merged: (AccountKey) -> AccountProfile? = { _ in nil }

    /// Returns the result for a record that was just stored: it is verified or, if the proof fails, a conflict.
    ///
    /// The result of a record that did not arrive is returned unchanged.
    func proven(_ result: MigrationResult, _ record: SourceRecord) throws -> MigrationResult {
        guard result.outcome.isRetirable, case .success(let value) = record.value else { return result }
        let proof = try proof(of: value, record, as: result.outcome) {
            // A record that was just stored must equal its source, so its ledger entry is not considered.
            result.outcome == .migrated ? nil : try view.ledgerEntry(for: record.fingerprint)
        }
        guard proof == .proven else {
            return MigrationResult(.conflict, credentialId: result.credentialId, issue: proof.issue)
        }
        return result.verified(by: proof)
    }

    /// Returns the result that a record has in the ledger; if the record counts as arrived, proves it again.
    ///
    /// If a record has no ledger entry, the result is the outcome that a migration would give it, for example
    /// `alreadyPresent`, `migrated` or `conflict`.
    func result(for record: SourceRecord) throws -> MigrationResult {
        let (entry, fault) = try view.entry(for: record.fingerprint)
        guard entry?.result.outcome.isRetirable ?? true, case .success(let value) = record.value else {
            return entry?.result ?? record.refusal
        }
        let proof = try proof(of: value, record, as: entry?.result.outcome) { entry }
        if fault == .damaged, proof == .proven {
            return MigrationResult(
                .alreadyPresent,
                credentialId: value.credentialId,
                issue: .unreadableEntry,
                isVerified: true
            )
        }
        return (entry?.result ?? .unrecorded(proof, credentialId: value.credentialId)).verified(by: proof)
    }

    /// Returns the proof of a record.
    ///
    /// If the stored record cannot be read, the proof fails without an error.
    private func proof(
        of value: SourceValue,
        _ record: SourceRecord,
        as outcome: MigrationOutcome?,
        entry: () throws -> LedgerEntry?
    ) throws -> Proof {
        do {
            if outcome == .kept, let kept = try entry()?.verbatim {
                return Proof(kept == record.verbatim, else: .keptOtherwise)
            }
            switch value {
            case .account(let account):
                return try proof(of: account, entry: entry)
            case .push(let credential, let probe):
                let stored: PushCredential? = try view.first(where: RecordQuery(id: credential.id))
                return stored.map(probe.proof) ?? .absent
            case .oath(let credential, let probe):
                let stored: OathCredential? = try view.first(where: RecordQuery(id: credential.id))
                return stored.map(probe.proof) ?? .absent
            case .notification(let notification):
                return try proof(of: notification)
            case .deviceToken(let token):
                return try proof(of: token)
            }
        } catch let error as StoreError where error.isOfUnreadableRecord {
            return .different(MigrationIssue(.unreadableDestination, error.reason))
        }
    }

    /// Proves an account.
    ///
    /// The stored account must equal the account's record; it may also contain additions from credentials or
    /// from a newer record.
    ///
    /// If an account was imported from its record and was changed later, it is proven as well.
    private func proof(of account: AccountProfile, entry: () throws -> LedgerEntry?) throws -> Proof {
        guard let stored = try view.account(account.key) else { return .absent }
        var completed = account
        completed.complete(from: stored)
        if stored == completed || stored == merged(account.key) { return .proven }
        return Proof(
            try entry()?.tookAccountOver ?? false,
            else: .otherAccount
        )
    }

    private func proof(of notification: PushNotification) throws -> Proof {
        guard let stored = try view.storedNotification(like: notification) else { return .absent }
        guard stored.isSamePush(as: notification) else {
            return .different(.otherPush)
        }
        return Proof(
            stored.answered(by: notification) == nil,
            else: .unanswered
        )
    }

    private func proof(of token: PushDeviceToken) throws -> Proof {
        guard let stored = try view.deviceToken() else { return .absent }
        return Proof(
            stored.isSameDevice(as: token) || stored.createdAt >= token.createdAt,
            else: .olderToken
        )
    }
}

extension LedgerEntry {
    /// Whether an account record was imported and is not kept verbatim, so any difference is a later change.
    var tookAccountOver: Bool { result.outcome.isRetirable && verbatim == nil }
}

extension SourceRecord {
    fileprivate var refusal: MigrationResult {
        switch value {
        case .success: MigrationResult(.damaged)
        case .failure(let error): MigrationResult(error)
        }
    }
}

extension MigrationResult {
    /// Returns the expected result of a migration for a record without a ledger entry.
    fileprivate static func unrecorded(_ proof: Proof, credentialId: String?) -> MigrationResult {
        switch proof {
        case .proven: .alreadyPresent(credentialId)
        case .absent: MigrationResult(.migrated, credentialId: credentialId)
        case .different: MigrationResult(.conflict, credentialId: credentialId)
        }
    }
}

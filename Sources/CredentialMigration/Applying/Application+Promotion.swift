import LegacyStore
import PushBridgeCore

extension Application {
    /// Moves what an earlier migration kept to the credentials it belongs to, where those have arrived since.
    ///
    /// An account that was kept because its mechanism was locked joins the credential made of it later, even if
    /// the account's record has left the source by then.
    func promoteKeptRecords() throws {
        guard !plan.survey.preserved.isEmpty else { return }
        try store.write { view in
            _ = try view.forEachReadablePreservedRecord { kept in
                if kept.outcome == .kept { try promote(kept, in: view) }
            }
        }
    }

    private func promote(_ kept: PreservedRecord, in view: any CredentialWriting) throws {
        let record = SourceRecord(kept)
        guard case .success(let value) = record.value(account: { _ in nil }) else { return }
        do {
            guard try take(value, in: view) else { return }
            let result = MigrationResult(.migrated, credentialId: value.credentialId)
                .verified(by: try Prover(view: view).proof(of: value, record: record, as: .migrated))
            guard result.isVerified else { return }
            try view.removePreservedRecord(for: kept.record)
            try view.record(
                LedgerEntry(
                    record: kept.record,
                    kind: kept.kind,
                    key: kept.key,
                    result: result,
                    recordedAt: options.clock()
                )
            )
        } catch let error as StoreError where error.code == .damaged {
            // What is kept stays kept while the credential it belongs to cannot be read.
            return
        }
    }

    /// Gives a kept value to the credential it belongs to; `false` if there is none, or it has its own already.
    private func take(_ value: LegacyValue, in view: any CredentialWriting) throws -> Bool {
        switch value {
        case .account(let account):
            return try view.adopt(account)
        case .notification(let notification):
            guard try view.pushCredential(id: notification.credentialId) != nil,
                case .store(let value) = Disposition(notification, existing: try view.stored(notification))
            else { return false }
            try view.save(value)
            return true
        case .push, .oath, .deviceToken:
            return false
        }
    }
}

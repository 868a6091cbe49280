import AuthenticatorCore
import LegacyStore

extension Application {
    /// Moves what an earlier migration kept to the credentials it belongs to, where those have arrived since.
    ///
    /// An account that was kept because its mechanism was locked joins the credential made of it later, even if
    /// the account's record has left the source by then.
    func promoteKeptRecords() throws {
        guard !plan.survey.preserved.isEmpty else { return }
        try store.write { view in
            for kept in try view.preservedRecords() where kept.outcome == .kept {
                try promote(kept, in: view)
            }
        }
    }

    private func promote(_ kept: PreservedRecord, in view: any CredentialWriting) throws {
        guard let record = SourceRecord(kept), case .success(let value) = record.value(account: { _ in nil })
        else {
            return
        }
        switch value {
        case .account(let account):
            guard try view.adopt(account) else { return }
        case .notification(let notification):
            guard try view.pushCredential(id: notification.credentialId) != nil else { return }
            guard case .store(let value) = Disposition(notification, existing: try view.stored(notification))
            else { return }
            try view.save(value)
        case .push, .oath, .deviceToken:
            return
        }
        try view.removePreservedRecord(for: kept.record)
        try view.record(
            LedgerEntry(
                record: kept.record,
                kind: kept.kind,
                key: kept.key,
                result: MigrationResult(.migrated, credentialId: value.credentialId, isVerified: true),
                recordedAt: options.clock()
            )
        )
    }
}

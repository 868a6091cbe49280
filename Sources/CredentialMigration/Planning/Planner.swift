import AuthenticatorCore
import LegacyStore

/// Decides what would become of each record, without writing.
struct Planner {
    private let view: any CredentialReading
    private let policy: ConflictPolicy
    private var survey = Survey()
    private var entries: [Entry] = []

    init(view: any CredentialReading, policy: ConflictPolicy) throws {
        self.view = view
        self.policy = policy
        try survey.note(view)
    }

    /// How many records were added.
    var count: Int { entries.count }

    mutating func add(_ record: SourceRecord) throws {
        entries.append(
            Entry(
                fingerprint: record.fingerprint,
                kind: record.kind,
                key: record.item.key,
                verdict: try verdict(on: record)
            )
        )
    }

    /// The plan for all records; what depends on other records is decided here.
    func plan(container: String) throws -> MigrationPlan {
        let records = try entries.map { entry in
            MigrationRecord(
                fingerprint: entry.fingerprint,
                kind: entry.kind,
                key: entry.key,
                result: try result(of: entry)
            )
        }
        return MigrationPlan(container: container, records: records, survey: survey)
    }

    private mutating func verdict(on record: SourceRecord) throws -> Verdict {
        switch record.value(account: { _ in nil }) {
        case .failure(let refusal):
            return .settled(refusal.result)
        case .success(let value):
            survey.note(value)
            return try toleratingDamage(credentialId: value.credentialId) {
                try verdict(on: value)
            }
        }
    }

    /// A damaged record in the destination concerns only the source record that meets it.
    private func toleratingDamage(credentialId: String?, _ body: () throws -> Verdict) throws -> Verdict {
        do {
            return try body()
        } catch let error as StoreError where error.code == .damaged {
            return .settled(.unreadableDestination(credentialId: credentialId))
        }
    }

    private func verdict(on value: LegacyValue) throws -> Verdict {
        switch value {
        case .account(let account):
            if survey.isVariant(account) { return .settled(MigrationResult(.kept)) }
            return .account(account.profile.key)
        case .push(_, _, let credential):
            let existing = try view.pushCredential(id: credential.id)
            let disposition = Disposition(credential, existing: existing, policy: policy)
            return .settled(disposition.result(credentialId: credential.id))
        case .oath(_, let credential):
            let existing = try view.oathCredential(id: credential.id)
            let disposition = Disposition(credential, existing: existing, policy: policy)
            return .settled(disposition.result(credentialId: credential.id))
        case .notification(let notification):
            let disposition = Disposition(notification, existing: try view.stored(notification))
            return .notification(disposition.result(credentialId: notification.credentialId))
        case .deviceToken(let token):
            let disposition = Disposition(token, existing: try view.deviceToken(), policy: policy)
            return .settled(disposition.result(credentialId: nil))
        }
    }

    private func result(of entry: Entry) throws -> MigrationResult {
        switch entry.verdict {
        case .settled(let result):
            return result
        case .account(let key):
            return try MigrationResult(view.accountOutcome(key, survey: survey))
        case .notification(let result):
            guard let id = result.credentialId, try view.isExpected(id, survey: survey) else {
                return MigrationResult(.kept)
            }
            return result
        }
    }
}

/// A planned record.
private struct Entry {
    let fingerprint: RecordFingerprint
    let kind: LegacyRecordKind
    let key: String
    let verdict: Verdict
}

/// What is known of a record before all the others were read.
private enum Verdict {
    /// Nothing else matters.
    case settled(MigrationResult)
    /// Depends on whether the account has credentials.
    case account(AccountKey)
    /// Holds if the notification's credential exists.
    case notification(MigrationResult)
}

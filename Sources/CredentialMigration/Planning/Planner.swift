import LegacyStore
import PushBridgeCore

/// Decides what would become of each record, without writing.
struct Planner {
    private let view: any CredentialReading
    private let policy: ConflictPolicy
    private var survey: Survey
    private var entries: [Entry] = []

    init(view: any CredentialReading, policy: ConflictPolicy) throws {
        self.view = view
        self.policy = policy
        survey = try Survey(view)
    }

    /// How many records were added.
    var count: Int { entries.count }

    mutating func add(_ record: SourceRecord) throws {
        entries.append(
            Entry(
                fingerprint: record.fingerprint,
                kind: record.kind,
                key: record.item.key,
                verdict: try verdict(on: record),
                hasRawSecret: record.hasRawSecret
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
                result: try result(of: entry),
                hasRawSecret: entry.hasRawSecret
            )
        }
        return MigrationPlan(container: container, records: records, survey: survey)
    }

    private mutating func verdict(on record: SourceRecord) throws -> Verdict {
        switch record.value(account: { _ in nil }) {
        case .failure(let refusal):
            return .settled(refusal.result)
        case .success(let value):
            survey.note(value, of: record.fingerprint)
            do {
                return try verdict(on: value, record: record.fingerprint)
            } catch let error as StoreError where error.code == .damaged {
                return .settled(.unreadableDestination(credentialId: value.credentialId))
            }
        }
    }

    private func verdict(on value: LegacyValue, record: RecordFingerprint) throws -> Verdict {
        let repetition = survey.repetition(of: value, record: record)
        if repetition == .different { return .settled(.repeatedId(credentialId: value.credentialId)) }
        switch value {
        case .account(let account):
            return survey.isVariant(account) ? .settled(MigrationResult(.kept)) : .account(account)
        case .push(_, _, let credential):
            let existing = try view.pushCredential(id: credential.id)
            let disposition = Disposition(credential, existing: existing, policy: policy)
            return .settled(disposition.result(credentialId: credential.id, repetition: repetition))
        case .oath(_, let credential):
            let existing = try view.oathCredential(id: credential.id)
            let disposition = Disposition(credential, existing: existing, policy: policy)
            return .settled(disposition.result(credentialId: credential.id, repetition: repetition))
        case .notification(let notification):
            let id = notification.credentialId
            let disposition = Disposition(notification, existing: try view.stored(notification))
            return .notification(disposition.result(credentialId: id, repetition: repetition))
        case .deviceToken(let token):
            let disposition = Disposition(token, existing: try view.deviceToken(), policy: policy)
            return .settled(disposition.result(credentialId: nil))
        }
    }

    /// A damaged record in the destination concerns only the source record that meets it.
    private func result(of entry: Entry) throws -> MigrationResult {
        do {
            return try settle(entry)
        } catch let error as StoreError where error.code == .damaged {
            return .unreadableDestination(credentialId: nil)
        }
    }

    private func settle(_ entry: Entry) throws -> MigrationResult {
        switch entry.verdict {
        case .settled(let result):
            return result
        case .account(let account):
            return MigrationResult(try view.outcome(of: account, record: entry.fingerprint, survey: survey))
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
    let hasRawSecret: Bool
}

/// What is known of a record before all the others were read.
private enum Verdict {
    /// Nothing else matters.
    case settled(MigrationResult)
    /// Depends on whether the account has credentials.
    case account(LegacyAccount)
    /// Holds if the notification's credential exists.
    case notification(MigrationResult)
}

import CredentialMigration
import PushBridgeCore

/// What `plan`, `migrate` and `verify` say: the same for people, machines and files.
struct MigrationReport {
    let command: String
    let source: String
    let container: String
    let destination: String
    let records: [MigrationRecord]
    let totals: MigrationTotals

    init(command: String, source: String, container: String, destination: String, records: [MigrationRecord])
    {
        self.command = command
        self.source = source
        self.container = container
        self.destination = destination
        self.records = records
        totals = MigrationTotals(records)
    }

    /// The records a person should look at.
    func needingAttention(verifying: Bool) -> [MigrationRecord] {
        records.filter { verifying ? !$0.isRetirable : !$0.result.outcome.isRetirable }
    }
}

extension MigrationReport {
    /// One sentence on secrets that were recoded on the way; `nil` if there were none.
    var repairs: String? {
        let count = records.lazy.filter(\.isRepaired).count
        guard count > 0 else { return nil }
        let subject = count == 1 ? "1 push secret" : "\(count) push secrets"
        return "\(subject) copied without recoding \(isVerified ? "repaired" : "will be repaired")."
    }

    /// Whether outcomes were proven, or only foreseen.
    var isVerified: Bool { command != "plan" }

    /// The status to end with.
    var status: ExitStatus {
        needingAttention(verifying: isVerified).isEmpty ? .success : .needsAttention
    }
}

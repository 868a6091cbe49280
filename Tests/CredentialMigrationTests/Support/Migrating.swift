import CredentialMigration
import LegacyStore
import PushBridgeCore

/// Migrates in one pass, as most tests do.
func migrate(
    _ source: any LegacySource,
    to store: any CredentialStore,
    onConflict policy: ConflictPolicy = .keep,
    batchSize: Int = 500
) throws -> MigrationReceipt {
    let migration = CredentialMigration(
        from: .store(source),
        to: store,
        options: MigrationOptions(conflictPolicy: policy, batchSize: batchSize)
    )
    return try migration.migrate()
}

extension MigrationReceipt {
    /// The outcomes in source order.
    var outcomes: [MigrationOutcome] { records.map(\.result.outcome) }
}

/// All contents of a store that a migration may change, comparable as one value.
struct Snapshot: Equatable {
    let accounts: [AccountProfile]
    let push: [PushCredential]
    let oath: [OathCredential]
    let notifications: [PushNotification]
    let token: PushDeviceToken?
    let kept: [Kept]
    let ledger: [RecordFingerprint: MigrationResult]

    /// A record that is kept verbatim.
    struct Kept: Equatable {
        let record: RecordFingerprint
        let kind: LegacyRecordKind
        let key: String
        let verbatim: VerbatimRecord
    }

    init(_ store: any CredentialStore) throws {
        self = try store.read { view in try Snapshot(view) }
    }

    private init(_ view: any CredentialReading) throws {
        accounts = try view.accounts().sorted { $0.key.recordID < $1.key.recordID }
        push = Array(try view.pushCredentials())
        oath = Array(try view.oathCredentials())
        notifications = Array(try view.notifications())
        token = try view.deviceToken()
        kept = try view.keptRecords().compactMap { entry in
            entry.verbatim.map {
                Kept(record: entry.record, kind: entry.kind, key: entry.key, verbatim: $0)
            }
        }
        .sorted {
            ($0.key, $0.kind.rawValue, $0.record.recordID) < ($1.key, $1.kind.rawValue, $1.record.recordID)
        }
        let entries: Fetched<LedgerEntry> = try view.fetch()
        ledger = Dictionary(uniqueKeysWithValues: entries.map { ($0.record, $0.result) })
    }
}

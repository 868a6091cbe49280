import CredentialMigration
import LegacyStore
import PushBridgeCore

/// Plans and applies in one go, as tests mostly do.
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
    return try migration.apply(migration.plan())
}

extension MigrationReceipt {
    /// The outcomes in source order.
    var outcomes: [MigrationOutcome] { records.map(\.result.outcome) }
}

/// Everything in a store that a migration may change, compared as one value.
struct Snapshot: Equatable {
    let push: [PushCredential]
    let oath: [OathCredential]
    let notifications: [PushNotification]
    let token: PushDeviceToken?
    let preserved: [PreservedRecord]
    let ledger: [RecordFingerprint: MigrationResult]

    init(_ store: any CredentialStore) throws {
        self = try store.read { view in try Snapshot(view) }
    }

    private init(_ view: any CredentialReading) throws {
        push = try view.pushCredentials()
        oath = try view.oathCredentials()
        notifications = try view.notifications()
        token = try view.deviceToken()
        preserved = try view.preservedRecords().sorted {
            ($0.key, $0.kind.rawValue) < ($1.key, $1.kind.rawValue)
        }
        ledger = Dictionary(uniqueKeysWithValues: try view.ledgerEntries().map { ($0.record, $0.result) })
    }
}

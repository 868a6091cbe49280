import CredentialMigration
import PingPush

/// Step 3 of the guide: the app uses only the async API, with the store of step 2.
enum Launch {
    /// Opens the store and creates the client.
    static func client(_ transport: (any PushTransport)?) async throws -> PushClient {
        let store = try SharedStore.open(.create)
        try await migrate(to: store)
        return try await PushClient.createClient { config in
            config.storage = CredentialStoreStorage(store)
            config.transport = transport
        }
    }

    /// Imports the accounts of users who skipped step 2.
    ///
    /// The next launch repeats an import that failed or that found locked records.
    @concurrent
    private static func migrate(to store: SQLiteCredentialStore) async throws {
        guard try !SharedStore.isMigrated else { return }
        let migration = CredentialMigration(from: .keychain, to: store)
        let receipt = try migration.apply(migration.plan())
        if receipt.totals[.locked] == 0 { try SharedStore.noteMigration() }
    }
}

import CredentialMigration
import FRAuthenticator

/// Step 2 of the guide: if a remote switch allows it, the accounts move into the store that the app and its
/// extension share.
enum Launch {
    /// A stand-in for the remote switch of the roll-out; a real app queries its own server.
    static var isMigrationOn = false

    /// Starts the client.
    ///
    /// The client uses the SDK's keychain items until the accounts have moved, and then uses the shared
    /// store.
    static func start() throws {
        try FRAClient.setCredentialStore(SharedStore.open(.create))
        FRAClient.migration.mode = .gated(MigrationGate { _ in await isMigrationOn ? .go : .wait })
        // The app's default isolation is the main actor, so the API's callbacks have to run on the main queue.
        FRAClient.callsBackOnMainQueue = true
        FRAClient.start()
        // The app records that the accounts have moved. If step 3 imported them again, it would restore
        // accounts that the user has removed.
        switch FRAClient.migration.outcome {
        case .done, .nothingToDo: try SharedStore.noteMigration()
        case .notRun, .inPlace, .later, .failed, .held: break
        }
    }
}

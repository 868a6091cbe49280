import CredentialMigration
import FRAuthenticator

/// Step 2 of the guide: the accounts move into the store that the app shares with its extension, when a switch allows it.
enum Launch {
    /// The remote switch of the roll-out; a real app asks its own server.
    static var isMigrationOn = false

    /// Starts the client: on the SDK's keychain items until the accounts have moved, and then on the shared store.
    static func start() throws {
        try FRAClient.setCredentialStore(SharedStore.open(.create))
        FRAClient.migration.mode = .gated(MigrationGate { _ in await isMigrationOn ? .go : .wait })
        // This app is isolated to the main actor, and so are its callbacks.
        FRAClient.callsBackOnMainQueue = true
        FRAClient.start()
        // Step 3 must not import them again: that would restore accounts that the user removed since.
        switch FRAClient.migration.outcome {
        case .done, .nothingToDo: try SharedStore.noteMigration()
        case .notRun, .inPlace, .later, .failed, .held: break
        }
    }
}

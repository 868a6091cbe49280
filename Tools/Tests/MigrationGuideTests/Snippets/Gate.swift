import CredentialMigration
import FRAuthenticator

/// The launch of an app whose accounts move when its remote switch says so.
enum GatedLaunch {
    // guide: begin
    static func launch(isOn: @escaping @Sendable (MigrationGate.Step) async -> Bool) {
        FRAClient.migration.mode = .gated(MigrationGate { step in await isOn(step) ? .go : .wait })
        FRAClient.start()
    }
    // guide: end
}

import CredentialMigration
import FRAuthenticator

/// The launch of an app that moves its accounts when its remote switch is on.
enum GatedLaunch {
    // guide: begin
    static func launch(isOn: @escaping @Sendable (MigrationGate.Step) async -> Bool) {
        FRAClient.migration.mode = .gated(MigrationGate { step in await isOn(step) ? .go : .wait })
        FRAClient.start()
    }
    // guide: end
}

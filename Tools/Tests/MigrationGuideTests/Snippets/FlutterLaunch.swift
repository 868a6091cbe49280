import CredentialMigration
import FRAuthenticator

/// The launch of an app that has the accounts of the vendor's Flutter plugin.
enum FlutterLaunch {
    // guide: begin
    static func launch(on keychain: any StandardStore.Keychain) throws {
        FRAClient.migration.source = .keychain(keychain, services: LegacyService.flutterPrefix)
        FRAClient.migration.mode = .atOnce
        FRAClient.start()
        if case .failed(let error) = FRAClient.migration.outcome { throw error }
    }
    // guide: end
}

import ArgumentParser
import CredentialMigration
import Foundation
import PushBridgeCore

/// What `verify` and `retire` are told: a legacy store and the database it was migrated to.
struct StorePairOptionGroup: ParsableArguments {
    @Argument(help: "The legacy store, in any of the five containers.")
    var store: String

    @Option(name: .customLong("against"), help: ArgumentHelp("The credential database.", valueName: "db"))
    var database: String

    @OptionGroup var key: KeyOptions

    func migration() throws -> CredentialMigration {
        CredentialMigration(
            from: .file(URL(fileURLWithPath: store)),
            to: try Destination(path: database, keyFile: key.keyFile).open()
        )
    }
}

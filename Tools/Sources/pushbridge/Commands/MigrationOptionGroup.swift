public import ArgumentParser
public import CredentialMigration
import Foundation
import PushBridgeCore

/// What `plan` and `migrate` are told.
struct MigrationOptionGroup: ParsableArguments {
    @Argument(help: "The legacy store, in any of the five containers.")
    var store: String

    @Option(name: .customLong("to"), help: ArgumentHelp("The credential database.", valueName: "db"))
    var database: String

    @OptionGroup var key: KeyOptions

    @Option(name: .customLong("on-conflict"), help: "What wins where both hold another secret under one id.")
    var onConflict: ConflictPolicy = .keep

    @OptionGroup var reportFile: ReportOptions

    var destination: Destination { Destination(path: database, keyFile: key.keyFile) }

    func migration(to store: any CredentialStore) -> CredentialMigration {
        CredentialMigration(
            from: .file(URL(fileURLWithPath: self.store)),
            to: store,
            options: MigrationOptions(conflictPolicy: onConflict)
        )
    }

    func report(command: String, container: String, records: [MigrationRecord]) -> MigrationReport {
        MigrationReport(
            command: command,
            source: store,
            container: container,
            destination: database,
            records: records
        )
    }
}

extension ConflictPolicy: ExpressibleByArgument {}

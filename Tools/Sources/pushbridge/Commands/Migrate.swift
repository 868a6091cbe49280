import ArgumentParser
import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeStore

/// Says what `migrate` would do; writes nothing.
struct Plan: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Say what migrate would do; write nothing.")

    @OptionGroup var migration: MigrationOptionGroup
    @OptionGroup var output: OutputOptions

    func run() throws {
        try perform(storeRole: .output) {
            let file = try migration.reportFile.file()
            let progress = ProgressBar()
            defer { progress.finish() }
            let present = try migration.destination.openIfPresent()
            if present == nil { try migration.destination.checkPlace() }
            let store = present ?? MemoryCredentialStore()
            let plan = try migration.migration(to: store).plan(progress: progress.show)
            progress.finish()
            try migration.report(command: "plan", container: plan.container, records: plan.records)
                .deliver(asJSON: output.json, to: file)
        }
    }
}

/// Plans, applies and proves.
struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Turn a legacy store into credentials and prove every one; the source stays as it is."
    )

    @OptionGroup var migration: MigrationOptionGroup
    @OptionGroup var output: OutputOptions

    @Flag(
        name: .customLong("include-secrets"),
        help: "Write secrets in clear, as the keychain items have them."
    )
    var includeSecrets = false

    func validate() throws {
        guard migration.form.form == .database || includeSecrets else {
            throw ValidationError(
                "Keychain items in a file have their secrets in clear; add --include-secrets."
            )
        }
    }

    func run() throws {
        try perform(storeRole: .output) {
            let file = try migration.reportFile.file()
            let progress = ProgressBar()
            defer { progress.finish() }
            let receipt = try migrate(progress)
            progress.finish()
            try migration.report(command: "migrate", container: receipt.container, records: receipt.records)
                .deliver(asJSON: output.json, to: file)
        }
    }

    /// Nothing is created before the source has proven to be a legacy store.
    private func migrate(_ progress: ProgressBar) throws -> MigrationReceipt {
        try migration.destination.write {
            var items = try LegacyFile.open(URL(storeAt: migration.store)).items()
            _ = try items.next()?.get()
        } _: { store in
            try migration.migration(to: store).migrate(progress: progress.show)
        }
    }
}

/// Proves every record again, from both sides; of one store alone, says which push credentials cannot sign.
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prove every record again, from both sides; write nothing.",
        discussion: """
            Without --against, checks one store alone, of either SDK or ours: names the push credentials that cannot \
            sign, among them those whose secret was copied into the new SDK without recoding.
            """
    )

    @Argument(help: "The store, in any container; without --against a credential database as well.")
    var store: String

    @Option(name: .customLong("against"), help: ArgumentHelp("The credential database.", valueName: "db"))
    var database: String?

    @OptionGroup var key: KeyOptions
    @OptionGroup var form: FormOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var reportFile: ReportOptions

    func validate() throws {
        guard database != nil || reportFile.report == nil else {
            throw ValidationError("--report needs --against.")
        }
    }

    func run() throws {
        try perform(storeRole: .input) {
            try URL(storeAt: store).warnOfLeftOvers()
            if let database {
                try prove(against: database)
            } else {
                try SigningReport(try check(), name: store).deliver(asJSON: output.json)
            }
        }
    }

    private func prove(against database: String) throws {
        let file = try reportFile.file()
        let progress = ProgressBar()
        defer { progress.finish() }
        let migration = try Destination(path: database, keyFile: key.keyFile, form: form.form)
            .migration(from: store)
        let receipt = try migration.verify(progress: progress.show)
        progress.finish()
        try MigrationReport(
            command: "verify",
            source: store,
            container: receipt.container,
            destination: database,
            records: receipt.records
        )
        .deliver(asJSON: output.json, to: file)
    }

    /// A file that is not a store of either SDK may be a credential database; if it is not, the first error counts.
    private func check() throws -> SigningCheck {
        do {
            return try SigningCheck(of: .file(URL(storeAt: store)))
        } catch let refusal as LegacyStoreError where refusal.code == .notALegacyStore {
            let credentials: any CredentialStore
            do {
                credentials = try Destination(path: store, keyFile: key.keyFile).open()
            } catch let error as StoreError where error.code == .notAStore {
                throw refusal
            }
            return try SigningCheck(of: credentials)
        }
    }
}

import ArgumentParser
import CredentialMigration
import Foundation
@_spi(PushBridgeTools) import LegacyFiles
import LegacyStore
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeMigrating
import PushBridgeStore

/// The command `plan`, which reports the outcomes that `migrate` would have, and writes nothing.
struct Plan: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Report what migrate would do; write nothing.")

    @Argument(help: .legacyStore)
    var store: String

    @Option(name: .customLong("to"), help: ArgumentHelp("The credential database.", valueName: "db"))
    var database: String

    @OptionGroup var migration: MigrationOptionGroup
    @OptionGroup var output: OutputOptions

    func run() throws {
        try perform(storeRole: .output) {
            let source = try migration.source.source(at: store)
            let progress = try ProgressBar(recordsOf: store)
            defer { progress.finish() }
            try URL(storeAt: store).warnOfLeftOvers(services: migration.source.services, progress: progress)
            let destination = migration.destination(database)
            let files = try migration.reportFile.files()
            let redaction = try migration.redaction.redaction()
            let evidence = migration.redaction.evidence(of: [store], redaction, progress: progress)
            let present = try destination.openIfPresent()
            if present == nil { try destination.checkPlace() }
            let plan = try CredentialMigration(
                from: source,
                to: present ?? MemoryCredentialStore(),
                options: MigrationOptions(conflictPolicy: migration.onConflict)
            )
            .plan(progress: progress.show)
            progress.finish()
            try MigrationReport(
                command: "plan",
                source: store,
                container: plan.container,
                destination: database,
                records: plan.records,
                redaction: redaction
            )
            .deliver(asJSON: output.json, to: files, made: evidence)
        }
    }
}

/// The command `migrate`, which plans, applies and verifies a migration.
struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Convert the records of legacy stores and prove every credential; the stores do not change.",
        discussion: """
            --into FOLDER accepts any number of stores and of folders with stores; hidden files are skipped. Each store \
            gets its own database in FOLDER, with the key beside it. A second run retries failed stores, and \
            migrates again only stores that changed; the file stores.jsonl in FOLDER lists the migrated stores.
            """
    )

    @Argument(help: .legacyStores)
    var stores: [String]

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The credential database of one store.", valueName: "db")
    )
    var database: String?

    @Option(
        name: .customLong("into"),
        help: ArgumentHelp("A folder in which each store gets a credential database.", valueName: "folder")
    )
    var folder: String?

    @OptionGroup var migration: MigrationOptionGroup
    @OptionGroup var output: OutputOptions

    @Flag(
        name: .customLong("include-secrets"),
        help: "With --as successor-items: write secrets in clear, as keychain items contain them."
    )
    var includeSecrets = false

    func validate() throws {
        guard migration.form.form == .database || includeSecrets else {
            throw ValidationError(
                "Keychain items in a file have their secrets in clear; to allow this, add --include-secrets."
            )
        }
        guard (database == nil) != (folder == nil) else {
            throw ValidationError("Use either --to (one database) or --into (a folder of databases).")
        }
        guard folder?.isEmpty != true else { throw ValidationError("The path given with --into is empty.") }
        guard database == nil || stores.count == 1 else {
            throw ValidationError("--to accepts only one store; for several stores, use --into.")
        }
        guard folder == nil || migration.key.keyFile == nil else {
            throw ValidationError(
                "--key-file is for --to; with --into, each database has its own key beside it."
            )
        }
    }

    func run() throws {
        try perform(storeRole: .output, resumes: true) {
            if let folder {
                try migrateAll(into: folder)
            } else if let database, let store = stores.first {
                try migrate(store, to: database)
            }
        }
    }

    private func migrate(_ store: String, to database: String) throws {
        let source = try migration.source.source(at: store)
        let progress = try ProgressBar(recordsOf: store)
        defer { progress.finish() }
        try URL(storeAt: store).warnOfLeftOvers(services: migration.source.services, progress: progress)
        let files = try migration.reportFile.files()
        let redaction = try migration.redaction.redaction()
        let evidence = migration.redaction.evidence(of: [store], redaction, progress: progress)
        let receipt = try StoreMigration(store, source, migration.source.services, migration.onConflict)
            .run(to: migration.destination(database), progress.show)
        progress.finish()
        try MigrationReport(of: receipt, from: store, to: database, redaction: redaction)
            .deliver(asJSON: output.json, to: files, made: evidence)
    }

    private func migrateAll(into folder: String) throws {
        let keys = try migration.source.keys()
        let own =
            migration.source.keyFiles + migration.reportFile.reports
            + [migration.redaction.keyFile].compactMap(\.self)
        let list = try StoreList(stores, leavingOut: folder, files: own)
        let folder = try StoresFolder(at: folder)
        let files = try migration.reportFile.files(of: folder.job)
        let redaction = try migration.redaction.redaction()
        let progress = ProgressBar()
        defer { progress.finish() }
        let paths = list.stores.map(\.path)
        let evidence = migration.redaction.evidence(of: paths, redaction, progress: progress)
        let report = try StoresMigration(of: list.stores, migration, keys: keys)
            .report(into: folder) { progress.show(stores: $0, of: $1) }
        progress.finish()
        report.lines.flatMap(\.warnings).forEach(Terminal.warn)
        try report.redacted(redaction).deliver(asJSON: output.json, to: files, made: evidence)
    }
}

/// The migration of one store into one database.
struct StoreMigration {
    private let path: String
    private let source: MigrationSource
    private let services: [String]
    private let options: MigrationOptions

    init(_ path: String, _ source: MigrationSource, _ services: [String], _ onConflict: ConflictPolicy) {
        self.path = path
        self.source = source
        self.services = services
        options = MigrationOptions(conflictPolicy: onConflict)
    }

    /// Migrates the store.
    ///
    /// No file is created until the source has been recognised as a legacy store.
    func run(
        to destination: Destination,
        _ progress: CredentialMigration.ProgressHandler = { _ in }
    ) throws -> MigrationReceipt {
        try destination.write {
            var items = try LegacyFile.open(URL(storeAt: path), services: services).items()
            _ = try items.next()?.get()
        } _: { store in
            try CredentialMigration(from: source, to: store, options: options).migrate(progress: progress)
        }
    }
}

/// The command `verify`, which verifies every record again in both stores.
///
/// If only one store is given, the command lists the push credentials that cannot sign.
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prove every record again, in both stores; write nothing.",
        discussion: """
            Without --against, checks a single store, of either SDK or of PushBridge: lists the push credentials that cannot \
            sign, among them those whose secret was copied into the successor SDK as URL-safe or unpadded base64.
            """
    )

    @Argument(help: "The store, in any container. Without --against, also a credential database.")
    var store: String

    @Option(name: .customLong("against"), help: ArgumentHelp("The credential database.", valueName: "db"))
    var database: String?

    @OptionGroup var source: SourceOptions
    @OptionGroup var key: KeyOptions
    @OptionGroup var form: FormOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var reportFile: ReportOptions
    @OptionGroup var redaction: RedactionOptions

    func validate() throws {
        guard database != nil || reportFile.reports.isEmpty && !redaction.isRedacted else {
            throw ValidationError("--report and --redact need --against.")
        }
    }

    func run() throws {
        try perform(storeRole: .input) {
            let progress = try ProgressBar(recordsOf: store)
            defer { progress.finish() }
            try URL(storeAt: store).warnOfLeftOvers(services: source.services, progress: progress)
            if let database {
                try prove(against: database, progress)
            } else {
                let evidence = redaction.evidence(of: [store], .none, progress: progress)
                let result = try check(progress)
                progress.finish()
                try SigningReport(result, name: store).deliver(asJSON: output.json, made: evidence)
            }
        }
    }

    private func prove(against database: String, _ progress: ProgressBar) throws {
        let files = try reportFile.files()
        let replaced = try redaction.redaction()
        let evidence = redaction.evidence(of: [store, database], replaced, progress: progress)
        let migration = try Destination(path: database, keyFile: key.keyFile, form: form.form)
            .migration(from: source.source(at: store))
        let receipt = try migration.verify(progress: progress.show)
        progress.finish()
        try MigrationReport(
            command: "verify",
            source: store,
            container: receipt.container,
            destination: database,
            records: receipt.records,
            redaction: replaced
        )
        .deliver(asJSON: output.json, to: files, made: evidence)
    }

    /// Checks the file as a store of one of the SDKs or, if it is not such a store, as a credential database.
    ///
    /// If the file is not a credential database either, throws the error of the first attempt.
    private func check(_ progress: ProgressBar) throws -> SigningCheck {
        do {
            return try SigningCheck(of: source.source(at: store), progress: progress.show)
        } catch let refusal as LegacyStoreError where refusal.code == .notALegacyStore {
            let credentials: any CredentialStore
            do {
                credentials = try Destination(path: store, keyFile: key.keyFile).open()
            } catch let error as StoreError where error.code == .notAStore {
                throw refusal
            }
            return try SigningCheck(of: credentials, progress: progress.show)
        }
    }
}

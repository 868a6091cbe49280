public import ArgumentParser
public import CredentialMigration
import Foundation
@_spi(PushBridgeTools) import LegacyFiles
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore
@_spi(PushBridgeTools) import PushBridgeStore

/// The option of every command with a credential store.
struct KeyOptions: ParsableArguments {
    @Option(
        name: .customLong("key-file"),
        help: ArgumentHelp(
            "The file with the sealing key (default: DB.key).",
            valueName: "file"
        )
    )
    var keyFile: String?
}

/// The value of an option that may be secret: the text itself, or after `@` the content of a file.
func secretArgument(_ argument: String) throws -> String {
    guard argument.hasPrefix("@") else { return argument }
    let file = try Data(named: String(argument.dropFirst()))
    return String(decoding: file, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}

/// The option of commands whose destination may have another form than a credential database.
struct FormOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The form of the destination: a credential database, or the successor SDK's keychain items in a file.",
            valueName: "form"
        )
    )
    var form = DestinationForm.database
}

/// The option of commands whose reports name accounts.
struct RedactionOptions: ParsableArguments {
    @Flag(help: "Replace the names of accounts, credentials and files in JSON and reports by numbers.")
    var redact = false

    /// Describes the report of stores.
    func evidence(of paths: [String]) -> Evidence {
        let data = ["account names and issuers", "ids of credentials", "names of files"]
        // A report is found again by its first bytes, so that the list must be short.
        let inputs =
            paths.count > 8
            ? [Evidence.Input(all: paths, noun: "store")]
            : paths.enumerated().map { index, path in
                Evidence.Input(at: path, named: redact ? "store \(index + 1)" : nil)
            }
        return Evidence(
            of: inputs,
            personalData: redact ? [] : data,
            isRedacted: redact
        )
    }
}

/// The options of `plan` and `migrate` besides the stores.
struct MigrationOptionGroup: ParsableArguments {
    @OptionGroup var source: SourceOptions
    @OptionGroup var key: KeyOptions

    @Flag(
        name: .customLong("use-this-key"),
        help: "Seal a new database with an existing key file that may belong to another program."
    )
    var usesBareKey = false

    @OptionGroup var form: FormOptions

    @Option(
        name: .customLong("on-conflict"),
        help: ArgumentHelp(
            "Where the destination has another secret under the same id: keep it, or replace it by the legacy one.",
            valueName: "policy"
        )
    )
    var onConflict: ConflictPolicy = .keep

    @OptionGroup var reportFile: ReportOptions
    @OptionGroup var redaction: RedactionOptions

    func destination(_ database: String) -> Destination {
        Destination(path: database, keyFile: key.keyFile, form: form.form, usesBareKey: usesBareKey)
    }
}

extension ConflictPolicy: @retroactive ExpressibleByArgument {}

extension URL {
    /// Stores the path of a legacy store; rejects an empty path, which would mean the current folder.
    init(storeAt path: String) throws(CommandFailure) {
        guard !path.isEmpty else {
            throw CommandFailure(status: .unreadableInput, sentence: "The path of the legacy store is empty.")
        }
        self.init(fileURLWithPath: path)
    }

    /// Prints on stderr the files that killed runs left beside a legacy store, the records that it may lack, and those that are not
    /// read.
    func warnOfLeftOvers(services: [String]) {
        let warnings = LegacyFile.warnings(about: self, services: services)
        for sentence in LegacyFile.leftOvers(beside: self) + warnings {
            Terminal.diagnose("pushbridge: \(sentence.visible)\n")
        }
    }
}

/// A credential store on disk and the key that opens it.
struct Destination {
    private let path: String
    private let key: KeyFile
    private let form: DestinationForm
    private let usesBareKey: Bool

    init(
        path: String,
        keyFile: String?,
        form: DestinationForm = .database,
        usesBareKey: Bool = false
    ) {
        self.path = path
        self.form = form
        self.usesBareKey = usesBareKey
        key = KeyFile(path: keyFile ?? "\(path).key")
    }

    /// Opens an existing store for reading.
    func open() throws -> any CredentialStore {
        guard form == .database else {
            guard let items = try SuccessorItems(reading: path) else {
                throw StoreError(.missing, reason: "There is no file of keychain items at \(path).")
            }
            return items.store
        }
        return try store(.readOnly)
    }

    /// Creates the store if it is missing, and saves the changes of `body`; calls `check` before it creates anything.
    func write<Value>(
        checking check: () throws -> Void,
        _ body: (any CredentialStore) throws -> Value
    ) throws -> Value {
        guard form == .successorItems else {
            let present = try openIfPresent(writable: true)
            if present == nil { try check() }
            return try body(try present ?? create())
        }
        let present = try SuccessorItems(reading: path)
        if present == nil {
            try check()
            try checkPlace()
        }
        let items = present ?? SuccessorItems(making: path)
        let value = try body(items.store)
        try items.save()
        return value
    }

    /// A migration from a legacy store to this one, which must exist.
    func migration(from legacyStore: MigrationSource) throws -> CredentialMigration {
        CredentialMigration(from: legacyStore, to: try open())
    }

    /// Opens the store; `nil` if the file does not exist.
    func openIfPresent(writable: Bool = false) throws -> (any CredentialStore)? {
        guard form == .database else { return try SuccessorItems(reading: path)?.store }
        do throws(StoreError) {
            return try store(writable ? .open : .readOnly)
        } catch {
            guard error.code == .missing else { throw error }
            return nil
        }
    }

    /// Creates the store, and its key if it is missing.
    func create() throws -> any CredentialStore {
        try checkPlace()
        let files = FileManager.default
        if !files.fileExists(atPath: path), files.fileExists(atPath: key.path) {
            Terminal.diagnose(
                "pushbridge: \(key.path.visible) was there before the database: whoever put it there can open the database.\n"
            )
        }
        return try store(.create)
    }

    private func store(_ mode: SQLiteStoreMode) throws(StoreError) -> any CredentialStore {
        guard !path.isEmpty else {
            throw StoreError(.notAStore, reason: "The path of the credential database is empty.")
        }
        return try SQLiteCredentialStore(path: path, key: key, mode: mode)
    }
}

extension Destination {
    /// Throws if no store can be created at the path; creates nothing.
    func checkPlace() throws {
        guard !key.isPart(ofStoreAt: path) else {
            throw CommandFailure(status: .usage, sentence: "The database and its key need a file each.")
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw CommandFailure(
                status: .unwritableOutput,
                sentence: "\(path) cannot be made: its folder does not exist or may not be written."
            )
        }
        guard form == .database, !usesBareKey, try key.isBare() else { return }
        throw CommandFailure(
            status: .wrongKey,
            sentence: """
                \(key.path) was there before the database and does not say that it is a key of one; whoever has it could \
                open the database. Name another file, or add --use-this-key.
                """
        )
    }
}

/// The version of PingAM for the simulated service.
struct ServerVersionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The version of the simulated server: \(serverVersionNames). Or all.",
            valueName: "version"
        )
    )
    var amVersion = ServerVersion.v8_0_2.rawValue

    func validate() throws {
        _ = try versions()
    }

    /// The requested versions.
    func versions() throws -> [ServerVersion] {
        amVersion == "all" ? ServerVersion.allCases : [try serverVersion(amVersion)]
    }

    /// The requested versions; reports on stderr if the requested version behaves like another one.
    func announcedVersions() throws -> [ServerVersion] {
        amVersion == "all" ? ServerVersion.allCases : [try announcedServerVersion(amVersion)]
    }
}

extension ArgumentHelp {
    /// The help for the legacy store of a command.
    static let legacyStore: ArgumentHelp = """
        The legacy store: a keychain database, a property list, JSON lines, legacy JSON or a migration export; its \
        content tells.
        """

    /// The help for the legacy stores of a command that accepts several.
    static let legacyStores: ArgumentHelp = """
        The legacy stores: keychain databases, property lists, JSON lines, legacy JSON or migration exports; with --into \
        also folders of them.
        """
}

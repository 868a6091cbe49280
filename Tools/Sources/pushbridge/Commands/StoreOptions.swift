public import ArgumentParser
public import CredentialMigration
import Foundation
@_spi(PushBridgeTools) import LegacyFiles
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore
@_spi(PushBridgeTools) import PushBridgeStore

/// The option every command with a credential store has.
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

/// The value of an option that may be secret: the text itself, or after `@` the content of the file of that name.
func secretArgument(_ argument: String) throws -> String {
    guard argument.hasPrefix("@") else { return argument }
    let file = try Data(named: String(argument.dropFirst()))
    return String(decoding: file, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}

/// The option of commands whose destination need not be a credential database.
struct FormOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "What the destination is: a credential database, or the successor SDK's keychain items in a file.",
            valueName: "form"
        )
    )
    var form = DestinationForm.database
}

/// The options of `plan` and `migrate` besides the stores.
struct MigrationOptionGroup: ParsableArguments {
    @OptionGroup var source: SourceOptions
    @OptionGroup var key: KeyOptions

    @Flag(
        name: .customLong("use-this-key"),
        help: "Seal a new database with a key file that is there and does not say what it is."
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

    func destination(_ database: String) -> Destination {
        Destination(path: database, keyFile: key.keyFile, form: form.form, usesBareKey: usesBareKey)
    }
}

extension ConflictPolicy: @retroactive ExpressibleByArgument {}

extension URL {
    /// Where a legacy store lies; an empty path would be taken for the present folder.
    init(storeAt path: String) throws(CommandFailure) {
        guard !path.isEmpty else {
            throw CommandFailure(status: .unreadableInput, sentence: "The path of the legacy store is empty.")
        }
        self.init(fileURLWithPath: path)
    }

    /// Prints on stderr what killed runs left beside a legacy store, and which records it may lack.
    func warnOfLeftOvers() {
        for sentence in LegacyFile.leftOvers(beside: self) + LegacyFile.warnings(about: self) {
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

    /// Opens the store for reading; it must exist.
    func open() throws -> any CredentialStore {
        guard form == .database else {
            guard let items = try SuccessorItems(reading: path) else {
                throw StoreError(.missing, reason: "There is no file of keychain items at \(path).")
            }
            return items.store
        }
        return try store(.readOnly)
    }

    /// Has `body` write to the store, which is made if there is none, and keeps what it wrote; calls `check` before
    /// anything is made.
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

    /// Opens the store, or answers `nil` if there is nothing at its place.
    func openIfPresent(writable: Bool = false) throws -> (any CredentialStore)? {
        guard form == .database else { return try SuccessorItems(reading: path)?.store }
        do throws(StoreError) {
            return try store(writable ? .open : .readOnly)
        } catch {
            guard error.code == .missing else { throw error }
            return nil
        }
    }

    /// Makes the store, and its key if there is none.
    func create() throws -> any CredentialStore {
        try checkPlace()
        let files = FileManager.default
        if !files.fileExists(atPath: path), files.fileExists(atPath: key.path) {
            Terminal.diagnose(
                "pushbridge: \(key.path) was there before the database: whoever put it there can open the database.\n"
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
    /// Refuses a place where no store can be made; makes nothing.
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

/// Which version of PingAM the simulated service is of.
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

    /// The versions that were asked for.
    func versions() throws -> [ServerVersion] {
        amVersion == "all" ? ServerVersion.allCases : [try serverVersion(amVersion)]
    }

    /// The versions that were asked for; says so if one behaves like the version that was asked for.
    func announcedVersions() throws -> [ServerVersion] {
        amVersion == "all" ? ServerVersion.allCases : [try announcedServerVersion(amVersion)]
    }
}

extension ArgumentHelp {
    /// The legacy store of a command.
    static let legacyStore: ArgumentHelp = """
        The legacy store: a keychain database, a property list, JSON lines, legacy JSON or a migration export; its \
        content tells.
        """

    /// The legacy stores of a command that takes many.
    static let legacyStores: ArgumentHelp = """
        The legacy stores: keychain databases, property lists, JSON lines, legacy JSON or migration exports; with --into \
        also folders of them.
        """
}

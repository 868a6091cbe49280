package import ArgumentParser
package import CredentialMigration
package import Foundation
@_spi(PushBridgeTools) import LegacyFiles
package import PushBridgeCommandLine
package import PushBridgeCore
@_spi(PushBridgeTools) import PushBridgeStore

/// The option of every command that opens a credential store.
package struct KeyOptions: ParsableArguments {
    @Option(
        name: .customLong("key-file"),
        help: ArgumentHelp(
            "The file with the sealing key (default: DB.key).",
            valueName: "file"
        )
    )
    package var keyFile: String?

    package init() {}
}

extension URL {
    /// Creates the URL of the legacy store at a path; rejects an empty path, which would mean the current folder.
    package init(storeAt path: String) throws(CommandFailure) {
        guard !path.isEmpty else {
            throw CommandFailure(status: .unreadableInput, sentence: "The path of the legacy store is empty.")
        }
        self.init(fileURLWithPath: path)
    }

    /// Returns warnings about files that killed runs left beside a legacy store, about records that may be missing from
    /// the store, and about records that are not read.
    ///
    /// - Parameters:
    ///   - services: The services, besides the SDK's own, whose items are also read.
    ///   - progress: The bar that shows the progress of searching the store; `nil` for none.
    /// - Returns: A sentence for each warning.
    package func warnings(services: [String], progress: ProgressBar? = nil) -> [String] {
        LegacyFile.leftOvers(beside: self)
            + LegacyFile.warnings(about: self, services: services) { progress?.show($0, records: $1) }
    }

    /// Prints the warnings about a legacy store on stderr.
    ///
    /// - Parameters:
    ///   - services: The services, besides the SDK's own, whose items are also read.
    ///   - progress: The bar that shows the progress; it is removed before the warnings are printed.
    package func warnOfLeftOvers(services: [String], progress: ProgressBar) {
        let sentences = warnings(services: services, progress: progress)
        progress.finish()
        sentences.forEach(Terminal.warn)
    }
}

/// A credential store on disk and the key that opens it.
package struct Destination {
    private let path: String
    private let key: KeyFile
    private let form: DestinationForm
    private let usesBareKey: Bool

    package init(
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
    ///
    /// - Throws: ``StoreError`` if the store is missing or cannot be opened.
    package func open() throws -> any CredentialStore {
        guard form == .database else {
            guard let items = try SuccessorItems(reading: path) else {
                throw StoreError(.missing, reason: "There is no file of keychain items at \(path).")
            }
            return items.store
        }
        return try store(.readOnly)
    }

    /// Creates the store if it is missing, and saves the changes that `body` makes.
    ///
    /// If the store is missing, `check` is called before any file is created.
    package func write<Value>(
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

    /// Returns a migration from a legacy store to this store, which must exist.
    package func migration(from legacyStore: MigrationSource) throws -> CredentialMigration {
        CredentialMigration(from: legacyStore, to: try open())
    }

    /// Opens the store; returns `nil` if the file does not exist.
    package func openIfPresent(writable: Bool = false) throws -> (any CredentialStore)? {
        guard form == .database else { return try SuccessorItems(reading: path)?.store }
        do throws(StoreError) {
            return try store(writable ? .open : .readOnly)
        } catch {
            guard error.code == .missing else { throw error }
            return nil
        }
    }

    /// Creates the credential store of this destination, and the key if it is missing.
    package func create() throws -> any CredentialStore {
        try checkPlace()
        let files = FileManager.default
        if !files.fileExists(atPath: path), files.fileExists(atPath: key.path) {
            Terminal.diagnose(
                "pushbridge: \(key.path.visible) existed before the database: the creator of the key can open the database.\n"
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
    /// Throws an error if no store can be created at the path; does not create any file.
    package func checkPlace() throws {
        guard !key.isPart(ofStoreAt: path) else {
            throw CommandFailure(status: .usage, sentence: "The database and its key need separate files.")
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw CommandFailure(
                status: .unwritableOutput,
                sentence: "\(path) cannot be created: its folder does not exist or is not writable."
            )
        }
        guard form == .database, !usesBareKey, try key.isBare() else { return }
        throw CommandFailure(
            status: .wrongKey,
            sentence: """
                \(key.path) existed before the database and is not marked as a database's key; anyone who has this file could \
                open the database. Name another file, or add --use-this-key.
                """
        )
    }
}

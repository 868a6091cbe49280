import ArgumentParser
import CredentialMigration
import Foundation
@_spi(PushBridgeTools) import LegacyFiles
@_spi(PushBridgeTools) import LegacyStore
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeMigrating
@_spi(PushBridgeTools) import PushBridgeStore

/// The options of commands that read a legacy store.
struct SourceOptions: ParsableArguments {
    @Option(
        name: .customLong("source-key"),
        help: ArgumentHelp(
            "A file with the key that sealed the store's records: 32 bytes in base64, or a P-256 key in PEM. May be repeated.",
            valueName: "file"
        )
    )
    var keyFiles: [String] = []

    @Option(
        name: .customLong("module"),
        help: ArgumentHelp(
            "The module name of the classes in the archives, if the app was built with a renamed copy of the legacy SDK.",
            valueName: "name"
        )
    )
    var module: String?

    @Option(
        name: .customLong("service"),
        help: ArgumentHelp(
            "A keychain service that the app itself named; its items are read like the SDK's items. May be repeated.",
            valueName: "name"
        )
    )
    var services: [String] = []

    func keys() throws(CommandFailure) -> SourceKeys { try SourceKeys(files: keyFiles) }

    /// Returns the store at a path; the store is opened on first use.
    func source(at path: String) throws(CommandFailure) -> MigrationSource {
        MigrationSource.file(try URL(storeAt: path), key: try keys())
            .items(ofServices: services).archives(ofModule: module)
    }
}

/// The keys that were given for sealed records; there may be none.
struct SourceKeys: LegacyItemKey {
    /// The reason that is reported for a sealed record if none of the given keys opens it.
    static let wrong =
        "The record is sealed, and the key from --source-key does not open it: the key is wrong, or the record was changed."

    private let keys: [SoftwareItemKey]
    /// A text that identifies these keys without revealing them.
    let fingerprint: String

    init(files: [String]) throws(CommandFailure) {
        var (keys, texts): ([SoftwareItemKey], [String]) = ([], [])
        for file in files {
            let text = try Self.text(of: file)
            guard let key = SoftwareItemKey(text: text) else {
                let fault =
                    KeyFile.isMarked(text)
                    ? "the sealing key of a credential database, which opens no legacy store"
                    : "not a key: it holds neither 32 bytes in base64 nor a P-256 key in PEM"
                throw Self.failure("\(file), given with --source-key, is \(fault).")
            }
            keys.append(key)
            texts.append(text.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        self.keys = keys
        let payload = Data(texts.sorted().joined(separator: "\n").utf8)
        fingerprint =
            texts.isEmpty
            ? ""
            : RecordFingerprint(parts: ["source keys"], payload: payload, occurrence: 0).bytes
                .base64EncodedString()
    }

    var isPresent: Bool { !keys.isEmpty }

    func open(_ sealed: Data) throws(LegacyRecordError) -> Data {
        for key in keys {
            do {
                return try key.open(sealed)
            } catch  where error.code == .undecryptable {
                continue
            }
        }
        throw LegacyRecordError(
            .undecryptable,
            reason: keys.isEmpty ? MigrationReport.missingKey : Self.wrong
        )
    }

    private static func text(of file: String) throws(CommandFailure) -> String {
        do {
            return String(decoding: try Data(named: file).prefix(64 * 1024), as: UTF8.self)
        } catch {
            throw failure("--source-key: \(error.sentence)")
        }
    }

    private static func failure(_ sentence: String) -> CommandFailure {
        CommandFailure(status: .wrongKey, sentence: sentence)
    }
}

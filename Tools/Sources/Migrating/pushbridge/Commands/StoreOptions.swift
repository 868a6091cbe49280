public import ArgumentParser
public import CredentialMigration
import Foundation
@_spi(PushBridgeTools) import LegacyFiles
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeMigrating

/// The option of commands whose destination can be a file of the successor SDK's items instead of a credential
/// database.
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

/// The options of commands whose reports contain account names.
struct RedactionOptions: ParsableArguments {
    @Flag(help: "In JSON and reports, show numbers instead of the names of accounts, credentials and files.")
    var redact = false

    @Option(
        name: .customLong("redact-key"),
        help: ArgumentHelp(
            """
            Like --redact, but a name has the same pseudonym in all reports that use this file. The file contains at least 32 \
            random bytes; without the file, a guessed name cannot be checked.
            """,
            valueName: "file"
        )
    )
    var keyFile: String?

    /// Whether the report replaces names.
    var isRedacted: Bool { redact || keyFile != nil }

    /// Returns how names in a report are replaced, and reads the key of the pseudonyms if one was given.
    /// - Throws: `CommandFailure` if the key cannot be read or is too short.
    func redaction() throws -> Redaction {
        guard let keyFile else { return redact ? .numbers : .none }
        let bytes = try Data(named: keyFile)
        guard bytes.count >= 32, let key = SharedSecret(bytes: bytes) else {
            let sentence =
                "\(keyFile) has \(bytes.count.counted("byte")); the key for pseudonyms needs at least 32 bytes."
            throw CommandFailure(status: .wrongKey, sentence: sentence)
        }
        return .keyed(key)
    }

    /// Returns the evidence of a report on stores, with the pseudonyms of the report.
    /// - Parameters:
    ///   - paths: The stores.
    ///   - redaction: The pseudonyms.
    ///   - progress: The bar that shows the progress of reading the stores; it is removed at the end.
    /// - Returns: The evidence.
    func evidence(of paths: [String], _ redaction: Redaction, progress: ProgressBar) -> Evidence {
        let data = ["account names and issuers", "ids of credentials", "names of files"]
        let name = { (index: Int) -> String? in
            redaction.isNone ? nil : redaction.pseudonym(of: paths[index], "store", index + 1)
        }
        let reading = progress.reading(paths)
        defer { progress.finish() }
        let inputs =
            paths.count > 8
            ? [Evidence.Input(all: paths, noun: "store", named: name, progress: reading)]
            : paths.enumerated().map { Evidence.Input(at: $1, named: name($0), progress: reading) }
        return Evidence(
            of: inputs,
            personalData: isRedacted ? [] : data,
            isRedacted: isRedacted
        )
    }
}

/// Options that `plan` and `migrate` have in common.
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
            "If the destination has another secret under the same id: keep that secret, or replace it with the legacy secret.",
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

extension ArgumentHelp {
    /// The help text for a command's legacy store.
    static let legacyStore: ArgumentHelp = """
        The legacy store: a keychain database, a property list, JSON lines, legacy JSON or a migration export. The format \
        is recognised by the content.
        """

    /// The help text for the legacy stores of a command that accepts several stores.
    static let legacyStores: ArgumentHelp = """
        The legacy stores: keychain databases, property lists, JSON lines, legacy JSON or migration exports; with --into \
        also folders of them.
        """
}

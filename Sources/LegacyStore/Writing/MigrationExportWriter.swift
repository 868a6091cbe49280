public import Foundation
public import PushBridgeCore

/// Writes a migration export: mechanisms, each with its account inside.
///
/// The document appears whole, with mode 0600, when ``finish()`` returns. Secrets are written in clear. The shape
/// has no place for what was left of a push registration, nor for notifications and the device token.
public final class MigrationExportWriter {
    private let file: NewStoreFile
    private let exportedAt: Date
    private let encoder = JSONEncoder()
    private var count = 0

    /// Begins an export at `url`; an existing file is refused unless `replacing`.
    public init(_ url: URL, exportedAt: Date, replacing: Bool = false) throws(LegacyStoreError) {
        file = try NewStoreFile(url, replacing: replacing)
        self.exportedAt = exportedAt
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try file.write(#"{"mechanisms":["#)
    }

    /// Writes a mechanism; one without an account record has no account inside.
    public func write(_ mechanism: LegacyMechanism, account: LegacyAccount?) throws(LegacyStoreError) {
        let element = ExportedMechanismJSON(mechanism, account: account)
        let json = try changing(file.url) { try encoder.encode(element) }
        if count > 0 { try file.write(",\n") }
        try file.write(json)
        count += 1
    }

    /// Writes the metadata and puts the document in its place.
    public func finish() throws(LegacyStoreError) {
        let date = exportedAt.millisecondsSince1970
        try file.write("],\n\"metadata\":{\"totalMechanisms\":\(count),\"exportedAt\":\(date)}}\n")
        try file.finish()
    }
}

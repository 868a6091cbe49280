public import Foundation
public import LegacyStore
package import PushBridgeCore

/// Writes a legacy JSON document, with every key of the iOS SDK and explicit nulls.
///
/// The document appears whole, with mode 0600, when ``finish()`` returns. Secrets are written in clear, or withheld:
/// such a document is for reading, and brings no account back.
public final class LegacyJSONWriter {
    private static let order: [JSONSection] = [.accounts, .mechanisms, .notifications, .deviceToken]
    private let file: NewLegacyFile
    private let withholdsSecrets: Bool
    // How many sections were begun, and whether the current one has a record.
    private var begun = 0
    private var hasRecords = false

    /// Begins a document at `url`; an existing file is refused unless `replacing`.
    ///
    /// - Parameters:
    ///   - url: The file to write.
    ///   - withholdingSecrets: Whether `null` stands for secrets.
    ///   - replacing: Whether an existing file is replaced.
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if the file cannot be made, or exists and
    ///   `replacing` is `false`.
    public init(
        _ url: URL,
        withholdingSecrets: Bool = false,
        replacing: Bool = false
    ) throws(LegacyStoreError) {
        withholdsSecrets = withholdingSecrets
        file = try NewLegacyFile(url, replacing: replacing)
        try file.write("{")
        try begin()
    }

    /// Writes a record: accounts first, then mechanisms, notifications, and at most one device token.
    ///
    /// Another order is refused, as is a number that JSON cannot spell; the document stays good.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if the record is out of order, a number
    ///   cannot be written as JSON, or the file cannot be written.
    package func write(_ record: LegacyRecord) throws(LegacyStoreError) {
        let json = try file.json { () throws(LegacyRecordError) in
            try record.legacyJSON(withholdingSecrets: withholdsSecrets)
        }
        let section = Self.order.firstIndex { $0.service == record.service } ?? 0
        guard section >= begun - 1, !(hasRecords && record.kind == .deviceToken && section == begun - 1)
        else {
            throw .notWritable("A record of a JSON document is out of order.")
        }
        while begun <= section { try next() }
        if hasRecords { try file.write(",\n") }
        try file.write(json)
        hasRecords = true
    }

    /// Puts the document in its place.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if the file cannot be written.
    public func finish() throws(LegacyStoreError) {
        while begun < Self.order.count { try next() }
        try file.write(hasRecords ? "}\n" : "null}\n")
        try file.finish()
    }

    private func next() throws(LegacyStoreError) {
        try file.write("],\n")
        try begin()
    }

    private func begin() throws(LegacyStoreError) {
        let section = Self.order[begun]
        try file.write("\"\(section.rawValue)\":\(section == .deviceToken ? "" : "[")")
        begun += 1
        hasRecords = false
    }
}

/// Writes a migration export: mechanisms, each with its account inside.
///
/// The document appears whole, with mode 0600, when ``finish()`` returns. Secrets are written in clear. The shape
/// has no place for what was left of a push registration, nor for notifications and the device token.
public final class MigrationExportWriter {
    private let file: NewLegacyFile
    private let exportedAt: Date
    private var count = 0

    /// Begins an export at `url`; an existing file is refused unless `replacing`.
    ///
    /// - Parameters:
    ///   - url: The file to write.
    ///   - exportedAt: The date of the export in its metadata.
    ///   - replacing: Whether an existing file is replaced.
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if the file cannot be made, or exists and
    ///   `replacing` is `false`.
    public init(_ url: URL, exportedAt: Date, replacing: Bool = false) throws(LegacyStoreError) {
        file = try NewLegacyFile(url, replacing: replacing)
        self.exportedAt = exportedAt
        try file.write(#"{"mechanisms":["#)
    }

    /// Writes a mechanism; one without an account record has no account inside.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if a number cannot be written as JSON, or the file
    ///   cannot be written.
    package func write(_ mechanism: LegacyMechanism, account: LegacyAccount?) throws(LegacyStoreError) {
        let json = try file.json { () throws(LegacyRecordError) in
            try mechanism.exportedJSON(account: account)
        }
        if count > 0 { try file.write(",\n") }
        try file.write(json)
        count += 1
    }

    /// Writes the metadata and puts the document in its place.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if the file cannot be written.
    public func finish() throws(LegacyStoreError) {
        let date = exportedAt.millisecondsSince1970
        try file.write("],\n\"metadata\":{\"totalMechanisms\":\(count),\"exportedAt\":\(date)}}\n")
        try file.finish()
    }
}

extension NewLegacyFile {
    fileprivate func json(_ make: () throws(LegacyRecordError) -> Data) throws(LegacyStoreError) -> Data {
        do {
            return try make()
        } catch {
            throw .notWritable(error.reason)
        }
    }
}

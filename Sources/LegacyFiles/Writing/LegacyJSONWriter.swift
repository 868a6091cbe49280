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
    ///   - withholdingSecrets: Whether `null` replaces secrets.
    ///   - replacing: Whether an existing file is replaced.
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be made, or exists and
    ///   `replacing` is `false`; `locked` if another run makes it.
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
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be written.
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
///
/// The vendor's parser on Android reads it: it refuses a whole document for one mechanism without an account, takes
/// secrets as they are, and takes any hash function that it does not know for SHA-1.
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
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be made, or exists and
    ///   `replacing` is `false`; `locked` if another run makes it.
    public init(_ url: URL, exportedAt: Date, replacing: Bool = false) throws(LegacyStoreError) {
        file = try NewLegacyFile(url, replacing: replacing)
        self.exportedAt = exportedAt
        try file.write(#"{"mechanisms":["#)
    }

    /// Writes a mechanism with its account, or with one that has nothing but its names.
    ///
    /// - Returns: `false` for one that the format does not support: its hash function is not SHA-1, SHA-256 or SHA-512, or
    ///   its secret cannot be read.
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if a number cannot be written as JSON, or the file
    ///   cannot be written.
    package func write(_ mechanism: LegacyMechanism, account: LegacyAccount?) throws(LegacyStoreError) -> Bool
    {
        guard let mechanism = mechanism.exchanged else { return false }
        let account =
            account
            ?? LegacyAccount(profile: AccountProfile(mechanism.account), timeAdded: mechanism.timeAdded)
        let json = try file.json { () throws(LegacyRecordError) in
            try mechanism.exportedJSON(account: account)
        }
        if count > 0 { try file.write(",\n") }
        try file.write(json)
        count += 1
        return true
    }

    /// Writes the metadata and puts the document in its place.
    ///
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be written.
    public func finish() throws(LegacyStoreError) {
        let date = exportedAt.millisecondsSince1970
        try file.write("],\n\"metadata\":{\"totalMechanisms\":\(count),\"exportedAt\":\(date)}}\n")
        try file.finish()
    }
}

extension LegacyMechanism {
    /// The mechanism with the spellings that the vendor's parser on Android takes; `nil` if it would make another one of it.
    fileprivate var exchanged: LegacyMechanism? {
        var mechanism = self
        switch factor {
        case .push:
            guard let secret = secret.withUTF8({ SharedSecret(base64: $0) }) else { return nil }
            mechanism.secret = secret.base64Spelling
        case .totp(var parameters, let period):
            guard mechanism.exchange(&parameters) else { return nil }
            mechanism.factor = .totp(parameters, period: period)
        case .hotp(var parameters, let counter):
            guard mechanism.exchange(&parameters) else { return nil }
            mechanism.factor = .hotp(parameters, counter: counter)
        }
        return mechanism
    }

    private mutating func exchange(_ parameters: inout LegacyOathParameters) -> Bool {
        guard
            let secret = secret.withUTF8({ SharedSecret(base32: $0) }),
            let algorithm = OathAlgorithm(name: parameters.algorithm),
            [.sha1, .sha256, .sha512].contains(algorithm)
        else { return false }
        self.secret = secret.base32Spelling
        parameters = LegacyOathParameters(algorithm: algorithm.name, digits: parameters.digits)
        return true
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

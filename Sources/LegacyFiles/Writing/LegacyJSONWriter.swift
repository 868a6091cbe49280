public import Foundation
public import LegacyStore
package import PushBridgeCore

/// Writes a legacy JSON document with all keys of the iOS SDK.
///
/// Keys without a value are written with `null`.
///
/// The complete document appears with mode 0600 when ``finish()`` returns. Secrets are written unencrypted
/// or replaced with `null`. A document without secrets cannot restore an account.
public final class LegacyJSONWriter {
    private static let order: [JSONSection] = [.accounts, .mechanisms, .notifications, .deviceToken]
    private let file: NewLegacyFile
    private let withholdsSecrets: Bool
    // The number of sections that have been begun, and whether the current section contains a record.
    private var begun = 0
    private var hasRecords = false

    /// Begins a document at `url`.
    ///
    /// - Parameters:
    ///   - url: The file to write.
    ///   - withholdingSecrets: Whether `null` replaces secrets.
    ///   - replacing: Whether an existing file is replaced.
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be created, or exists and
    ///   `replacing` is `false`; `locked` if another process is writing it.
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

    /// Writes a record.
    ///
    /// Accounts must be written first, then mechanisms, then notifications, and finally at most one device token. If
    /// the call throws because a record is out of order or cannot be expressed in JSON, the document stays valid.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if the record is out of order, a number cannot be
    ///   written as JSON, or the file cannot be written.
    package func write(_ record: LegacyRecord) throws(LegacyStoreError) {
        let json = try file.json { () throws(LegacyRecordError) in
            try record.legacyJSON(withholdingSecrets: withholdsSecrets)
        }
        let section = Self.order.firstIndex { $0.service == record.service } ?? 0
        guard section >= begun - 1, !(hasRecords && record.kind == .deviceToken && section == begun - 1)
        else {
            throw .notWritable(
                "The record is out of order; write accounts, mechanisms, notifications, then one device token."
            )
        }
        while begun <= section { try next() }
        if hasRecords { try file.write(",\n") }
        try file.write(json)
        hasRecords = true
    }

    /// Moves the finished document to its URL.
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

/// Writes a migration export, which is a list of mechanisms; each mechanism contains its account.
///
/// The complete document appears with mode 0600 when ``finish()`` returns. Secrets are written unencrypted. The format
/// has no fields for notifications, for the device token, or for the message id, challenge and cookie of a push
/// registration.
///
/// The vendor's parser on Android can read the document. That parser rejects the whole document if one mechanism has no
/// account, so each mechanism is written with an account. It does not check secrets, and reads an unknown hash function
/// as SHA-1, so mechanisms that it would misread are left out.
public final class MigrationExportWriter {
    private let file: NewLegacyFile
    private let exportedAt: Date
    private var count = 0

    /// Begins an export at `url`.
    ///
    /// - Parameters:
    ///   - url: The file to write.
    ///   - exportedAt: The date of the export, for the metadata of the document.
    ///   - replacing: Whether an existing file is replaced.
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be created, or exists and
    ///   `replacing` is `false`; `locked` if another process is writing it.
    public init(_ url: URL, exportedAt: Date, replacing: Bool = false) throws(LegacyStoreError) {
        file = try NewLegacyFile(url, replacing: replacing)
        self.exportedAt = exportedAt
        try file.write(#"{"mechanisms":["#)
    }

    /// Writes a mechanism together with its account.
    ///
    /// If `account` is `nil`, an account with only the names and the mechanism's date is written.
    ///
    /// - Returns: `false` if the format does not support the mechanism: its hash function is not SHA-1, SHA-256 or
    ///   SHA-512, or its secret cannot be read.
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

    /// Writes the metadata and moves the finished document to its URL.
    ///
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be written.
    public func finish() throws(LegacyStoreError) {
        let date = exportedAt.millisecondsSince1970
        try file.write("],\n\"metadata\":{\"totalMechanisms\":\(count),\"exportedAt\":\(date)}}\n")
        try file.finish()
    }
}

extension LegacyMechanism {
    /// The mechanism, with values that the vendor's parser on Android accepts; `nil` if that parser would misread it.
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

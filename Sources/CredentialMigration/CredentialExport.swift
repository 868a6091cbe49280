package import Foundation
public import LegacyStore
public import PushBridgeCore

/// Writes a credential store as a legacy store, for the way back.
///
/// Archives that a migration kept verbatim are written unchanged. All other records are written in the form in
/// which the legacy SDK stores them. A migration of the exported store results in the same credentials. All
/// calls block and may be made from any thread.
public struct CredentialExport: Sendable {
    private let store: any CredentialStore
    /// Called after every thousand records, with the number of records that have been read and the total
    /// number.
    private var progress: (@Sendable (_ completed: Int, _ total: Int) -> Void)?

    /// Creates an export that reports its progress.
    /// - Parameters:
    ///   - store: The credential store.
    ///   - progress: Called after every thousand records, on the caller's thread, with the number of records
    ///     that have been read and the total number.
    @_spi(PushBridgeTools)
    public init(of store: any CredentialStore, progress: @escaping @Sendable (Int, Int) -> Void) {
        self.store = store
        self.progress = progress
    }

    /// Creates an export of a store.
    /// - Parameter store: The credential store.
    public init(of store: any CredentialStore) {
        self.store = store
    }

    /// Writes all records as archives in the legacy SDK's services, and then finishes the writer.
    /// - Parameter writer: The writer of a legacy store of archives.
    /// - Returns: How many records were written, how many were left out, and the ids of unreadable records.
    /// - Throws: `StoreError` if the store cannot be read, `LegacyStoreError` if the writer fails.
    @discardableResult
    public func write(to writer: some LegacyStoreWriting) throws -> ExportSummary {
        try export { record in
            guard let item = record.item else { return false }
            try writer.write(archive: item.archive, service: item.service, key: item.key)
            return true
        } finish: {
            try writer.finish()
        }
    }

    /// Calls `write` with each record and then calls `finish`; counts the written and the omitted records.
    ///
    /// `write` returns whether the format supports the record.
    package func export(
        _ write: (ExportedRecord) throws -> Bool,
        finish: () throws -> Void
    ) throws -> ExportSummary {
        let summary = try store.read { view in
            // If the store is an app's own storage or consists of the legacy items, the store calls this closure
            // again after it has loaded missing records. A repeated call would write records twice, so all records
            // are requested before the first record is written.
            if view is any LoadedReading { _ = try view.export { _ in true } }
            return try (try progress.map(view.reporting) ?? view).export(write)
        }
        try finish()
        return summary
    }
}

extension CredentialReading {
    /// Calls `write` with each record of the export; counts the written and the omitted records.
    ///
    /// `write` returns whether the format supports the record.
    package func export(_ write: (ExportedRecord) throws -> Bool) throws -> ExportSummary {
        var summary = ExportSummary()
        let unreadable = try forEachExportedRecord { record in
            summary.count(record, isWritten: try write(record))
        }
        summary.unreadable = unreadable.map { $0.record ?? "record" }
        return summary
    }
}

/// The result of an export: how many records were written, how many were left out because the format does not support
/// them, and which records cannot be read.
public struct ExportSummary: Equatable, Sendable {
    /// The number of records of each kind that were written.
    public private(set) var written: [LegacyRecordKind: Int] = [:]
    /// The number of records of each kind that were left out.
    public private(set) var leftOut: [LegacyRecordKind: Int] = [:]
    /// The mechanisms that were left out and can be decoded, as `{issuer}-{accountName}-{push|totp|hotp}`.
    public private(set) var leftOutMechanisms: [String] = []
    /// The ids of the records that were not written because they cannot be read from the store.
    public internal(set) var unreadable: [String] = []

    /// Creates the summary of an export that wrote no records.
    package init() {}

    mutating func count(_ record: ExportedRecord, isWritten: Bool) {
        guard !isWritten else { return written[record.kind, default: 0] += 1 }
        leftOut[record.kind, default: 0] += 1
        if case .mechanism(let mechanism) = record.value { leftOutMechanisms.append(mechanism.identifier) }
    }
}

/// One record of an export.
package struct ExportedRecord {
    package let kind: LegacyRecordKind
    /// The record; `nil` if the record was kept as bytes that this version cannot read.
    package let value: LegacyRecord?
    /// The account to store within the record of a mechanism.
    package private(set) var account: LegacyAccount?
    /// Whether the record is an account that some formats store within the record of a mechanism.
    package private(set) var isNested = false
    /// The ledger entry, if a migration kept the record verbatim.
    private var kept: LedgerEntry?

    /// The legacy SDK's item for the record.
    ///
    /// The value is `nil` if this version cannot read the record and the record was not kept as an archive.
    package var item: (archive: Data, service: LegacyService, key: String)? {
        if let kept, let verbatim = kept.verbatim, verbatim.format == .archive {
            return (verbatim.payload, LegacyService(kept.kind), kept.key)
        }
        return value.map { ($0.archive, $0.service, $0.identifier) }
    }

    fileprivate init(_ value: LegacyRecord) {
        self.value = value
        kind = value.kind
    }

    fileprivate init(_ mechanism: LegacyMechanism, account: LegacyAccount?) {
        self.init(.mechanism(mechanism))
        self.account = account
    }

    fileprivate init(_ account: LegacyAccount, isNested: Bool) {
        self.init(.account(account))
        self.isNested = isNested
    }

    fileprivate init(kept entry: LedgerEntry) {
        kept = entry
        kind = entry.kind
        do throws(LegacyRecordError) {
            let decoded = try entry.decoded()
            value = decoded?.record
            account = decoded?.embeddedAccount
        } catch {
            value = nil
        }
    }
}

extension CredentialReading {
    /// Calls `body` with every record of the export.
    ///
    /// The order is: accounts, mechanisms, notifications, device token.
    /// - Returns: The errors of the records that cannot be read.
    fileprivate func forEachExportedRecord(_ body: (ExportedRecord) throws -> Void) throws -> [StoreError] {
        let changed = try accountsWithChangesInCopies()
        var unreadable = try forEachAccount(changed, body)
        unreadable += try forEachMechanism(changed, body)
        unreadable += try forEach(PushNotification.self, where: .all) {
            try body(ExportedRecord(.notification($0.legacyNotification)))
        }
        try forEachKept([.notification], body)
        unreadable += try forEach(PushDeviceToken.self, where: .all) {
            try body(ExportedRecord(.deviceToken($0)))
        }
        return unreadable
    }

    /// Calls `body` with the accounts that have a date, and with the kept account records.
    ///
    /// The accounts include those that occur only in a kept mechanism.
    private func forEachAccount(
        _ changed: [AccountKey: AccountProfile],
        _ body: (ExportedRecord) throws -> Void
    ) throws -> [StoreError] {
        var seen: Set<AccountKey> = []
        let unreadable = try forEach(AccountProfile.self, where: .all) { profile in
            guard let addedAt = profile.addedAt else { return }
            seen.insert(profile.key)
            let account = LegacyAccount(profile: changed[profile.key] ?? profile, timeAdded: addedAt)
            try body(ExportedRecord(account, isNested: try hasCredentials(profile.key)))
        }
        try forEachKept([.push, .totp, .hotp]) { record in
            guard let account = record.account, seen.insert(account.profile.key).inserted else { return }
            try body(ExportedRecord(account, isNested: true))
        }
        try forEachKept([.account], body)
        return unreadable
    }

    private func forEachMechanism(
        _ changed: [AccountKey: AccountProfile],
        _ body: (ExportedRecord) throws -> Void
    ) throws -> [StoreError] {
        func account(of credential: some CredentialRecord) -> LegacyAccount? {
            var credential = credential
            credential.account = changed[credential.account.key] ?? credential.account
            return credential.legacyAccount
        }
        var unreadable = try forEachCredential(PushCredential.self) {
            try body(ExportedRecord($0.legacyMechanism, account: account(of: $0)))
        }
        unreadable += try forEachCredential(OathCredential.self) {
            try body(ExportedRecord($0.legacyMechanism, account: account(of: $0)))
        }
        unreadable += try forEachKept([.push, .totp, .hotp, .unknown], body)
        return unreadable
    }

    /// Calls `body` with each record of these kinds that the ledger keeps.
    ///
    /// The records are decoded if this version can read them.
    @discardableResult
    private func forEachKept(
        _ kinds: Set<LegacyRecordKind>,
        _ body: (ExportedRecord) throws -> Void
    ) throws -> [StoreError] {
        try forEach(LedgerEntry.self, where: .open) { entry in
            if kinds.contains(entry.kind) { try body(ExportedRecord(kept: entry)) }
        }
    }
}

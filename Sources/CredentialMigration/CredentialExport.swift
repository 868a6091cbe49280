package import Foundation
public import LegacyStore
public import PushBridgeCore

/// The way back: writes a credential store as a legacy store.
///
/// Records that a migration kept verbatim are written as they were, the rest as the legacy SDK would store it.
/// Migrating the result yields the same credentials again. All calls block and may be made from any thread.
public struct CredentialExport: Sendable {
    private let store: any CredentialStore
    /// Called with how many records were read of how many, every thousand.
    private var progress: (@Sendable (_ completed: Int, _ total: Int) -> Void)?

    /// Creates an export that reports its progress.
    /// - Parameters:
    ///   - store: The credential store.
    ///   - progress: Called with how many records were read of how many, every thousand, on the caller's thread.
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

    /// Writes every record as an archive in the legacy SDK's services, and finishes the writer.
    /// - Parameter writer: Writes a legacy store of archives.
    /// - Returns: How many records were written and left out, and the ids of those that cannot be read.
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

    /// Hands over one record at a time and counts; `write` returns whether the record has a place.
    package func export(
        _ write: (ExportedRecord) throws -> Bool,
        finish: () throws -> Void
    ) throws -> ExportSummary {
        let summary = try store.read { view in
            // An app's own storage and the legacy items call this again for missing records, so everything is requested
            // before anything is written.
            if view is any LoadedReading { _ = try view.export { _ in true } }
            return try (try progress.map(view.reporting) ?? view).export(write)
        }
        try finish()
        return summary
    }
}

extension CredentialReading {
    /// Hands over one record of the way back at a time and counts; `write` returns whether the record has a place.
    package func export(_ write: (ExportedRecord) throws -> Bool) throws -> ExportSummary {
        var summary = ExportSummary()
        let unreadable = try forEachExportedRecord { record in
            summary.count(record, isWritten: try write(record))
        }
        summary.unreadable = unreadable.map { $0.record ?? "record" }
        return summary
    }
}

/// The outcome of an export: what was written, and what the format cannot hold.
public struct ExportSummary: Equatable, Sendable {
    /// How many records of each kind were written.
    public private(set) var written: [LegacyRecordKind: Int] = [:]
    /// The number of records of each kind that were left out.
    public private(set) var leftOut: [LegacyRecordKind: Int] = [:]
    /// The mechanisms among those that were left out, as `{issuer}-{accountName}-{push|totp|hotp}`.
    public private(set) var leftOutMechanisms: [String] = []
    /// The ids of records that are damaged in the store itself, and so cannot be restored.
    public internal(set) var unreadable: [String] = []

    /// An export without records.
    package init() {}

    mutating func count(_ record: ExportedRecord, isWritten: Bool) {
        guard !isWritten else { return written[record.kind, default: 0] += 1 }
        leftOut[record.kind, default: 0] += 1
        if case .mechanism(let mechanism) = record.value { leftOutMechanisms.append(mechanism.identifier) }
    }
}

/// One record on its way back.
package struct ExportedRecord {
    package let kind: LegacyRecordKind
    /// The record; `nil` if this version cannot read what was kept.
    package let value: LegacyRecord?
    /// The account to nest in a mechanism.
    package private(set) var account: LegacyAccount?
    /// Whether the record is an account that some shape nests in a mechanism.
    package private(set) var isNested = false
    /// Where a migration kept the record verbatim.
    private var kept: LedgerEntry?

    /// The item that the legacy SDK would have of it; `nil` if this version cannot read what was kept in another form.
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
    /// Calls `body` with every record of the way back: accounts, mechanisms, notifications, the device token.
    /// - Returns: Why others cannot be read.
    fileprivate func forEachExportedRecord(_ body: (ExportedRecord) throws -> Void) throws -> [StoreError] {
        var unreadable = try forEachAccount(body)
        unreadable += try forEachMechanism(body)
        unreadable += try forEach(PushNotification.self, where: .all) {
            try body(ExportedRecord(.notification($0.legacyNotification)))
        }
        try forEachKept([.notification], body)
        unreadable += try forEach(PushDeviceToken.self, where: .all) {
            try body(ExportedRecord(.deviceToken($0)))
        }
        return unreadable
    }

    /// Accounts, including those that only a kept mechanism contains, and account records that were kept beside another
    /// one.
    private func forEachAccount(_ body: (ExportedRecord) throws -> Void) throws -> [StoreError] {
        var seen: Set<AccountKey> = []
        let unreadable = try forEach(AccountProfile.self, where: .all) { profile in
            guard let addedAt = profile.addedAt else { return }
            seen.insert(profile.key)
            let account = LegacyAccount(profile: profile, timeAdded: addedAt)
            try body(ExportedRecord(account, isNested: try hasCredentials(profile.key)))
        }
        try forEachKept([.push, .totp, .hotp]) { record in
            guard let account = record.account, seen.insert(account.profile.key).inserted else { return }
            try body(ExportedRecord(account, isNested: true))
        }
        try forEachKept([.account], body)
        return unreadable
    }

    private func forEachMechanism(_ body: (ExportedRecord) throws -> Void) throws -> [StoreError] {
        var unreadable = try forEachCredential(PushCredential.self) {
            try body(ExportedRecord($0.legacyMechanism, account: $0.legacyAccount))
        }
        unreadable += try forEachCredential(OathCredential.self) {
            try body(ExportedRecord($0.legacyMechanism, account: $0.legacyAccount))
        }
        unreadable += try forEachKept([.push, .totp, .hotp, .unknown], body)
        return unreadable
    }

    /// Calls `body` with the kept records of some kinds, and their content as far as this version can read it.
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

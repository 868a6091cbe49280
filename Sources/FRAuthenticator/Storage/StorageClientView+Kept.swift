import Foundation
import LegacyStore
import PushBridgeCore

/// What the store has no credential for: accounts without mechanisms, and mechanisms that the core cannot use.
///
/// An app's storage keeps no ledger: nothing is ever migrated to it.
extension StorageClientView {
    func ledgerEntry(for record: RecordFingerprint) -> LedgerEntry? { nil }

    func forEachLedgerEntry(_ body: (LedgerEntry) throws -> Void) {}

    func preservedFingerprints() -> [RecordFingerprint] { kept().map(\.record) }

    func preservedRecord(for record: RecordFingerprint) -> PreservedRecord? {
        kept().first { $0.record == record }
    }

    func forEachPreservedRecord(_ body: (PreservedRecord) throws -> Void) throws {
        try kept().forEach(body)
    }

    private func kept() -> [PreservedRecord] {
        let carrying = Set(
            storedMechanisms().filter { push[$0.0.mechanismUUID] == nil && oath[$0.0.mechanismUUID] == nil }
                .map(\.1.profile.key)
                + push.changes.compactMap { $0.value?.account.key }
                + oath.changes.compactMap { $0.value?.account.key }
        )
        var values = storedAccounts().map { $0.content.withValue { $0 } }
            .filter { accounts[$0.profile.key] == nil }
        values += accounts.values.compactMap(\.self)
        let bare = values.filter { !carrying.contains($0.profile.key) }.map { LegacyRecord.account($0) }
        let unusable = storedMechanisms()
            .filter { $0.pushCredential(of: $1) == nil && $0.oathCredential(of: $1) == nil }
            .filter { push[$0.0.mechanismUUID] == nil && oath[$0.0.mechanismUUID] == nil }
            .map { LegacyRecord.mechanism($0.0.value) }
        return (bare + unusable).map(PreservedRecord.init)
    }
}

extension PreservedRecord {
    /// A record of an app's storage as one that is kept; its name is the same every time.
    fileprivate init(_ record: LegacyRecord) {
        let name =
            switch record {
            case .mechanism(let mechanism): [mechanism.mechanismUUID]
            case .account(let account): [account.profile.key.issuer, account.profile.key.accountName]
            case .notification, .deviceToken: [record.identifier]
            }
        self.init(
            record: RecordFingerprint(parts: [record.kind.rawValue] + name, payload: Data(), occurrence: 0),
            kind: record.kind,
            key: record.identifier,
            outcome: .kept,
            format: .archive,
            payload: record.archive
        )
    }
}

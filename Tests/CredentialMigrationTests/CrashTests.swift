import CredentialMigration
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Stops a migration at each operation of the store, then runs the migration again.
@Suite struct CrashTests {
    @Test(arguments: StoreKind.allCases, [1, 2, 500])
    func aRepeatedMigrationCompletesAfterAStopAtAnyOperation(_ kind: StoreKind, _ batchSize: Int) throws {
        let folder = try TemporaryFolder()
        let source = try Self.mixedSource()
        let undisturbed = MemoryCredentialStore()
        _ = try migrate(source, to: undisturbed, batchSize: batchSize)
        let expected = try Snapshot(undisturbed)
        let operations = FaultyStore(MemoryCredentialStore(), failingAt: .max)
        _ = try migrate(source, to: operations, batchSize: batchSize)
        #expect(operations.operations > 15)

        for fault in 1...operations.operations {
            let store = try kind.make(in: folder)
            #expect(throws: FaultyStore.Fault.self) {
                _ = try migrate(source, to: FaultyStore(store, failingAt: fault), batchSize: batchSize)
            }
            try Self.expectWholeRecords(in: store)
            let receipt = try migrate(source, to: store, batchSize: batchSize)
            #expect(receipt.totals.records == source.itemCount)
            #expect(receipt.totals[.conflict] == 0)
            #expect(try Snapshot(store).matches(expected), "after a fault at operation \(fault)")
        }
    }

    /// Checks that the outcomes in the ledger agree with the stored credentials, accounts and kept records.
    private static func expectWholeRecords(in store: any CredentialStore) throws {
        try store.read { view in
            let entries: Fetched<LedgerEntry> = try view.fetch()
            let migrated = entries.filter { $0.result.outcome == .migrated }
            let stored = Set(try view.pushCredentials().map(\.id) + view.oathCredentials().map(\.id))
            let recorded = migrated.filter { [.push, .totp, .hotp].contains($0.kind) }
            #expect(Set(recorded.compactMap(\.result.credentialId)) == stored)
            let accounts = entries.filter { $0.kind == .account && $0.verbatim == nil }
            #expect(Set(accounts.map(\.key)) == Set(try view.accounts().map(\.key.legacyIdentifier)))
            let kept = entries.filter { $0.result.outcome.isPreserved && $0.kind != .account }
            #expect(Set(kept.map(\.record)) == Set(try view.keptRecords().map(\.record)))
        }
    }

    private static func mixedSource() throws -> MemoryLegacySource {
        var legacy = LegacyStoreBuilder()
        legacy.account(display: "Shown")
        legacy.account("lonely")
        try legacy.push()
        try legacy.hotp()
        try legacy.totp(algorithm: "ripemd160")
        legacy.damaged()
        legacy.notification()
        legacy.notification("AUTHENTICATE:2", of: "unknown")
        legacy.deviceToken()
        return legacy.source
    }
}

extension Snapshot {
    /// Returns whether two snapshots are equal, apart from the outcomes in their ledgers.
    ///
    /// After an interruption, a record can be `alreadyPresent` instead of `migrated`.
    fileprivate func matches(_ other: Snapshot) -> Bool {
        accounts == other.accounts && push == other.push && oath == other.oath
            && notifications == other.notifications && token == other.token && kept == other.kept
            && Set(ledger.keys) == Set(other.ledger.keys)
    }
}

extension MemoryLegacySource {
    fileprivate var itemCount: Int { items().reduce(0) { count, _ in count + 1 } }
}

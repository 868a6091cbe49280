import CredentialMigration
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Properties of the ledger that hold for every store; the tests try them on random stores.
@Suite struct LedgerPropertyTests {
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func theReceiptContainsOneOutcomeForEachItem(_ seed: UInt64) throws {
        let source = RandomLegacyStore(seed: seed).source
        let store = MemoryCredentialStore()
        let receipt = try migrate(source, to: store, batchSize: 7)
        let items = source.items().compactMap { try? $0.get() }
        #expect(receipt.records.map(\.key) == items.map(\.key))
        #expect(MigrationOutcome.allCases.reduce(0) { $0 + receipt.totals[$1] } == items.count)
        #expect(Set(receipt.records.map(\.fingerprint)).count == items.count)
        #expect(try store.read { try $0.count(of: .ledger, where: .all) } == items.count)
        let unproven = receipt.records.filter { $0.result.outcome.isRetirable && !$0.result.isVerified }
        #expect(unproven.map(\.result.reason) == [])
    }

    @Test(arguments: StoreKind.allCases, 1...20 as ClosedRange<UInt64>)
    func aSecondMigrationChangesNothing(_ kind: StoreKind, _ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let source = RandomLegacyStore(seed: seed).source
        let store = try kind.make(in: folder)
        let first = try migrate(source, to: store, batchSize: 5)
        let once = try Snapshot(store)
        let second = try migrate(source, to: store, batchSize: 11)
        #expect(try Snapshot(store) == once)
        #expect(second.totals[.migrated] == 0)
        for (before, after) in zip(first.records, second.records) {
            #expect(before.isRetirable == after.isRetirable)
        }
    }

    @Test(arguments: StoreKind.allCases, 1...20 as ClosedRange<UInt64>)
    func aVerificationAgreesWithTheReceipt(_ kind: StoreKind, _ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let store = try kind.make(in: folder)
        // The second migration runs on the store that the first migration has filled.
        for seed in [seed, seed + 1] {
            let source = RandomLegacyStore(seed: seed).source
            let receipt = try migrate(source, to: store)
            let verified = try CredentialMigration(from: .store(source), to: store).verify()
            #expect(verified.records.map(\.isRetirable) == receipt.records.map(\.isRetirable))
            #expect(verified.restorableAccounts == receipt.restorableAccounts)
        }
    }
}

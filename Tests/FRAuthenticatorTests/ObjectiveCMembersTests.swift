import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The migration's members for Objective-C have the same values as the members for Swift.
@Suite("Migration in Objective-C")
struct ObjectiveCMembersTests {
    @Test func theModeForObjectiveCSetsTheSwiftMode() {
        let migration = FRAMigration()
        #expect(migration.modeWithoutGate == .inPlace)
        for mode in FRAMigrationMode.allCases {
            migration.modeWithoutGate = mode
            #expect(migration.modeWithoutGate == mode)
        }
        guard case .atOnce = migration.mode else { return #expect(Bool(false), "\(migration.mode)") }
    }

    @Test(arguments: [(true, MigrationGate.Answer.go), (false, .wait)])
    func theGateReturnsTheFirstAnswerOfTheBlock(_ mayMove: Bool, _ expected: MigrationGate.Answer) async {
        let migration = FRAMigration()
        migration.useGate { answer in
            answer(mayMove)
            answer(!mayMove)
        }
        // If the mode is set again to its current value, the gate remains.
        migration.modeWithoutGate = .gated
        guard case .gated(let gate) = migration.mode else { return #expect(Bool(false)) }
        #expect(await gate.answer(to: .apply) == expected)
    }

    /// everyday.jsonl has 14 sound records.
    @Test func theOutcomeForObjectiveCEqualsTheSwiftOutcome() throws {
        let migration = FRAMigration()
        migration.source = .file(LegacyFixtures.url("everyday.jsonl"))
        var configuration = Authenticator.Configuration()
        let store = MemoryCredentialStore()
        configuration.store = { store }
        configuration.migration = migration
        #expect(migration.outcomeWithoutReceipt == .notRun)
        guard case .done(let receipt) = migration.run(on: Authenticator(configuration)) else {
            return #expect(Bool(false))
        }
        #expect(receipt.records.count == 14)
        #expect((migration.outcomeWithoutReceipt, migration.unprovenRecords) == (.done, 0))
        #expect(migration.failure == nil)
    }

    @Test func aFailedMigrationReportsItsErrorToObjectiveC() throws {
        let migration = FRAMigration()
        let folder = try TemporaryFolder()
        migration.source = .file(folder.url("missing.jsonl"))
        var configuration = Authenticator.Configuration()
        let store = MemoryCredentialStore()
        configuration.store = { store }
        configuration.migration = migration
        migration.run(on: Authenticator(configuration))
        #expect(migration.outcomeWithoutReceipt == .failed)
        #expect(migration.failure is LegacyStoreError)
    }
}

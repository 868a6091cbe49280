import CredentialMigration
import FRAuthenticator
import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

/// A release that works in place rehearses in the background, and a release that has moved compares.
@Suite("Rehearsal at a start")
struct RehearsalLifeTests {
    private let keychain = InMemoryKeychain()
    private let store = MemoryCredentialStore()
    private let clock = TestClock()
    private let events = Lock<[MigrationEvent]>([])

    init() throws {
        try keychain.install()
    }

    private func launch(
        _ mode: FRAMigration.Mode,
        gate: MigrationGate? = nil,
        isExtension: Bool = false
    ) -> (client: FRAClient, migration: FRAMigration, background: Task<Void, Never>?) {
        let migration = FRAMigration()
        migration.source = .keychain(keychain)
        migration.rollout = MigrationRollout(
            KeychainRolloutStorage(keychain),
            gate: gate,
            versions: MigrationVersions(app: "4.1", system: "iOS 26.1.0"),
            report: { [events] event in events.withValue { $0.append(event) } }
        )
        migration.mode = mode
        var configuration = Authenticator.Configuration()
        configuration.store = { [store] in store }
        configuration.transport = FakeTransport()
        configuration.deviceName = { "Phone" }
        configuration.migration = migration
        configuration.clock = clock
        configuration.isExtension = isExtension
        let authenticator = Authenticator(configuration)
        return (FRAClient(authenticator), migration, migration.runIfDue(on: authenticator))
    }

    /// Waits until the check that runs in the background has ended.
    private func rest(
        _ app: (client: FRAClient, migration: FRAMigration, background: Task<Void, Never>?)
    ) async throws {
        await app.background?.value
        let isOver = Lock(false)
        let task = Task {
            await app.migration.check?.value
            isOver.withValue { $0 = true }
        }
        try await waitFor("the check to end") {
            if clock.sleepers > 0 { clock.advance(by: Duration.seconds(1)) }
            return isOver.withValue { $0 }
        }
        await task.value
    }

    @Test(arguments: [FRAMigration.Mode.inPlace, .gated(MigrationGate { $0 == .rehearse ? .go : .wait })])
    func anAppThatWorksInPlaceMakesARehearsal(_ mode: FRAMigration.Mode) async throws {
        let app = launch(mode)
        let (client, migration) = (app.client, app.migration)
        let before = client.getAllAccounts().map(\.identifier)
        try await rest(app)
        guard case .inPlace = migration.outcome else {
            Issue.record("The migration's outcome is \(migration.outcome) instead of inPlace.")
            return
        }
        #expect(events.withValue { $0.map(\.step) } == [.rehearse])
        #expect(events.withValue { $0.map(\.outcome) } == [.complete])
        // everyday.jsonl has 14 records.
        #expect(events.withValue { $0[0].counts.map(\.count).reduce(0, +) } == 14)
        #expect(client.getAllAccounts().map(\.identifier) == before)
        #expect(try store.read { try $0.count(of: .ledger, where: .all) } == 0)
        // At the next start there are no new records to rehearse.
        try await rest(launch(mode))
        #expect(events.withValue { $0.count } == 1)
    }

    @Test func theGateOfTheRollOutCanRefuseTheRehearsal() async throws {
        let asked = Lock<[MigrationGate.Step]>([])
        let gate = MigrationGate { step in
            asked.withValue { $0.append(step) }
            return .off
        }
        try await rest(launch(.inPlace, gate: gate))
        #expect(asked.withValue { $0 } == [.rehearse])
        #expect(events.withValue { $0.isEmpty })
    }

    @Test func aRehearsalWaitsUntilTheAppRests() async throws {
        let app = launch(.inPlace)
        for _ in 0..<3 {
            try await waitFor("the check to wait") { clock.sleepers == 1 }
            _ = app.client.getAllAccounts()
            clock.advance(by: Duration.seconds(1))
        }
        try await waitFor("the check to wait") { clock.sleepers == 1 }
        #expect(events.withValue { $0.isEmpty })
        try await rest(app)
        #expect(events.withValue { $0.map(\.step) } == [.rehearse])
    }

    @Test func anExtensionMakesNoRehearsal() async throws {
        try await rest(launch(.inPlace, isExtension: true))
        #expect(events.withValue { $0.isEmpty })
    }

    @Test func anAppThatHasMovedMakesAComparison() async throws {
        try await rest(launch(.atOnce))
        try await waitFor("the event of the migration") { events.withValue { $0.map(\.step) } == [.apply] }
        try await rest(launch(.inPlace))
        #expect(events.withValue { $0.map(\.step) } == [.apply, .compare])
        #expect(events.withValue { $0.map(\.outcome) } == [.complete, .complete])
        #expect(events.withValue { $0[1].counts.map(\.count).reduce(0, +) } == 14)
        try await rest(launch(.atOnce))
        #expect(events.withValue { $0.count } == 2)
    }
}

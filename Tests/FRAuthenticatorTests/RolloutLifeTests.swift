import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyFiles
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// A phone whose app is killed repeatedly while it migrates.
@Suite("Roll-out on a phone", .serialized)
struct RolloutLifeTests {
    private static let accounts = [
        "Acme Bank-alice@example.com", "Acme Bank-bob", "Combined-carol", "ForgeRock-demo",
    ]

    /// A phone with the data that survives the app's processes, and with the events that the telemetry
    /// received.
    private final class Phone: Sendable {
        let keychain = InMemoryKeychain()
        let store = MemoryCredentialStore()
        let state = KeychainRolloutStorage(InMemoryKeychain())
        let received = Lock<[MigrationEvent]>([])

        init() throws {
            try keychain.install()
        }

        /// Launches a process that dies at an operation of the store, of the roll-out's state or of the
        /// telemetry.
        func launch(
            dyingAt limit: Int,
            app: String = "4.1",
            mode: FRAMigration.Mode = .atOnce
        ) async -> (
            migration: FRAMigration, accounts: [String], isInPlace: Bool, rollout: MigrationRollout,
            store: FaultyStore
        ) {
            let faulty = FaultyStore(store, failingAt: limit)
            let received = received
            let rollout = MigrationRollout(
                DyingStorage(storage: state, store: faulty),
                gate: MigrationGate { _ in .go },
                conditions: [.share(1), .notInExtension],
                versions: MigrationVersions(app: app, system: "iOS 26.1.0"),
                report: { event in
                    try faulty.spend()
                    received.withValue { $0.append(event) }
                    try faulty.spend()
                }
            )
            let migration = FRAMigration()
            migration.source = .keychain(keychain)
            migration.rollout = rollout
            migration.mode = mode
            var configuration = Authenticator.Configuration()
            configuration.store = { faulty }
            configuration.transport = FakeTransport()
            configuration.deviceName = { "Phone" }
            configuration.migration = migration
            let authenticator = Authenticator(configuration)
            let client = FRAClient(authenticator)
            let background = migration.runIfDue(on: authenticator)
            // The accounts are also shown while the records move in the background.
            let meanwhile = client.getAllAccounts().map(\.identifier).sorted()
            await background?.value
            let accounts = client.getAllAccounts().map(\.identifier).sorted()
            #expect(meanwhile == accounts)
            return (migration, accounts, (try? authenticator.isInPlace) == true, rollout, faulty)
        }
    }

    /// Kills two attempts after they have been counted and before they have an outcome.
    private func crashTwice(_ phone: Phone) {
        // The second attempt first records the crash of the first attempt, so the second makes one more write.
        for writes in 1...2 {
            let state = FailingAfter(storage: phone.state, writes: Lock(writes))
            let rollout = MigrationRollout(
                state,
                versions: MigrationVersions(app: "4.1", system: "iOS 26.1.0")
            )
            #expect(throws: Death.self) {
                try rollout.attempt(.apply, yield: { (_: Void) in .nothing }) { began in
                    try began()
                    throw Death()
                }
            }
        }
    }

    private struct Death: Error {}

    private struct FailingAfter: RolloutStorage {
        let storage: any RolloutStorage
        let writes: Lock<Int>

        func read() throws -> Data? { try storage.read() }

        func write(_ state: Data) throws {
            try writes.withValue { left in
                left -= 1
                if left < 0 { throw Death() }
            }
            try storage.write(state)
        }
    }

    private struct DyingStorage: RolloutStorage {
        let storage: any RolloutStorage
        let store: FaultyStore

        func read() throws -> Data? { try storage.read() }

        /// Writes the state; the process may die before the write or after it.
        func write(_ state: Data) throws {
            try store.spend()
            try storage.write(state)
            try store.spend()
        }
    }

    @Test func aKilledMigrationLosesNoAccountAndSendsOneEventPerAttempt() async throws {
        // On half of the phones, a gate is queried in the background.
        let modes: [FRAMigration.Mode] = [.atOnce, .gated(MigrationGate { _ in .go })]
        var operations: [Int] = []
        for mode in modes {
            let whole = try await Phone().launch(dyingAt: .max, mode: mode)
            #expect(!whole.isInPlace)
            operations.append(whole.store.operations)
        }
        #expect(operations.allSatisfy { $0 > 10 })
        var random = SeededGenerator(seed: 300)
        var outcomes: Set<MigrationEvent.Outcome> = []
        for life in 0..<100 {
            let phone = try Phone()
            let mode = modes[life % 2]
            // Each of the 100 phones is launched three times; most launches are killed at a random operation.
            for launch in 0..<3 {
                let limit = Int.random(in: 1...operations[life % 2] + 2, using: &random)
                let app = await phone.launch(dyingAt: limit, mode: mode)
                #expect(app.accounts == Self.accounts, "life \(life), launch \(launch), killed at \(limit)")
                await app.rollout.deliver()
            }
            let last = await phone.launch(dyingAt: .max, app: "4.2", mode: mode)
            #expect(last.accounts == Self.accounts, "life \(life)")
            #expect(!last.isInPlace, "life \(life)")
            try await waitFor("all events") {
                await last.rollout.deliver()
                return try last.rollout.undelivered.isEmpty
            }
            let events = phone.received.withValue { $0 }
            var byId: [UUID: MigrationEvent] = [:]
            for event in events {
                // All events with one attempt id are equal.
                if let known = byId[event.attemptId] { #expect(known == event, "life \(life)") }
                byId[event.attemptId] = event
            }
            let attempts = byId.values.filter { $0.outcome != .held }.map(\.attempt).sorted()
            #expect(attempts == Array(1...max(attempts.count, 1)), "life \(life)")
            outcomes.formUnion(byId.values.map(\.outcome))
        }
        // Across all phones, each of these outcomes occurs.
        #expect(outcomes.isSuperset(of: [.complete, .interrupted, .held]))
    }

    @Test func theGuardKeepsTheAppInPlaceAndReportsIt() async throws {
        let phone = try Phone()
        crashTwice(phone)
        let held = await phone.launch(dyingAt: .max)
        guard case .held = held.migration.outcome else {
            Issue.record("The migration's outcome is \(held.migration.outcome) instead of held.")
            return
        }
        #expect(held.isInPlace)
        #expect(held.accounts == Self.accounts)
        let next = await phone.launch(dyingAt: .max, app: "4.2")
        guard case .done = next.migration.outcome else {
            Issue.record("The migration's outcome is \(next.migration.outcome) instead of done.")
            return
        }
        #expect(next.accounts == Self.accounts)
    }

    @Test func theGateAnswerRetryReleasesTheGuard() async throws {
        let phone = try Phone()
        crashTwice(phone)
        let held = await phone.launch(dyingAt: .max, mode: .gated(MigrationGate { _ in .go }))
        try await waitFor("the guard to hold") {
            if case .held = held.migration.outcome { true } else { false }
        }
        let freed = await phone.launch(dyingAt: .max, mode: .gated(MigrationGate { _ in .retry }))
        try await waitFor("the records to move") {
            if case .done = freed.migration.outcome { true } else { false }
        }
    }

    @Test func onlyAKeychainSourceHasADefaultRollOut() throws {
        let migration = FRAMigration()
        let keychain = InMemoryKeychain()
        migration.source = .keychain(keychain)
        let rollout = try #require(migration.rollout)
        #expect(try rollout.undelivered.isEmpty)
        migration.source = .store(MemoryLegacySource([]))
        #expect(migration.rollout == nil)
    }
}

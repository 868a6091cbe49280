import CredentialMigration
import FRAuthenticator
import Foundation
import PushBridgeStore

/// The code in the article on rolling out.
struct RollOutPage {
    let keychain: any StandardStore.Keychain
    let remoteSwitch: @Sendable (MigrationGate.Step) async -> MigrationGate.Answer
    let telemetry: Telemetry
    let show: (MigrationReceipt?) -> Void
    let log: (String) -> Void

    struct Telemetry: Sendable {
        let send: @Sendable (MigrationEvent) async throws -> Void
    }

    func start() -> MigrationRollout {
        let (remoteSwitch, telemetry) = (remoteSwitch, telemetry)
        // guide: begin
        let rollout = MigrationRollout(
            KeychainRolloutStorage(keychain),
            gate: MigrationGate { step in await remoteSwitch(step) },
            conditions: [.share(0.1, of: "autumn"), .notInExtension],
            report: { event in try await telemetry.send(event) }
        )
        FRAClient.migration.rollout = rollout
        FRAClient.migration.mode = .gated()
        // guide: end
        return rollout
    }

    func migrate(_ migration: CredentialMigration, with rollout: MigrationRollout) async throws {
        // guide: begin
        switch try await rollout.migrate(migration) {
        case .done(let receipt): show(receipt)
        case .refused(let answer): log("refused: \(answer)")
        case .held: log("held")
        }
        // guide: end
    }
}

import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PingAMSimulator
import PingAMSimulatorServer
import PingPush

/// A phone on which the old version of the app enrolled an account.
struct LegacyPhone {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let server: SimulatorServer
    let mechanismId: String

    init(account: String) async throws {
        server = try await SimulatorServer.start()
        let store = MemoryCredentialStore()
        let client = try await PushClient.createClient { $0.storage = CredentialStoreStorage(store) }
        try await client.setDeviceToken("F79B")
        let code = try server.simulator.createRegistration(
            RegistrationOrder(issuer: "Example", account: account)
        )
        mechanismId = try await client.addCredentialFromUri(code.uri(labelIssuer: "forgerock")).id
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("accounts.plist")
        try CredentialExport(of: store).write(to: PropertyListStoreWriter(file))
    }
}

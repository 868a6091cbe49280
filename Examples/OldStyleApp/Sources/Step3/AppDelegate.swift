import CredentialMigration
import Foundation
import PingPush

/// Starts the API at launch, and passes it the device token and the pushes from APNs.
final class AppDelegate {
    let client: PushClient
    let accounts: AccountsController
    let pushes: PushController
    let receipt: MigrationReceipt?

    // guide: begin
    init(launchedIn folder: URL) async throws {
        let store = try AccountStore.open(in: folder)
        receipt = try AccountStore.migrate(in: folder, to: store)
        client = try await PushClient.createClient { $0.storage = CredentialStoreStorage(store) }
        accounts = AccountsController(client: client)
        pushes = PushController(client: client)
    }

    func didRegisterForRemoteNotifications(deviceToken: Data) async throws {
        try await client.setDeviceToken(deviceToken)
    }

    func didReceiveRemoteNotification(_ userInfo: [AnyHashable: Any]) async throws -> PushNotification? {
        try await client.processNotification(userInfo: userInfo)
    }
    // guide: end
}

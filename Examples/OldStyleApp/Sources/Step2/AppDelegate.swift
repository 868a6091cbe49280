import CredentialMigration
import FRAuthenticator
import Foundation

#if canImport(UIKit)
import UIKit
#endif

/// Starts the API at launch, and passes it the device token and the pushes from APNs.
class AppDelegate: NSObject {
    let accounts = AccountsController()
    let pushes = PushController()
    private(set) var badge: Badge?
    private(set) var receipt: MigrationReceipt?

    // guide: begin
    func launch(in folder: URL) throws {
        let store = try AccountStore.open(in: folder)
        receipt = try AccountStore.migrate(in: folder, to: store)
        try FRAClient.setCredentialStore(store)
        FRAClient.start()
        badge = Badge(store: store)
    }
    // guide: end

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        FRAPushHandler.shared.application(
            application,
            didRegisterForRemoteNotificationsWithDeviceToken: deviceToken
        )
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) -> FRAuthenticator.PushNotification? {
        FRAPushHandler.shared.application(application, didReceiveRemoteNotification: userInfo)
    }
}

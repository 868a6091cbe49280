import FRAuthenticator
import Foundation

#if canImport(UIKit)
import UIKit
#endif

/// Starts the API at launch, and passes it the device token and the pushes from APNs.
class AppDelegate: NSObject {
    let accounts = AccountsController()
    let pushes = PushController()

    // guide: begin
    func launch(in folder: URL) throws {
        try FRAClient.setStorage(storage: PluginStorage(folder: folder))
        FRAClient.start()
    }
    // guide: end

    // guide: begin
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
    ) -> PushNotification? {
        FRAPushHandler.shared.application(application, didReceiveRemoteNotification: userInfo)
    }
    // guide: end
}

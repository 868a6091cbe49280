import FRAuthenticator
import Foundation
import UIKit

// If a file imports `Testing` and `UIKit`, the compiler also loads an overlay for both. This platform lacks the
// overlay, so no file imports both modules.

/// Sets the name of the device, as its owner does in the settings.
func nameDevice(_ name: String) async {
    await MainActor.run { UIDevice.current.name = name }
}

/// Calls PushBridge on the main thread, as an app delegate does in UIKit's callbacks.
enum Application {
    static func didFinishLaunching() async {
        await MainActor.run { FRAClient.start() }
    }

    static func didRegister(deviceToken: Data) async {
        await MainActor.run {
            FRAPushHandler.shared.application(
                .shared,
                didRegisterForRemoteNotificationsWithDeviceToken: deviceToken
            )
        }
    }

    static func didReceive(messageId: String, data: String) async -> PushNotification? {
        await MainActor.run {
            FRAPushHandler.shared.application(
                .shared,
                didReceiveRemoteNotification: ["aps": ["messageId": messageId, "data": data]]
            )
        }
    }
}

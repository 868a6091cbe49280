import FRAuthenticator
import Foundation
import UIKit

// `Testing` expects an overlay of its own beside the real UIKit, so no file imports both.

/// Names the device, as its user would.
func nameDevice(_ name: String) async {
    await MainActor.run { UIDevice.current.name = name }
}

/// What an app delegate does, on the main thread, with what UIKit tells it.
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

import FRAuthenticator
import FRCore
import Foundation

#if canImport(UIKit)
import UIKit
#endif

class AppDelegate: UIResponder, UIApplicationDelegate {
    var notificationScreen: NotificationViewController?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        FRALog.setLogLevel([.error])
        RequestInterceptorRegistry.shared.registerInterceptors(interceptors: [HeaderInterceptor()])
        FRAClient.start()
        application.registerForRemoteNotifications()
        return FRAClient.shared != nil
    }

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
        didFailToRegisterForRemoteNotificationsWithError error: Error
    ) {
        FRAPushHandler.shared.application(
            application,
            didFailToRegisterForRemoteNotificationsWithError: error
        )
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        if let notification = FRAPushHandler.shared.application(
            application,
            didReceiveRemoteNotification: userInfo
        ) {
            notificationScreen = NotificationViewController(notification: notification)
            completionHandler(.newData)
        } else {
            completionHandler(.noData)
        }
    }
}

class HeaderInterceptor: RequestInterceptor {
    func intercept(request: Request, action: Action) -> Request {
        guard action.type == ActionType.PUSH_AUTHENTICATE.rawValue else { return request }
        var request = request
        request.updateHeader(headers: ["x-app": "demo"])
        return request
    }
}

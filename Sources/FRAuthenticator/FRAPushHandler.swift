public import FRCore
public import Foundation
public import PushBridgeCore
import PushBridgePlatform

#if canImport(UIKit)
public import UIKit
#endif

/// Handles the app delegate's callbacks for the device token and for pushes.
///
/// Safe to use from any thread, also before ``FRAClient/start()``, because the system may call the app delegate first.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class FRAPushHandler: NSObject, Sendable {
    /// The handler of this process.
    public static var shared: FRAPushHandler {
        get { current.withValue { $0 } }
        set { current.withValue { $0 = newValue } }
    }

    private static let current = Lock(FRAPushHandler(nil))
    private let own: Authenticator?
    var authenticator: Authenticator { own ?? .shared }

    /// Creates a handler to assign to ``shared``, for tests of apps; it uses the same accounts.
    override public convenience init() { self.init(nil) }

    /// A separate handler; an app uses ``shared``.
    package init(_ authenticator: Authenticator?) {
        own = authenticator
    }

    /// Whether the client sends the device token again to servers that received it a week ago; `false` by default.
    ///
    /// The requests for different credentials are spread over 24 hours.
    ///
    /// This detects a server that no longer sends pushes to this device: see ``tokenState(of:)``.
    public var tokenResync: Bool {
        get { settings.withValue { $0.resyncs } }
        set { settings.withValue { $0.resyncs = newValue } }
    }

    /// The APNs environment of device tokens; `nil`, the default, means unspecified.
    ///
    /// Servers that received the token for another environment receive it again.
    public var environment: APNsEnvironment? {
        get { settings.withValue { $0.environment } }
        set { settings.withValue { $0.environment = newValue } }
    }

    /// The names of an operator's push configurations, for apps with several bundles.
    ///
    /// At a registration, and when a device token is sent, interceptors receive the name for ``topic`` as
    /// `providerName` in the payload of the action. They can pass it on to a gateway; PingAM itself has no field for
    /// it.
    public var providers: PushProviders {
        get { settings.withValue { $0.providers } }
        set { settings.withValue { $0.providers = newValue } }
    }

    /// The topic of the app's pushes: its bundle identifier.
    public var topic: String? {
        get { settings.withValue { $0.topic } }
        set { settings.withValue { $0.topic = newValue } }
    }

    /// Receives each step of a push, on any thread, for measuring delivery; `nil`, the default, measures nothing.
    ///
    /// `FRAClient.callsBackOnMainQueue` has no effect on it. `MigrationRollout.record(_:)` creates an event from each
    /// step.
    public var onMilestone: (@Sendable (PushMilestone) -> Void)? {
        get { settings.withValue { $0.onMilestone } }
        set { settings.withValue { $0.onMilestone = newValue } }
    }

    private var settings: Lock<Authenticator.PushSettings> { authenticator.configuration.push }

    /// Whether the server of a mechanism has the device token, and if not, why.
    ///
    /// After a server rejected the token, a launch retries after an hour, and later every seven and a half days. After
    /// a server could not be reached, the next launch retries.
    /// - Parameter mechanism: The mechanism.
    /// - Returns: The state; `nil` if the mechanism is not stored, or if the store cannot be read, which is logged. In
    ///   the state `userUnknown`, call ``setUserId(_:for:)``.
    public func tokenState(of mechanism: PushMechanism) -> DeviceTokenState? {
        let id = mechanism.value.mechanismUUID
        return authenticator.attempt("Reading the device token", or: nil) {
            try authenticator.read { view in try view.pushCredential(id: id).map(view.tokenState) }
        }
    }

    /// Stores the user name of a mechanism's user at the server; the next launch sends it.
    ///
    /// Servers since AM 8.0.1 require it with a new device token.
    /// - Parameters:
    ///   - userId: The user name at the server.
    ///   - mechanism: The mechanism.
    /// - Returns: Whether the user name was stored; a failure is logged.
    @discardableResult
    public func setUserId(_ userId: String, for mechanism: PushMechanism) -> Bool {
        let id = mechanism.value.mechanismUUID
        return authenticator.attempt("Storing a user's name", or: false) {
            try authenticator.write { try $0.setUserId(userId, ofCredential: id) }
        }
    }

    /// Stores the device token and sends it to the servers that do not have it.
    ///
    /// Returns as soon as the token is stored; requests run in the background, and failures are logged. The store
    /// contains which servers accepted the token, so a call at every launch sends it only to the others. Servers accept
    /// a new token (`_action=refresh`) since AM 8.0.1.
    /// - Parameters:
    ///   - application: Not used.
    ///   - deviceToken: The token's bytes; stored as upper-case hexadecimal.
    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        didRegister(deviceToken)
    }

    /// Removes the device token, as the legacy SDK does; `PushRegistrationFailure(error)` contains the reason why APNs
    /// issued no token.
    /// - Parameters:
    ///   - application: Not used.
    ///   - error: Not used.
    public func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        clearDeviceToken()
    }

    /// Verifies and stores a push; blocks until it is stored.
    ///
    /// The push is a JWT (RFC 7519) signed with HS256 and the mechanism's secret.
    ///
    /// ```swift
    /// let push = FRAPushHandler.shared.application(application, didReceiveRemoteNotification: userInfo)
    /// if let push { show(push.messageId) }
    /// ```
    ///
    /// - Parameters:
    ///   - application: Not used.
    ///   - userInfo: The payload, with a message id and a token under `messageId` and `data` of `aps`.
    /// - Returns: The notification; for a repeated push, the notification that is already stored. `nil` if the push is
    ///   not PingAM's, if its mechanism is not stored, if its signature is invalid, or if the storage fails; the last
    ///   three are logged.
    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) -> PushNotification? {
        didReceive(userInfo)
    }

    /// The device token, even if some servers do not have it; a token from APNs is in upper-case hexadecimal.
    public var deviceToken: String? {
        authenticator.attempt("Reading the device token", or: nil) {
            try authenticator.read { try $0.deviceToken() }?.tokenId
        }
    }

    /// Stores a device token and sends it to the server of one mechanism.
    ///
    /// Calls one callback once: on a background queue, or on the caller's thread with an error found before a request
    /// is sent. `onFailure` receives ``PushNotificationError/storageError(_:)`` if the mechanism is not stored or the
    /// storage failed, `NetworkError.apiRequestFailure` if the server rejected the token, and `URLError` if it did not
    /// answer.
    /// - Parameters:
    ///   - mechanism: The mechanism.
    ///   - deviceToken: The token, sent and stored as given: hexadecimal for APNs, or another service's token.
    ///   - onSuccess: Called when the server accepted the token.
    ///   - onFailure: Receives the error.
    public func updateDeviceToken(
        mechanism: PushMechanism,
        deviceToken: String,
        onSuccess: @escaping SuccessCallback,
        onFailure: @escaping ErrorCallback
    ) {
        authenticator.update(deviceToken, for: mechanism, Callbacks(onSuccess, onFailure))
    }

    /// Stores a device token and sends it to the servers of all mechanisms; calls back on the main queue.
    ///
    /// A callback is called after the requests to all servers ended. `onFailure` receives
    /// ``PushNotificationError/updateFailed(errors:)`` with the errors of the servers that did not accept the token,
    /// and ``PushNotificationError/storageError(_:)`` if there is no mechanism or the storage failed.
    /// - Parameters:
    ///   - deviceToken: The token, sent and stored as given: hexadecimal for APNs, or another service's token.
    ///   - onSuccess: Called when all servers accepted the token.
    ///   - onFailure: Receives the error.
    public func updateDeviceToken(
        deviceToken: String,
        onSuccess: @escaping SuccessCallback,
        onFailure: @escaping ErrorCallback
    ) {
        authenticator.update(deviceToken, Callbacks(onSuccess, onFailure))
    }

    /// The app delegate's call without the application object, which only the main thread may access.
    ///
    /// Calls `whenTold` once, on any thread, after the token was sent to all servers that need it, or when it could not
    /// be stored.
    package func didRegister(_ deviceToken: Data, whenTold: @escaping @Sendable () -> Void = {}) {
        let token = deviceToken.hexadecimal.uppercased()
        let isStored = authenticator.attempt("Storing the device token", or: false) {
            try authenticator.register(token, whenTold: whenTold)
            return true
        }
        if !isStored { whenTold() }
    }

    /// The app delegate's call without the application object, which only the main thread may access.
    package func didReceive(_ userInfo: [AnyHashable: Any]) -> PushNotification? {
        authenticator.finishMigration()
        return authenticator.attempt("Receiving a push", or: nil) { try authenticator.receive(userInfo) }
    }

    /// Removes the stored device token.
    public func clearDeviceToken() {
        authenticator.attempt("Removing the device token", or: ()) {
            _ = try authenticator.write { try $0.removeDeviceToken() }
        }
    }
}

#if !canImport(UIKit)

/// Replaces UIKit's application, so that the source of an app compiles on platforms without UIKit.
public final class UIApplication: NSObject, Sendable {
    /// The only instance.
    public static let shared = UIApplication()
}
#endif

public import FRCore
public import Foundation
public import PushBridgeCore
import PushBridgePlatform

#if canImport(UIKit)
public import UIKit
#endif

/// Handles the app delegate's callbacks for the device token and for pushes.
///
/// The handler is safe to use from any thread. It can also be used before ``FRAClient/start()``, because the
/// system may call the app delegate before the app calls `start()`.
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

    /// Creates a handler that an app's tests can assign to ``shared``; it has the accounts of this process's client.
    override public convenience init() { self.init(nil) }

    /// Creates a separate handler; an app uses ``shared``.
    package init(_ authenticator: Authenticator?) {
        own = authenticator
    }

    /// Whether servers receive the device token again about a week after they received it; `false` by
    /// default.
    ///
    /// The requests for different credentials are spread over 24 hours.
    ///
    /// The repeated request detects a server that no longer sends pushes to this device: see
    /// ``tokenState(of:)``.
    public var tokenResync: Bool {
        get { settings.withValue { $0.resyncs } }
        set { settings.withValue { $0.resyncs = newValue } }
    }

    /// The APNs environment of device tokens; with `nil`, the default, the environment is unspecified.
    ///
    /// If the value changes from one environment to the other, the token counts as a new token when the app delegate's
    /// method next receives it, and is sent to all servers that accept tokens.
    public var environment: APNsEnvironment? {
        get { settings.withValue { $0.environment } }
        set { settings.withValue { $0.environment = newValue } }
    }

    /// The names of an operator's push configurations, for apps with several bundle identifiers.
    ///
    /// When a registration or a device token is sent, the payload of the interceptors' `action` contains the name
    /// for ``topic`` under `providerName`. An interceptor can pass the name on to a gateway. PingAM itself has no
    /// field for this name.
    public var providers: PushProviders {
        get { settings.withValue { $0.providers } }
        set { settings.withValue { $0.providers = newValue } }
    }

    /// The topic of the app's pushes; by default the app's bundle identifier.
    public var topic: String? {
        get { settings.withValue { $0.topic } }
        set { settings.withValue { $0.topic = newValue } }
    }

    /// Receives each step of a push, on any thread, for measurements of the delivery.
    ///
    /// The default is `nil`: nothing is measured.
    ///
    /// `FRAClient.callsBackOnMainQueue` has no effect on this closure. Pass each step to
    /// `MigrationRollout.record(_:)`, which creates an event from the step.
    public var onMilestone: (@Sendable (PushMilestone) -> Void)? {
        get { settings.withValue { $0.onMilestone } }
        set { settings.withValue { $0.onMilestone = newValue } }
    }

    private var settings: Lock<Authenticator.PushOptions> { authenticator.configuration.push }

    /// Returns whether the server of a mechanism has the device token and, if it does not, why.
    ///
    /// The token is sent again only when the app passes it to this class, normally at a launch. A server that was
    /// unreachable receives the token at the next launch. A server that rejected the token receives it at the first
    /// launch after an hour, and after further rejections at the first launch after seven and a half days.
    /// - Parameter mechanism: The mechanism.
    /// - Returns: The state, or `nil` if the mechanism is not stored. If the store cannot be read, the error
    ///   is logged and the result is `nil`. If the state is `userUnknown`, call ``setUserId(_:for:)``.
    public func tokenState(of mechanism: PushMechanism) -> DeviceTokenState? {
        let id = mechanism.value.mechanismUUID
        return authenticator.loggingFailure("Reading the device token", default: nil) {
            try authenticator.read { view in try view.pushCredential(id: id).map(view.tokenState) }
        }
    }

    /// Stores the name that a mechanism's user has at the server; the next launch sends the name with the
    /// device token.
    ///
    /// Servers with AM 8.0.1 or later require the user name with a new device token.
    /// - Parameters:
    ///   - userId: The user name at the server.
    ///   - mechanism: The mechanism.
    /// - Returns: Whether the user name was stored. The result is `false` if the mechanism is not stored, or if the
    ///   storage fails; a failure is logged.
    @discardableResult
    public func setUserId(_ userId: String, for mechanism: PushMechanism) -> Bool {
        let id = mechanism.value.mechanismUUID
        return authenticator.loggingFailure("Storing a user's name", default: false) {
            try authenticator.write { try $0.setUserId(userId, ofCredential: id) }
        }
    }

    /// Stores the device token and sends it to the servers that do not have it.
    ///
    /// The method returns as soon as the token is stored. The requests run in the background, and failures
    /// are logged. The store records which servers accepted the token, so a call at every launch sends the
    /// token only to the other servers. AM 8.0.1 and later accept a new token (`_action=refresh`).
    /// - Parameters:
    ///   - application: Not used.
    ///   - deviceToken: The token's bytes. They are stored as upper-case hexadecimal.
    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        didRegister(deviceToken)
    }

    /// Removes the device token, as the legacy SDK does.
    ///
    /// To find out why APNs issued no token, create `PushRegistrationFailure(error)`.
    /// - Parameters:
    ///   - application: Not used.
    ///   - error: Not used.
    public func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        clearDeviceToken()
    }

    /// Verifies and stores a push; the call blocks until the push is stored.
    ///
    /// The push is a JWT (RFC 7519) that is signed with HS256 and the mechanism's secret.
    ///
    /// ```swift
    /// let push = FRAPushHandler.shared.application(application, didReceiveRemoteNotification: userInfo)
    /// if let push { show(push.messageId) }
    /// ```
    ///
    /// - Parameters:
    ///   - application: Not used.
    ///   - userInfo: The payload. Its member `aps` contains the message id under `messageId`, and the JWT
    ///     under `data`.
    /// - Returns: The notification. If the push was received before, this is the notification that is already
    ///   stored. The result is `nil` if the push is not PingAM's. It is also `nil`, and a message is logged, if the
    ///   push is malformed, if its mechanism is not stored, if its signature is invalid, or if the storage fails.
    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) -> PushNotification? {
        didReceive(userInfo)
    }

    /// The device token, even if some servers do not have it yet; `nil` if no token is stored.
    ///
    /// A token from APNs is in upper-case hexadecimal. If the storage fails, the error is logged and the value is
    /// `nil`.
    public var deviceToken: String? {
        authenticator.loggingFailure("Reading the device token", default: nil) {
            try authenticator.read { try $0.deviceToken() }?.tokenId
        }
    }

    /// Stores a device token and sends it to the server of one mechanism.
    ///
    /// One of the callbacks is called, once, on a background queue; if no request was sent, `onFailure` is called
    /// on the caller's thread. `onFailure` receives ``PushNotificationError/storageError(_:)`` if the mechanism is
    /// not stored or the storage failed, `NetworkError.apiRequestFailure` if the server rejected the token, and
    /// `URLError` if the server did not respond.
    /// - Parameters:
    ///   - mechanism: The mechanism.
    ///   - deviceToken: The token, which is sent and stored unchanged: a token from APNs in hexadecimal, or a
    ///     token from another service.
    ///   - onSuccess: Called after the server has accepted the token.
    ///   - onFailure: Receives the error.
    public func updateDeviceToken(
        mechanism: PushMechanism,
        deviceToken: String,
        onSuccess: @escaping SuccessCallback,
        onFailure: @escaping ErrorCallback
    ) {
        authenticator.update(deviceToken, for: mechanism, Callbacks(onSuccess, onFailure))
    }

    /// Stores a device token and sends it to the servers of all mechanisms.
    ///
    /// One of the callbacks is called on the main queue, after the requests to all servers have ended. If
    /// some servers did not accept the token, `onFailure` receives
    /// ``PushNotificationError/updateFailed(errors:)`` with the errors of these servers. If there is no
    /// mechanism, or if the storage failed, `onFailure` receives ``PushNotificationError/storageError(_:)``.
    /// - Parameters:
    ///   - deviceToken: The token, which is sent and stored unchanged: a token from APNs in hexadecimal, or a
    ///     token from another service.
    ///   - onSuccess: Called after all servers have accepted the token.
    ///   - onFailure: Receives the error.
    public func updateDeviceToken(
        deviceToken: String,
        onSuccess: @escaping SuccessCallback,
        onFailure: @escaping ErrorCallback
    ) {
        authenticator.update(deviceToken, Callbacks(onSuccess, onFailure))
    }

    /// Stores the device token and sends it to the servers that do not have it.
    ///
    /// Unlike the app delegate's method, this method does not need the application object, which only the main
    /// thread may access.
    ///
    /// Calls `whenSent` once, on any thread: when all requests have ended, or if the token could not be stored.
    package func didRegister(_ deviceToken: Data, whenSent: @escaping @Sendable () -> Void = {}) {
        let token = deviceToken.hexadecimal.uppercased()
        let isStored = authenticator.loggingFailure("Storing the device token", default: false) {
            try authenticator.register(token, whenSent: whenSent)
            return true
        }
        if !isStored { whenSent() }
    }

    /// Verifies and stores a push; the call blocks until the push is stored.
    ///
    /// Unlike the app delegate's method, this method does not need the application object, which only the main
    /// thread may access.
    package func didReceive(_ userInfo: [AnyHashable: Any]) -> PushNotification? {
        authenticator.finishMigration()
        return authenticator.loggingFailure("Receiving a push", default: nil) {
            try authenticator.receive(userInfo)
        }
    }

    /// Removes the stored device token.
    public func clearDeviceToken() {
        authenticator.loggingFailure("Removing the device token", default: ()) {
            _ = try authenticator.write { try $0.removeDeviceToken() }
        }
    }
}

#if !canImport(UIKit)

/// Replaces UIKit's application, so that an app's source compiles on platforms without UIKit.
public final class UIApplication: NSObject, Sendable {
    /// The only instance.
    public static let shared = UIApplication()
}
#endif

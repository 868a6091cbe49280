public import FRCore
public import Foundation
public import PushBridgeCore
import PushBridgePlatform

#if canImport(UIKit)
public import UIKit
#endif

/// Receives the app delegate's calls about pushes: the device token, and the pushes themselves.
///
/// Safe to use from any thread. Works before ``FRAClient/start()`` too, as app delegates may be called first.
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

    /// Creates a handler for assigning to ``shared``, as tests of apps do; it works on the same accounts.
    override public convenience init() { self.init(nil) }

    /// A separate handler; an app uses ``shared``.
    package init(_ authenticator: Authenticator?) {
        own = authenticator
    }

    /// Whether the client sends the device token again to servers that received it a week ago, each in its own hour of
    /// the day; `false` by default.
    ///
    /// An app learns this way that a server no longer sends pushes to this device: see ``tokenState(of:)``.
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
    /// Interceptors get the one of ``topic`` as `providerName` in the payload of the action, when a mechanism is
    /// registered and when a device token is sent, so that they can name it to a gateway; PingAM itself has no field
    /// for it.
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
    /// `FRAClient.callsBackOnMainQueue` has no effect on it.
    /// `MigrationRollout.record(_:)` makes an event of each.
    public var onMilestone: (@Sendable (PushMilestone) -> Void)? {
        get { settings.withValue { $0.onMilestone } }
        set { settings.withValue { $0.onMilestone = newValue } }
    }

    private var settings: Lock<Authenticator.PushSettings> { authenticator.configuration.push }

    /// Whether the server of a mechanism has the device token, and if not, why.
    ///
    /// A server that rejected the token is retried at a launch after an hour, and later every seven and a half days;
    /// one that could not be reached, at the next launch.
    /// - Parameter mechanism: The mechanism.
    /// - Returns: The state; of `userUnknown`, ``setUserId(_:for:)`` is the way out. `nil` if the mechanism is not
    ///   stored, or the store cannot be read, which is logged.
    public func tokenState(of mechanism: PushMechanism) -> DeviceTokenState? {
        let id = mechanism.value.mechanismUUID
        return authenticator.attempt("Reading the device token", or: nil) {
            try authenticator.read { view in try view.pushCredential(id: id).map(view.tokenState) }
        }
    }

    /// Stores the name under which a mechanism's server knows its user, which servers since AM 8.0.1 ask for with a new
    /// device token; the next launch sends it.
    /// - Parameters:
    ///   - userId: The name of the user's identity at the server.
    ///   - mechanism: The mechanism.
    /// - Returns: Whether it was stored; a failure is logged.
    @discardableResult
    public func setUserId(_ userId: String, for mechanism: PushMechanism) -> Bool {
        let id = mechanism.value.mechanismUUID
        return authenticator.attempt("Storing a user's name", or: false) {
            try authenticator.write { try $0.setUserId(userId, ofCredential: id) }
        }
    }

    /// Stores the device token and sends it to those servers that do not know it.
    ///
    /// Returns as soon as the token is stored; requests run in the background, and failures are logged. Servers that
    /// accepted a token are remembered, so calling at every launch tells only the others. Servers take a new token
    /// (`_action=refresh`) since AM 8.0.1.
    /// - Parameters:
    ///   - application: Not used.
    ///   - deviceToken: The token's bytes; stored as upper-case hexadecimal.
    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        didRegister(deviceToken)
    }

    /// Removes the device token, as the legacy SDK does; `PushRegistrationFailure(error)` contains the reason why there
    /// is none.
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
    /// - Returns: The notification, for a repeated push the one that is stored already; `nil` if the push is not
    ///   PingAM's, is for no known mechanism, is signed wrongly, or if the storage fails; the last three are logged.
    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) -> PushNotification? {
        didReceive(userInfo)
    }

    /// The device token, whether or not every server has it; the system's is in upper-case hexadecimal.
    public var deviceToken: String? {
        authenticator.attempt("Reading the device token", or: nil) {
            try authenticator.read { try $0.deviceToken() }?.tokenId
        }
    }

    /// Stores a device token and sends it to the server of one mechanism.
    ///
    /// Calls one callback once: on a background queue, or on the caller's thread with an error found before a request
    /// is sent. `onFailure` gets ``PushNotificationError/storageError(_:)`` if the mechanism is not stored or the
    /// storage failed, and `NetworkError.apiRequestFailure` if the server refused, `URLError` if it did not answer.
    /// - Parameters:
    ///   - mechanism: The mechanism.
    ///   - deviceToken: The token, which is sent and stored as given: the system's in hexadecimal, or one of another service.
    ///   - onSuccess: Called when the server accepted the token.
    ///   - onFailure: Gets the reason.
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
    /// All servers receive a request before a callback is called. `onFailure` gets
    /// ``PushNotificationError/updateFailed(errors:)`` with the reasons of those that did not accept, and
    /// ``PushNotificationError/storageError(_:)`` if there is no mechanism or the storage failed.
    /// - Parameters:
    ///   - deviceToken: The token, which is sent and stored as given: the system's in hexadecimal, or one of another service.
    ///   - onSuccess: Called when all servers accepted the token.
    ///   - onFailure: Gets the reason.
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

    /// Forgets the device token.
    public func clearDeviceToken() {
        authenticator.attempt("Removing the device token", or: ()) {
            _ = try authenticator.write { try $0.removeDeviceToken() }
        }
    }
}

#if !canImport(UIKit)

/// Replaces UIKit's application, so that the source of an app compiles on platforms without UIKit.
public final class UIApplication: NSObject, Sendable {
    /// The only one.
    public static let shared = UIApplication()
}
#endif

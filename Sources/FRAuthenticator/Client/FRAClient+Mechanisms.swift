public import FRCore
public import Foundation
import PushBridgeCore

extension FRAClient {
    /// Makes the mechanisms of a registration code (`otpauth`, `pushauth` or `mfauth`) and stores them.
    ///
    /// Exactly one callback is called. A one-time password is there at once, on the caller's thread; so is every
    /// error found before anything is sent. Push mechanisms, and what goes wrong with them, come on a background
    /// queue. A code of both kinds reports its push mechanism.
    public func createMechanismFromUri(
        uri: URL,
        onSuccess: @escaping MechanismCallback,
        onError: @escaping ErrorCallback
    ) {
        authenticator.enrol(uri, Callbacks(onSuccess, onError))
    }

    /// The mechanism that answers a notification, with its notifications.
    public func getMechanism(notification: PushNotification) -> PushMechanism? {
        authenticator.attempt("Reading a mechanism", or: nil) {
            try authenticator.pushMechanism(id: notification.mechanismUUID)
        }
    }

    /// Removes a mechanism and its notifications; answers whether there was one.
    @discardableResult
    public func removeMechanism(mechanism: Mechanism) -> Bool {
        authenticator.attempt("Removing a mechanism", or: false) { try authenticator.remove(mechanism.value) }
    }

    /// The notifications of a mechanism, oldest first.
    public func getAllNotifications(mechanism: Mechanism) -> [PushNotification] {
        authenticator.attempt("Reading notifications", or: []) {
            try authenticator.notifications(NotificationQuery(credentialId: mechanism.mechanismUUID))
        }
    }

    /// All notifications, oldest first.
    public func getAllNotifications() -> [PushNotification] {
        authenticator.attempt("Reading notifications", or: []) { try authenticator.notifications(.all) }
    }

    /// The notification with an identifier.
    public func getNotification(identifier: String) -> PushNotification? {
        authenticator.attempt("Reading a notification", or: nil) {
            try authenticator.notification(identifier: identifier)
        }
    }

    /// Removes a notification; answers whether there was one.
    @discardableResult
    public func removeNotification(notification: PushNotification) -> Bool {
        authenticator.attempt("Removing a notification", or: false) { try authenticator.remove(notification) }
    }
}

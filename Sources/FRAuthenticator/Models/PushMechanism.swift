import Foundation
import PushBridgeCore
import PushBridgePlatform

/// A mechanism that answers pushes, with a snapshot of its notifications.
///
/// The snapshot is read together with the mechanism. If the notifications are in an app's own storage, the
/// snapshot is read when it is first used.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class PushMechanism: Mechanism, @unchecked Sendable {
    private let received = Lock<[PushBridgeCore.PushNotification]?>(nil)
    private let objects = Lock<[PushNotification]?>(nil)

    override class var kind: LegacyRecordKind? { .push }

    convenience init(
        _ mechanism: LegacyMechanism,
        notifications: [PushBridgeCore.PushNotification]?,
        origin: Authenticator?
    ) {
        self.init(mechanism, origin: origin)
        received.withValue { $0 = notifications }
    }

    /// Always `true`, because the class conforms to `NSSecureCoding`.
    override public class var supportsSecureCoding: Bool { true }

    /// The pushes for this mechanism.
    ///
    /// The oldest push is first. If the pushes are in an app's own storage, they are in the order of that
    /// storage instead. Setting this property changes only this object.
    public var notifications: [PushNotification] {
        // The objects are created when they are first used, because a list of accounts seldom needs them.
        get {
            if let objects = objects.withValue({ $0 }) { return objects }
            let made = received.withValue { $0 }.map(show) ?? read()
            return objects.withValue { objects in
                objects = objects ?? made
                return objects ?? made
            }
        }
        set { objects.withValue { $0 = newValue } }
    }

    private func show(_ notifications: [PushBridgeCore.PushNotification]) -> [PushNotification] {
        notifications.map { PushNotification($0, storedId: $0.id, origin: origin) }
    }

    private func read() -> [PushNotification] {
        guard let origin else { return [] }
        return origin.loggingFailure("Reading notifications", default: []) {
            try origin.notifications(of: self)
        }
    }

    /// The pushes that have not been answered, in the order of ``notifications``.
    public var pendingNotifications: [PushNotification] { notifications.filter(\.isPending) }
}

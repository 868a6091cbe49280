import Foundation
import PushBridgeCore
import PushBridgePlatform

/// A mechanism that answers pushes, with its notifications as read at one moment.
///
/// The notifications are read together with the mechanism or, from an app's own storage, at the first access.
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

    /// `true`.
    override public class var supportsSecureCoding: Bool { true }

    /// The pushes for this mechanism, oldest first or in the order of the app's own storage; setting them changes this
    /// object only.
    public var notifications: [PushNotification] {
        // Created at the first access, because lists of accounts seldom need them.
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
        return origin.attempt("Reading notifications", or: []) { try origin.notifications(of: self) }
    }

    /// The pushes that are not answered, oldest first.
    public var pendingNotifications: [PushNotification] { notifications.filter(\.isPending) }
}

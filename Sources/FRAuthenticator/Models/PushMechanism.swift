import PushBridgeCore
import PushBridgePlatform

/// A mechanism that answers pushes, with its notifications as read at one moment.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class PushMechanism: Mechanism, @unchecked Sendable {
    private let received = Lock<[PushBridgeCore.PushNotification]>([])
    private let objects = Lock<[PushNotification]?>(nil)

    override class var kind: LegacyRecordKind? { .push }

    convenience init(
        _ mechanism: LegacyMechanism,
        notifications: [PushBridgeCore.PushNotification],
        origin: Authenticator?
    ) {
        self.init(mechanism, origin: origin)
        received.withValue { $0 = notifications }
    }

    /// `true`.
    override public class var supportsSecureCoding: Bool { true }

    /// The pushes for this mechanism, oldest first; setting them changes this object only.
    public var notifications: [PushNotification] {
        // Made when they are first asked for: who lists accounts seldom looks at them.
        get {
            objects.withValue { objects in
                if let objects { return objects }
                let made = received.withValue { $0 }.map { PushNotification($0, origin: origin) }
                objects = made
                return made
            }
        }
        set { objects.withValue { $0 = newValue } }
    }

    /// The pushes that are not answered, oldest first.
    public var pendingNotifications: [PushNotification] { notifications.filter(\.isPending) }
}

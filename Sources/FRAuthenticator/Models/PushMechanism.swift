import AuthenticatorCore

/// A mechanism that answers pushes, with its notifications as read at one moment.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class PushMechanism: Mechanism {
    private let received = Lock<[PushNotification]>([])

    override class var kind: LegacyRecordKind? { .push }

    convenience init(_ mechanism: LegacyMechanism, notifications: [PushNotification], origin: Authenticator?)
    {
        self.init(mechanism, origin: origin)
        received.withValue { $0 = notifications }
    }

    /// `true`.
    override public class var supportsSecureCoding: Bool { true }

    /// The pushes for this mechanism, oldest first.
    public var notifications: [PushNotification] { received.withValue { $0 } }

    /// The pushes that are not answered, oldest first.
    public var pendingNotifications: [PushNotification] { notifications.filter(\.isPending) }
}

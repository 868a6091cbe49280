import PushBridgeCore
import PushBridgePlatform

/// A mechanism that answers pushes, with its notifications as read at one moment.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class PushMechanism: Mechanism, @unchecked Sendable {
    private let received = Lock(Received.objects([]))

    override class var kind: LegacyRecordKind? { .push }

    convenience init(
        _ mechanism: LegacyMechanism,
        notifications: ReadNotifications?,
        origin: Authenticator?
    ) {
        self.init(mechanism, origin: origin)
        if let notifications { received.withValue { $0 = .values(notifications) } }
    }

    /// `true`.
    override public class var supportsSecureCoding: Bool { true }

    /// The pushes for this mechanism, oldest first.
    public var notifications: [PushNotification] {
        received.withValue { received in
            switch received {
            case .objects(let objects):
                return objects
            case .values(let values):
                let objects = values.notifications(of: mechanismUUID)
                    .map { PushNotification($0, origin: origin) }
                received = .objects(objects)
                return objects
            }
        }
    }

    /// The pushes that are not answered, oldest first.
    public var pendingNotifications: [PushNotification] { notifications.filter(\.isPending) }

    /// The notifications as read, until someone asks for the objects.
    private enum Received {
        case values(ReadNotifications)
        case objects([PushNotification])
    }
}

/// The notifications that were read together with accounts.
///
/// They are sorted out by mechanism when someone looks at the first of them: who lists accounts seldom does.
final class ReadNotifications: Sendable {
    private let state: Lock<State>

    /// Takes notifications of any mechanisms, oldest first.
    init(_ all: [PushBridgeCore.PushNotification]) {
        state = Lock(.together(all))
    }

    /// Takes notifications by mechanism, oldest first.
    init(byMechanism notifications: [String: [PushBridgeCore.PushNotification]]) {
        state = Lock(.byMechanism(notifications))
    }

    /// The notifications of a mechanism, oldest first.
    func notifications(of id: String) -> [PushBridgeCore.PushNotification] {
        state.withValue { state in
            switch state {
            case .byMechanism(let notifications):
                return notifications[id] ?? []
            case .together(let all):
                let notifications = Dictionary(grouping: all, by: \.credentialId)
                state = .byMechanism(notifications)
                return notifications[id] ?? []
            }
        }
    }

    private enum State {
        case together([PushBridgeCore.PushNotification])
        case byMechanism([String: [PushBridgeCore.PushNotification]])
    }
}

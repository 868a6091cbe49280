import PushBridgeCore
import PushBridgePlatform

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

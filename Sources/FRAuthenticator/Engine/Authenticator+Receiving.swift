import Foundation
import PushBridgeCore

extension Authenticator {
    /// Verifies and stores a push; `nil` if it is not ours.
    ///
    /// Untyped because the platform hands payloads out so; it becomes a typed value at once.
    func receive(_ userInfo: [AnyHashable: Any]) throws -> PushNotification? {
        guard let payload = PushPayload(.payload(userInfo)), let push = try UnverifiedPush(payload) else {
            return nil
        }
        let received = try store().receive(push, id: UUID().uuidString, receivedAt: configuration.now())
        return object(received)
    }
}

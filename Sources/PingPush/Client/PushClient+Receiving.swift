import Foundation
import Logging

extension PushClient {
    /// Verifies and stores a push as `UNNotificationContent.userInfo` holds it; `nil` if it is not ours.
    ///
    /// Throws ``PushError/messageParsingFailed(_:)`` for a push that is refused, with nothing of it stored. A
    /// repeated push is the notification that is stored already.
    public func processNotification(userInfo: [AnyHashable: Any]) async throws -> PushNotification? {
        try process(PushPayload(.payload(userInfo)))
    }

    /// Verifies and stores a push; see ``processNotification(userInfo:)``.
    ///
    /// Untyped because call sites of the API hold such dictionaries; it becomes a typed value at once.
    public func processNotification(messageData: [String: Any]) async throws -> PushNotification? {
        try process(PushPayload(.payload(messageData)))
    }

    /// Verifies and stores a push that is the payload's JSON; see ``processNotification(userInfo:)``.
    public func processNotification(message: String) async throws -> PushNotification? {
        let payload: PushPayload?
        do {
            payload = try PushPayload(json: Data(message.utf8))
        } catch {
            throw PushError(error)
        }
        return try process(payload)
    }

    private func process(_ payload: PushPayload?) throws -> PushNotification? {
        let store = try openStore()
        let notification: PushNotification
        do {
            guard let payload, let push = try UnverifiedPush(payload) else { return nil }
            defer { forgetCredentials() }
            notification = try storing {
                try store.receive(push, id: UUID().uuidString, receivedAt: configuration.now())
            }
        } catch let error as PushReceptionError {
            throw PushError(error)
        }
        cleanUpAutomatically()
        announcePending()
        return notification
    }

    /// A failure is logged, because the push itself is stored.
    private func cleanUpAutomatically() {
        let rule = configuration.notificationCleanupConfig.rule
        guard rule != .none else { return }
        do {
            _ = try write { try $0.cleanUpNotifications(rule, at: configuration.now()) }
        } catch {
            configuration.logger?.error("Old notifications stay: \(error.localizedDescription)")
        }
    }
}

import Foundation
import Logging

extension PushClient {
    /// Verifies and stores a push as `UNNotificationContent.userInfo` holds it; `nil` if it is not ours.
    ///
    /// Throws ``PushError/messageParsingFailed(_:)`` for a push that is refused, with nothing of it stored. A
    /// repeated push is the notification that is stored already.
    public func processNotification(userInfo: [AnyHashable: Any]) async throws -> PushNotification? {
        let handled = try configuration.customPushHandlers.parse(messageData: userInfo.named)
        return try await process(handled, PushPayload(.payload(userInfo)))
    }

    /// Verifies and stores a push; see ``processNotification(userInfo:)``.
    ///
    /// Untyped because call sites of the API hold such dictionaries; it becomes a typed value at once.
    public func processNotification(messageData: [String: Any]) async throws -> PushNotification? {
        let handled = try configuration.customPushHandlers.parse(messageData: messageData)
        return try await process(handled, PushPayload(.payload(messageData)))
    }

    /// Verifies and stores a push that is the payload's JSON; see ``processNotification(userInfo:)``.
    public func processNotification(message: String) async throws -> PushNotification? {
        if let handled = try configuration.customPushHandlers.parse(message: message) {
            return try await store(handled)
        }
        let payload: PushPayload?
        do {
            payload = try PushPayload(json: Data(message.utf8))
        } catch {
            throw PushError(error)
        }
        return try await process(nil, payload)
    }

    private func process(_ handled: HandledMessage?, _ payload: PushPayload?) async throws
        -> PushNotification?
    {
        if let handled { return try await store(handled) }
        _ = try openStorage()
        do {
            guard let payload, let push = try UnverifiedPush(payload) else { return nil }
            let now = configuration.now()
            return try await receive(push.messageId) { view in
                try view.receive(push, id: UUID().uuidString, receivedAt: now)
            }
        } catch let error as PushReceptionError {
            throw PushError(error)
        }
    }

    private func store(_ handled: HandledMessage) async throws -> PushNotification {
        let now = configuration.now()
        return try await receive(handled.messageId) { view in
            try view.store(handled, id: UUID().uuidString, receivedAt: now)
        }
    }

    private func receive(
        _ messageId: String,
        _ body: @escaping @Sendable (any CredentialWriting) throws -> PushNotification
    ) async throws -> PushNotification {
        let rule = configuration.notificationCleanupConfig.rule
        let storage = try openStorage()
        guard storage.isCredentialStore, rule != .none else {
            let notification = try await write(.message(messageId), body)
            if rule != .none { await cleanUp(rule, sparing: notification) }
            return notification
        }
        // One transaction waits for the disk once.
        let now = configuration.now()
        return try await write(.everything) { view in
            let notification = try body(view)
            try view.cleanUpNotifications(rule, sparing: notification, at: now)
            return notification
        }
    }

    /// A failure is logged, because the push itself is stored.
    private func cleanUp(_ rule: NotificationCleanup, sparing notification: PushNotification) async {
        let now = configuration.now()
        do {
            try await write(.everything) { try $0.cleanUpNotifications(rule, sparing: notification, at: now) }
        } catch {
            configuration.logger?.error("Old notifications stay: \(error.localizedDescription)")
        }
    }
}

extension [AnyHashable: Any] {
    /// The members whose names are text, as handlers get them.
    fileprivate var named: [String: Any] {
        reduce(into: [:]) { named, member in
            if let name = member.key as? String { named[name] = member.value }
        }
    }
}

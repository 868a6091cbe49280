import Foundation
import PingLogger
public import PushBridgeCore
import PushBridgeStore

extension PushClient {
    /// Verifies and stores a push as `UNNotificationContent.userInfo` holds it, and removes old ones.
    /// - Parameter userInfo: The payload.
    /// - Returns: The notification, for a repeated push the one that is stored already; `nil` if the push is not ours.
    /// - Throws: ``PushError/messageParsingFailed(_:)`` for a push that is refused, with nothing of it stored, and
    ///   ``PushStorageError``.
    public func processNotification(userInfo: [AnyHashable: Any]) async throws -> PushNotification? {
        let handled = try configuration.customPushHandlers.parse(messageData: userInfo.lifted)
        return try await process(handled, PushPayload(lifted: .payload(userInfo)))
    }

    /// Verifies and stores a push; see ``processNotification(userInfo:)``.
    ///
    /// Untyped because call sites of the API hold such dictionaries; it becomes a typed value at once.
    /// - Parameter messageData: The payload, or its token under `message` beside its `messageId`.
    /// - Returns: The notification; `nil` if the push is not ours.
    /// - Throws: The errors of ``processNotification(userInfo:)``.
    public func processNotification(messageData: [String: Any]) async throws -> PushNotification? {
        let handled = try configuration.customPushHandlers.parse(messageData: messageData)
        return try await process(handled, PushPayload(lifted: .payload(messageData)))
    }

    /// Verifies and stores a push that is the payload's JSON, or its token; see ``processNotification(userInfo:)``.
    public func processNotification(message: String) async throws -> PushNotification? {
        if let handled = try configuration.customPushHandlers.parse(message: message) {
            return try await store(handled)
        }
        let payload: PushPayload?
        do {
            payload = try PushPayload(text: message)
        } catch {
            throw PushError(error)
        }
        return try await process(nil, payload)
    }

    private func process(_ handled: HandledMessage?, _ payload: PushPayload?) async throws
        -> PushNotification?
    {
        if let handled { return try await store(handled) }
        try core.checkOpen()
        do {
            guard let payload, let push = try UnverifiedPush(payload) else { return nil }
            let demands = [
                RecordDemand(.push, RecordQuery(id: push.claimedCredentialId)),
                RecordDemand(.notification, RecordQuery(alias: push.messageId)),
            ]
            return try await receive(demands) { view, id, now in
                try view.receive(push, id: id, receivedAt: now)
            }
        } catch let error as PushReceptionError {
            throw PushError(error)
        }
    }

    private func store(_ handled: HandledMessage) async throws -> PushNotification {
        try await receive([]) { view, id, now in try view.store(handled, id: id, receivedAt: now) }
    }

    /// Stores a push and removes old ones in one transaction, which waits for the disk once.
    private func receive(
        _ demands: [RecordDemand],
        _ body:
            @escaping @Sendable (any CredentialWriting, _ id: String, _ now: Date) throws -> PushNotification
    ) async throws -> PushNotification {
        let rule = configuration.notificationCleanupConfig.rule
        let (id, now) = (UUID().uuidString, configuration.now())
        let counting = rule.maximum == nil ? [] : [RecordDemand(.notification, countsOnly: true)]
        let demands = demands + [.new(.notification, id: id)] + counting
        return try await core.write(demands) { view in
            let notification = try body(view, id, now)
            try view.cleanUpNotifications(rule, sparing: notification, at: now)
            return notification
        }
    }
}

extension PushClient {
    /// The notifications that are not answered.
    /// - Returns: The notifications that can be read, oldest first.
    /// - Throws: ``PushStorageError`` if the storage fails.
    public func getPendingNotifications() async throws -> [PushNotification] {
        try await core.read { try $0.notifications(.pending).values }
    }

    /// All notifications.
    /// - Returns: The notifications that can be read, oldest first.
    /// - Throws: ``PushStorageError`` if the storage fails.
    public func getAllNotifications() async throws -> [PushNotification] {
        try await core.read { try $0.notifications(.all).values }
    }

    /// The notification with an id.
    /// - Parameter notificationId: The notification's id.
    /// - Returns: The notification; `nil` if there is none.
    /// - Throws: ``PushStorageError`` if the storage fails.
    public func getNotification(_ notificationId: String) async throws -> PushNotification? {
        try await core.read { try $0.notification(id: notificationId) }
    }

    /// The notification with an id; see ``getNotification(_:)``.
    public func getNotification(notificationId: String) async throws -> PushNotification? {
        try await getNotification(notificationId)
    }

    /// Removes old notifications as the configuration says.
    /// - Parameter credentialId: The credential whose notifications are concerned; `nil` is all.
    /// - Returns: How many were removed.
    /// - Throws: ``PushStorageError`` if the storage fails.
    @discardableResult
    public func cleanupNotifications(credentialId: String? = nil) async throws -> Int {
        let rule = configuration.notificationCleanupConfig.rule
        let now = configuration.now()
        return try await core.write { view in
            try view.cleanUpNotifications(rule, credentialId: credentialId, at: now)
        }
    }
}

extension [AnyHashable: Any] {
    /// The members whose names are text, as handlers get them: the push's own are lifted out of `aps`.
    ///
    /// Untyped because it goes to the app's own handlers only, whose protocol is the SDK's.
    fileprivate var lifted: [String: Any] {
        var lifted: [String: Any] = [:]
        for (name, value) in self {
            if let name = name as? String { lifted[name] = value }
        }
        guard let aps = self["aps"] as? [AnyHashable: Any] else { return lifted }
        lifted["message"] = aps["data"] ?? lifted["message"]
        lifted["messageId"] = aps["messageId"] ?? lifted["messageId"]
        lifted["extra"] = aps["extra"] ?? lifted["extra"]
        return lifted
    }
}

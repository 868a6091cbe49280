import Foundation
import PingLogger
import PushBridgeClients
public import PushBridgeCore

extension PushClient {
    /// Verifies and stores a push from `UNNotificationContent.userInfo`, and removes old pushes.
    ///
    /// ```swift
    /// if let push = try await client.processNotification(userInfo: userInfo) {
    ///     show(push.messageText ?? push.messageId)
    /// }
    /// ```
    ///
    /// - Parameter userInfo: The payload.
    /// - Returns: The notification. If the push was already processed, this is the stored notification. `nil` for a
    ///   foreign push, which is not PingAM's and which no custom handler accepts. A push whose token lacks a challenge
    ///   or a credential id also counts as foreign.
    /// - Throws: ``PushError/messageParsingFailed(_:)`` for an invalid push, which is not stored, and
    ///   ``PushStorageError`` if the storage fails.
    public func processNotification(userInfo: [AnyHashable: Any]) async throws -> PushNotification? {
        try core.checkOpen()
        return try await notification {
            try ParsedPush(userInfo, configuration.customPushHandlers)
        }
    }

    /// Verifies and stores a push; see ``processNotification(userInfo:)``.
    ///
    /// The argument is untyped because existing call sites pass an untyped dictionary.
    /// - Parameter messageData: The payload, or a dictionary with the push's token under `message` and the
    ///   push's id under `messageId`.
    /// - Returns: The notification; `nil` for a foreign push.
    /// - Throws: The errors of ``processNotification(userInfo:)``.
    public func processNotification(messageData: [String: Any]) async throws -> PushNotification? {
        try core.checkOpen()
        let handled = try configuration.customPushHandlers.parse(messageData: messageData)
        return try await notification {
            try handled.map(ParsedPush.handled) ?? ParsedPush(PushPayload(lifted: .payload(messageData)))
        }
    }

    /// Verifies and stores a push in the form of text; see ``processNotification(userInfo:)``.
    /// - Parameter message: The payload as JSON, or only the payload's token (a JWT, RFC 7519).
    /// - Returns: The notification; `nil` for a foreign push.
    /// - Throws: The errors of ``processNotification(userInfo:)``.
    public func processNotification(message: String) async throws -> PushNotification? {
        try core.checkOpen()
        let handled = try configuration.customPushHandlers.parse(message: message)
        return try await notification {
            try handled.map(ParsedPush.handled) ?? ParsedPush(text: message)
        }
    }

    /// Stores a push and returns its notification; `nil` for a foreign push.
    ///
    /// As in the SDK, a token without a challenge or a credential id counts as foreign.
    private func notification(_ incoming: () throws -> ParsedPush?) async throws -> PushNotification? {
        do {
            guard let push = try incoming() else { return nil }
            return try await receive(push).notification
        } catch let error as PushError {
            let isForeign = ["u", "c"].contains { error == PushError(.missingClaim($0)) }
            guard isForeign else { throw error }
            return nil
        }
    }

    /// Verifies and stores a push that arrived at `date` (`nil` means now), and reports its arrival to the app.
    func receive(_ push: ParsedPush, at date: Date? = nil) async throws -> ReceivedPush {
        let received: Swift.Result<ReceivedPush, any Error>
        do {
            received = .success(try await store(push, at: date))
        } catch {
            received = .failure(error)
        }
        measure(PushMilestone(PushArrival { try received.get() }))
        do {
            return try received.get()
        } catch let error as PushReceptionError {
            throw PushError(error)
        }
    }

    private func store(_ push: ParsedPush, at date: Date?) async throws -> ReceivedPush {
        let now = configuration.now()
        switch push {
        case .handled(let message):
            return try await receive([], now, of: message.credentialId) { view, id in
                try view.store(message, id: id, receivedAt: date ?? now)
            }
        case .pingAM(let push):
            let requests = [
                RecordRequest(.push, RecordQuery(id: push.claimedCredentialId)),
                RecordRequest(.notification, RecordQuery(alias: push.messageId)),
            ]
            return try await receive(requests, now, of: push.claimedCredentialId) { view, id in
                try view.receive(push, id: id, receivedAt: date ?? now)
            }
        }
    }

    /// Stores a push and removes old pushes of its credential in one transaction, so only one disk sync is
    /// needed.
    private func receive(
        _ requests: [RecordRequest],
        _ now: Date,
        of credentialId: String?,
        _ body: @escaping @Sendable (any CredentialWriting, _ id: String) throws -> ReceivedPush
    ) async throws -> ReceivedPush {
        let rule = configuration.notificationCleanupConfig.rule
        let id = UUID().uuidString
        let counting =
            rule.maximum == nil
            ? [] : [RecordRequest(.notification, RecordQuery(owner: credentialId), countsOnly: true)]
        let requests = requests + [.new(.notification, id: id)] + counting
        return try await core.write(requests) { view in
            let received = try body(view, id)
            let arrived = received.notification
            try view.cleanUpNotifications(
                rule,
                credentialId: arrived.credentialId,
                sparing: arrived,
                at: now
            )
            return received
        }
    }
}

extension PushClient {
    /// Returns the notifications that are neither answered nor expired, as in the successor SDK.
    ///
    /// The server may still accept an answer to an expired push; ``getAllNotifications()`` also returns these pushes.
    /// - Returns: The notifications that can be read, newest first or in the order of the app's own storage.
    /// - Throws: ``PushStorageError`` if the storage fails.
    public func getPendingNotifications() async throws -> [PushNotification] {
        let now = configuration.now()
        return try await core.read { try $0.pendingNotifications(at: now) }
    }

    /// Returns all notifications.
    /// - Returns: The notifications that can be read, newest first or in the order of the app's own storage.
    /// - Throws: ``PushStorageError`` if the storage fails.
    public func getAllNotifications() async throws -> [PushNotification] {
        try await core.read { try $0.notifications(.all).values.reversed() }
    }

    /// Returns the notification with an id.
    /// - Parameter notificationId: The notification's id.
    /// - Returns: The notification; `nil` if no notification has this id.
    /// - Throws: ``PushStorageError`` if the storage fails.
    public func getNotification(_ notificationId: String) async throws -> PushNotification? {
        try await core.read { try $0.notification(id: notificationId) }
    }

    /// Returns the notification with an id; see ``getNotification(_:)``.
    /// - Parameter notificationId: The notification's id.
    /// - Returns: The notification; `nil` if no notification has this id.
    /// - Throws: ``PushStorageError`` if the storage fails.
    @_disfavoredOverload
    public func getNotification(notificationId: String) async throws -> PushNotification? {
        try await getNotification(notificationId)
    }

    /// Removes old notifications according to the configuration.
    /// - Parameter credentialId: The credential whose notifications are cleaned up; `nil` means all credentials.
    /// - Returns: The number of removed notifications.
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

/// An unverified push: either a push in PingAM's format, or a push that one of the app's own handlers has
/// parsed.
enum ParsedPush: Sendable {
    case pingAM(UnverifiedPush)
    case handled(HandledMessage)

    /// Reads a payload in the platform's form; `nil` if the payload is not in PingAM's format and no handler
    /// accepts the payload.
    ///
    /// The argument is untyped because the platform's payloads are untyped.
    init?(_ userInfo: [AnyHashable: Any], _ handlers: PushHandlers) throws {
        if let handled = try handlers.parse(messageData: userInfo.lifted) {
            self = .handled(handled)
        } else {
            try self.init(PushPayload(lifted: .payload(userInfo)))
        }
    }

    /// Reads a push from the JSON of a payload, or from the payload's token alone; `nil` if the text is neither.
    init?(text: String) throws(PushError) {
        let payload: PushPayload?
        do {
            payload = try PushPayload(text: text)
        } catch {
            throw PushError(error)
        }
        try self.init(payload)
    }

    init?(_ payload: PushPayload?) throws(PushError) {
        switch payload?.incoming {
        case nil: return nil
        case .success(let push)?: self = .pingAM(push)
        case .failure(let error)?: throw PushError(error)
        }
    }
}

extension [AnyHashable: Any] {
    /// The members with string keys, in the form that handlers receive: the members of the push are copied from
    /// `aps` to the top level.
    ///
    /// The result is untyped, as in the SDK's protocol for handlers.
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

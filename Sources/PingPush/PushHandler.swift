import Foundation
public import PushBridgeCore

/// Serves pushes of another format or platform than PingAM's.
///
/// Written by the app and called from any thread. The untyped dictionaries are the API's own; what comes out of them is
/// checked before it is stored. A handler answers for the authenticity of what it parses: the client knows
/// no signature to check.
public protocol PushHandler: AnyObject, Sendable {
    /// Whether this handler takes the payload of a push, as `userInfo` holds it.
    func canHandle(messageData: [String: Any]) -> Bool
    /// Whether this handler takes a push that came as text.
    func canHandle(message: String) -> Bool

    /// The fields of the notification in a payload.
    ///
    /// `messageId` and `credentialId` (or `mechanismUid`) are required; `challenge`, `ttl` in seconds,
    /// `sentAt` in milliseconds since 1970, `messageText`, `customPayload`, `numbersChallenge`, `contextInfo`,
    /// `loadBalancer` and `pushType` are read where present, everything else is left alone. Throws
    /// ``PushError/messageParsingFailed(_:)``.
    func parseMessage(messageData: [String: Any]) throws -> [String: Any]
    /// The fields of the notification in a text; see the other spelling.
    func parseMessage(message: String) throws -> [String: Any]

    /// Tells the server that the user approved; `false` or an error leaves the push pending.
    ///
    /// `params` holds `challengeResponse` for a number the user chose, and `authenticationMethod` after local
    /// authentication.
    func sendApproval(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool

    /// Tells the server that the user denied; `false` or an error leaves the push pending.
    func sendDenial(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool

    /// Tells the server a new device token; `false` or an error has it told again next time.
    ///
    /// Called only on the handler that was configured for the credential's platform; `params` holds `deviceName`.
    func setDeviceToken(
        credential: PushCredential,
        deviceToken: String,
        params: [String: Any]
    ) async throws -> Bool

    /// Registers a credential; `false` or an error stores nothing.
    ///
    /// Called only on the handler that was configured for the credential's platform; `params` holds `messageId`,
    /// `challenge`, `deviceId` and `deviceName`.
    func register(
        credential: PushCredential,
        params: [String: Any]
    ) async throws -> Bool
}

/// The app's own handlers; each is asked, in order, whether it takes a push before PingAM's protocol is.
///
/// A dictionary names the platforms: `["PING_AM": handler]` also registers credentials and delivers device tokens in
/// place of the built-in handler. An array, as in `[CustomPushHandler()]`, takes pushes and answers them; its handlers
/// are known by their types' names. The name is stored with each notification, so a handler that answers pushes
/// has to be configured under the same name after the next launch as well. A variable is handed over as
/// `PushHandlers(variable)`.
public struct PushHandlers: Sendable {
    private var entries: [(name: String, handler: any PushHandler)]

    /// Handlers for all pushes that they take.
    public init(_ handlers: [any PushHandler]) {
        entries = handlers.map { (String(reflecting: type(of: $0)), $0) }
    }

    /// Handlers by platform, asked in the order of its name.
    public init(_ handlers: [String: any PushHandler]) {
        entries = handlers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Handlers by platform.
    public init(_ handlers: [PushPlatform: any PushHandler]) {
        self.init(Dictionary(uniqueKeysWithValues: handlers.map { ($0.key.rawValue, $0.value) }))
    }

    subscript(name: String) -> (any PushHandler)? {
        entries.first { $0.name == name }?.handler
    }

    subscript(platform: PushPlatform) -> (any PushHandler)? { self[platform.rawValue] }

    /// Throws for names that are empty or not unique.
    func check() throws(PushError) {
        var known: Set<String> = []
        for entry in entries {
            guard !entry.name.isEmpty, known.insert(entry.name).inserted else {
                throw .invalidPlatform(entry.name)
            }
        }
    }

    /// What the first handler that takes a payload makes of it; `nil` if none does.
    func parse(messageData: [String: Any]) throws -> HandledMessage? {
        guard let entry = entries.first(where: { $0.handler.canHandle(messageData: messageData) }) else {
            return nil
        }
        return try HandledMessage(entry.handler.parseMessage(messageData: messageData), from: entry.name)
    }

    /// What the first handler that takes a text makes of it; `nil` if none does.
    func parse(message: String) throws -> HandledMessage? {
        guard let entry = entries.first(where: { $0.handler.canHandle(message: message) }) else { return nil }
        return try HandledMessage(entry.handler.parseMessage(message: message), from: entry.name)
    }
}

extension PushHandlers: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Handlers for all pushes that they take.
    public init(arrayLiteral handlers: any PushHandler...) {
        self.init(handlers)
    }

    /// Handlers by platform, asked in the order they are written in.
    public init(dictionaryLiteral handlers: (String, any PushHandler)...) {
        entries = handlers.map { ($0.0, $0.1) }
    }
}

/// A push as an app's own handler parsed it, each field checked for its type.
struct HandledMessage: Sendable {
    let handler: String
    let messageId: String
    let credentialId: String
    private let fields: JSONValue

    init(_ parsed: [String: Any], from handler: String) throws(PushError) {
        fields = .payload(parsed)
        self.handler = handler
        messageId = try Self.required(["messageId"], in: fields)
        credentialId = try Self.required(["credentialId", "mechanismUid"], in: fields)
        guard (ttl ?? 0) >= 0 else { throw .messageParsingFailed("Its ttl is negative.") }
    }

    /// The notification to store.
    func notification(id: String, receivedAt: Date) -> PushNotification {
        var notification = PushNotification(
            id: id,
            credentialId: credentialId,
            message: PushMessage(id: messageId, challenge: text("challenge") ?? ""),
            ttl: ttl ?? Self.standardTimeToLive,
            sentAt: sentAt ?? receivedAt,
            createdAt: receivedAt
        )
        notification.pushType = PushType(name: text("pushType"))
        notification.messageText = text("messageText")
        notification.customPayload = text("customPayload")
        notification.numbersChallenge = text("numbersChallenge")
        notification.contextInfo = text("contextInfo")
        notification.loadBalancer = text("loadBalancer")
        notification.customHandler = handler
        return notification
    }

    private static let standardTimeToLive = 120

    private var ttl: Int? { number("ttl") }
    private var sentAt: Date? {
        number("sentAt").map { Date(timeIntervalSince1970: TimeInterval($0) / 1000) }
    }

    private static func required(_ names: [String], in fields: JSONValue) throws(PushError) -> String {
        for name in names {
            if case .string(let text)? = fields[name], !text.isEmpty { return text }
        }
        throw .messageParsingFailed("It lacks the field \(names[0]).")
    }

    private func text(_ name: String) -> String? {
        if case .string(let text)? = fields[name] { text } else { nil }
    }

    private func number(_ name: String) -> Int? {
        switch fields[name] {
        case .integer(let number)?: number
        case .number(let number)?: Int(exactly: number.rounded())
        case .string(let text)?: Int(text)
        default: nil
        }
    }
}

extension CredentialWriting {
    /// Stores a push of a credential that is known; a repeated message id returns what is stored.
    func store(_ message: HandledMessage, id: String, receivedAt: Date) throws -> PushNotification {
        guard try pushCredential(id: message.credentialId) != nil else {
            throw PushError(.unknownCredential)
        }
        if let known = try notification(messageId: message.messageId) {
            guard known.credentialId == message.credentialId else { throw PushError(.messageTaken) }
            return known
        }
        let notification = message.notification(id: id, receivedAt: receivedAt)
        try save(notification)
        return notification
    }
}

import Foundation

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

import Foundation
import PushBridgeCore

/// A push that an app's own handler has parsed; a field of the wrong type counts as missing.
struct HandledMessage: Sendable {
    let handler: String
    let messageId: String
    let credentialId: String
    /// The user's id at the server.
    var userId: String? { text("userId") }
    private let fields: JSONValue
    private let date: Date?
    private let pushType: PushType
    /// The handler's own data, which may contain values that JSON cannot express.
    private let additionalData: UnstoredValues

    init(_ parsed: [String: Any], from handler: String) throws(PushError) {
        fields = .payload(parsed)
        additionalData = UnstoredValues(parsed["additionalData"] as? [String: Any])
        self.handler = handler
        date = parsed["sentAt"] as? Date ?? parsed["timeInterval"] as? Date
        pushType = parsed["pushType"] as? PushType ?? PushType(name: fields["pushType"]?.string)
        messageId = Self.text(["messageId"], in: fields) ?? UUID().uuidString
        guard let credentialId = Self.text(["credentialId", "mechanismUid"], in: fields) else {
            throw .messageParsingFailed("The field credentialId is missing.")
        }
        self.credentialId = credentialId
    }

    /// The text that separates the original id from the handler's name in a notification's id.
    private static let mark = "+handler:"

    /// Returns the name of the handler in a notification's id; `nil` if no handler parsed the notification.
    static func handler(ofNotification id: String) -> String? {
        // Most ids do not contain the name of a handler. Searching for a byte is faster than searching for
        // the text.
        guard id.utf8.contains(UInt8(ascii: "+")), let found = id.range(of: mark, options: .backwards) else {
            return nil
        }
        return found.upperBound == id.endIndex ? nil : String(id[found.upperBound...])
    }

    /// Returns the notification to store.
    func notification(id: String, receivedAt: Date) -> PushNotification {
        var notification = PushNotification(
            id: id + Self.mark + handler,
            credentialId: credentialId,
            message: PushMessage(id: messageId, challenge: ""),
            ttl: ttl ?? Self.standardTimeToLive,
            sentAt: receivedAt,
            createdAt: receivedAt
        )
        notification.sentAt = sentAt
        notification.pushType = pushType
        for text in PushNotification.texts {
            notification[keyPath: text.property] = text.isJSON ? json(text.name) : self.text(text.name)
        }
        notification.loadBalancer = notification.loadBalancer ?? text("amlbCookie")
        notification.additional = fields["additionalData"]
        notification.unstored = additionalData
        notification.customHandler = handler
        return notification
    }

    private static let standardTimeToLive = 120

    private var ttl: Int? { number("ttl") }
    private var sentAt: Date? {
        date
            ?? (number("sentAt") ?? number("timeInterval")).map {
                Date(timeIntervalSince1970: TimeInterval($0) / 1000)
            }
    }

    private static func text(_ names: [String], in fields: JSONValue) -> String? {
        names.lazy.compactMap { fields[$0]?.string?.nonEmpty }.first
    }

    private func text(_ name: String) -> String? { fields[name]?.string }

    /// Returns the JSON text of a field that contains JSON text or a dictionary.
    private func json(_ name: String) -> String? {
        if case .object? = fields[name] { fields[name]?.text } else { text(name) }
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
    /// Stores a push, or returns the stored push that has the same message id.
    ///
    /// The push's credential need not be stored, because the handler is responsible for the credential. If the
    /// credential is stored and contains no user id from the server, the user's id in the push is stored in it.
    /// - Throws: An error if a push of another credential has the message id, and the storage's errors.
    func store(_ message: HandledMessage, id: String, receivedAt: Date) throws -> ReceivedPush {
        if let known = try notification(messageId: message.messageId) {
            guard known.credentialId == message.credentialId else { throw PushError(.messageTaken) }
            return ReceivedPush(known, isNew: false)
        }
        if let userId = message.userId { try learnUserId(userId, ofCredential: message.credentialId) }
        if let credential = try pushCredential(id: message.credentialId) {
            try recordArrival(of: credential, namesUser: message.userId != nil)
        }
        let notification = message.notification(id: id, receivedAt: receivedAt)
        try save(notification)
        return ReceivedPush(notification, isNew: true)
    }
}

import Foundation
import PushBridgeCore

extension AccountBound where Self: Identifiable<String> {
    /// The credential as an app's screens show it.
    var view: JSONValue {
        [
            "id": .string(id),
            "issuer": .string(issuer),
            "accountName": .string(accountName),
            "displayIssuer": .string(displayIssuer),
            "displayAccountName": .string(displayAccountName),
            "imageURL": .optional(imageURL),
            "backgroundColor": .optional(backgroundColor),
            "policies": .optional(policies),
            "lockingPolicy": .optional(lockingPolicy),
            "isLocked": .bool(isLocked),
            "createdAt": .seconds(createdAt),
        ]
    }
}

extension PushNotification {
    /// The notification as an app's screens show it.
    var view: JSONValue {
        [
            "credentialId": .string(credentialId),
            "messageId": .string(messageId),
            "type": .string(pushType.rawValue),
            "message": .optional(messageText),
            "customPayload": .optional(customPayload),
            "numbers": .array(numbers.map(JSONValue.integer)),
            "contextInfo": .optional(contextInfo),
            "ttl": .number(Double(ttl)),
            "sentAt": .seconds(sentAt),
            "expiresAt": .seconds(expiresAt),
            "pending": .bool(pending),
            "approved": .bool(approved),
            "denied": .bool(isDenied),
        ]
    }
}

extension JSONValue {
    /// The payload as the system hands it to an app.
    var userInfo: [AnyHashable: Any] {
        do {
            return try JSONSerialization.jsonObject(with: data) as? [AnyHashable: Any] ?? [:]
        } catch {
            return [:]
        }
    }
}

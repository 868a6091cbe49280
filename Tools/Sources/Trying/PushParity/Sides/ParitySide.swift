package import Foundation
package import PushBridgeCore

/// An app that uses one of the two APIs.
package protocol ParitySide: Sendable {
    /// Makes a call, waits for all its effects, and returns the results that the app received.
    ///
    /// The function does not throw, because a missing or repeated callback is a finding and not an error.
    func perform(_ call: SideCall) async -> [Delivery]
}

/// Creates a side in its environment.
///
/// After a restart, the function is called again.
package typealias SideMaker = @Sendable (SideEnvironment) async throws -> any ParitySide

/// A call that a step makes on either API.
///
/// The values of the cases contain the ids that the side uses. If an API has no such call, the result is
/// `notOffered`.
package enum SideCall: Sendable {
    case registerToken(Data)
    case updateToken(String, credentialId: String?)
    case clearToken
    case readToken
    case enrol(uri: String)
    case receive(JSONValue)
    case answer(Step.AnswerKind, number: String, messageId: String)
    case lock(credentialId: String, policy: String)
    case unlock(credentialId: String)
    case rename(credentialId: String, issuer: String?, account: String?)
    case deleteCredential(credentialId: String)
    case deleteAccount(AccountKey)
    case deleteNotification(messageId: String)
    case code(credentialId: String)
    case list(Step.List)
    case close
}

extension AccountBound where Self: Identifiable<String> {
    /// The values of the credential that an app can show.
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
    /// The values of the notification that an app can show.
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
            "sentAt": sentAt.map(JSONValue.seconds) ?? .null,
            "expiresAt": .seconds(expiresAt),
            "pending": .bool(pending),
            "approved": .bool(approved),
            "denied": .bool(isDenied),
        ]
    }
}

extension JSONValue {
    /// The payload in the form that the system passes to an app.
    package var userInfo: [AnyHashable: Any] {
        do {
            return try JSONSerialization.jsonObject(with: data) as? [AnyHashable: Any] ?? [:]
        } catch {
            return [:]
        }
    }
}

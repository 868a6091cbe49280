import Foundation
import PushBridgeCore
import PushBridgeInternals

/// One credential, its notifications, and signed pushes that have not arrived yet.
///
/// All notifications except the last five are answered.
struct GeneratedNotifications {
    static let pendingCount = 5

    let count: Int
    let credential: PushCredential

    init(count: Int) throws {
        self.count = count
        let base = "https://openam.example.com/openam/json/alpha/push/sns/message?_action="
        guard
            let endpoints = PushEndpoints(
                registration: base + "register",
                authentication: base + "authenticate"
            )
        else { throw ChildProcess.Failure(description: "An address is invalid.") }
        credential = PushCredential(
            id: UUID().uuidString,
            account: AccountProfile(issuer: "Example Bank", accountName: "customer@example.com"),
            endpoints: endpoints,
            sharedSecret: .random(),
            createdAt: Self.start
        )
    }

    func messageId(_ number: Int) -> String { "AUTHENTICATE:6b7c7d53-0000-4000-8000-\(number)" }

    /// Returns the APNs payload of a push that is newer than all stored notifications.
    func payload(_ number: Int) -> String {
        let claims: JSONValue = [
            "u": .string(credential.id), "c": .string(Self.challenge()), "t": "120", "k": "default",
            "i": .string(String(Int(sentAt(count + number).timeIntervalSince1970) * 1000)),
            "m": "Login attempt at Example Bank", "l": "YW1sYmNvb2tpZT0wMQ==",
        ]
        let payload: JSONValue = [
            "aps": [
                "messageId": .string(messageId(count + number)),
                "data": .string(credential.sharedSecret.signedToken(claims: claims.data)),
            ]
        ]
        return payload.text
    }

    private func notification(_ number: Int) -> PushNotification {
        var notification = PushNotification(
            id: UUID().uuidString,
            credentialId: credential.id,
            messageId: messageId(number),
            challenge: Self.challenge(),
            // Pending pushes have a long time to live, because an expired push is not pending.
            ttl: number >= count - Self.pendingCount ? 10 * 365 * 86_400 : 120,
            sentAt: sentAt(number)
        )
        notification.messageText = "Login attempt at Example Bank"
        notification.contextInfo =
            #"{"location":{"latitude":49.2,"longitude":-123.1},"remoteIp":"192.0.2.1"}"#
        notification.loadBalancer = "amlbcookie=01"
        notification.pending = number >= count - Self.pendingCount
        notification.approved = !notification.pending
        return notification
    }

    private func sentAt(_ number: Int) -> Date { Self.start.addingTimeInterval(Double(number)) }

    private static let start = Date(timeIntervalSince1970: 1_700_000_000)

    private static func challenge() -> String { SharedSecret.random().withBase64 { $0 } }
}

extension GeneratedNotifications: Sequence {
    func makeIterator() -> some IteratorProtocol<PushNotification> {
        (0..<count).lazy.map(notification).makeIterator()
    }
}

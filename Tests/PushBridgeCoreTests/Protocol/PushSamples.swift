import Foundation
import PushBridgeCore

extension Date {
    /// The date on which the samples are received.
    static let sample = Date(timeIntervalSince1970: 1_700_000_000)
}

extension PushCredential {
    /// A secret and a challenge from the test vectors of the push protocol, and the response to the challenge.
    static let recordedSecret = "5GuioYhLlh-xER3n5I8vrx0uuYQo3yD86aJi6KuWDsg"
    static let recordedChallenge = "KP0XQfZ21N_jsXP_xfVQMmsmoUiWvdDPWecHdb5_INQ"
    static let recordedResponse = "r03LIyMM0RL2RH0tG7JbEs3KfDxIoDXXJa0nWejZyW8="

    /// Returns the compact token that a server would send with `claims`.
    func token(_ claims: JSONValue) -> String {
        sharedSecret.signedToken(claims: claims.data)
    }

    /// Returns a payload as a server would send it.
    func payload(_ claims: JSONValue, messageId: String = "AUTHENTICATE:1") -> JSONValue {
        [
            "aps": [
                "alert": "Login", "sound": "default", "content-available": "1",
                "messageId": .string(messageId), "data": .string(token(claims)),
            ]
        ]
    }
}

extension PushNotification {
    static func sample(
        _ id: String = "push",
        of credentialId: String = "id",
        type: PushType = .default,
        sentAt: Date = .sample
    ) -> PushNotification {
        var notification = PushNotification(
            id: id,
            credentialId: credentialId,
            message: PushMessage(id: "AUTHENTICATE:\(id)", challenge: PushCredential.recordedChallenge),
            ttl: 120,
            sentAt: sentAt,
            createdAt: sentAt
        )
        notification.pushType = type
        return notification
    }
}

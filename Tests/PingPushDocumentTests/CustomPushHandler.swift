import PingPush
import PushBridgePlatform
import PushBridgeTestSupport

/// A handler for pushes in an app's own format, with the method signatures of the successor SDK's guide.
final class CustomPushHandler: PushHandler {
    private let calls = Lock<[String]>([])

    var log: [String] { calls.withValue { $0 } }

    func canHandle(messageData: [String: Any]) -> Bool { messageData["custom"] != nil }

    func canHandle(message: String) -> Bool { false }

    func parseMessage(messageData: [String: Any]) throws -> [String: Any] {
        guard let parsed = messageData["custom"] as? [String: Any] else {
            throw PushError.messageParsingFailed("The message is not custom.")
        }
        return parsed
    }

    func parseMessage(message: String) throws -> [String: Any] {
        throw PushError.messageParsingFailed("The message is not custom.")
    }

    func sendApproval(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool {
        calls.withValue { $0.append("approved \(notification.messageId)") }
        return true
    }

    func sendDenial(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool {
        calls.withValue { $0.append("denied \(notification.messageId)") }
        return true
    }

    func setDeviceToken(
        credential: PushCredential,
        deviceToken: String,
        params: [String: Any]
    ) async throws -> Bool { true }

    func register(
        credential: PushCredential,
        params: [String: Any]
    ) async throws -> Bool { true }
}

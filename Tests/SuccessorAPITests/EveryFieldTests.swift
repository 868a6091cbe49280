import Foundation
import PingPush
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// Each field that a server sends is preserved when an app uses its own storages with the async API.
@Suite("Every field in an app's own storage")
struct EveryFieldTests {
    @Test func aStorageOfFilesKeepsEveryField() async throws {
        let (credential, notification) = (try EveryField.pushCredential(), try EveryField.notification())
        let storage = try FileStorage()
        try await storage.storePushCredential(credential)
        try await storage.storePushNotification(notification)
        let client = try await PushClient.createClient { $0.storage = storage }
        #expect(try await client.getCredential(credentialId: credential.id) == credential)
        #expect(try await client.getNotification(notification.id) == notification)
        await client.close()
    }
}

import Foundation
import PingPush
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@Suite("Receiving")
struct ReceivingTests {
    @Test(arguments: StoreKind.allCases)
    func aPushThatArrivesThroughEachEntryPointIsStoredOnce(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        let credential = try await fixture.enrol()
        let payload = PushClientFixture.payload(
            ["m": "Hello", "k": "challenge", "n": "1, 22,3"],
            for: credential
        )
        guard
            case .string(let data)? = payload["aps"]?["data"],
            case .string(let messageId)? = payload["aps"]?["messageId"]
        else { return #expect(Bool(false), "The payload has no data or messageId in aps.") }
        let aps: [String: Any] = ["alert": "Hello", "badge": 1, "messageId": messageId, "data": data]
        let first = try await fixture.client.processNotification(userInfo: ["aps": aps, 1: Date()])
        let second = try await fixture.client.processNotification(messageData: ["aps": aps])
        let third = try await fixture.client.processNotification(message: payload.text)
        let stored = try await fixture.client.getAllNotifications()
        #expect(stored.count == 1)
        #expect([first, second, third] == [stored.first, stored.first, stored.first])
        #expect(first?.getNumbersChallenge() == [1, 22, 3])
        #expect(first?.messageText == "Hello")
    }

    @Test(arguments: StoreKind.allCases)
    func aForgedPushIsRejectedAndNotStored(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        let credential = try await fixture.enrol()
        let forged = PushClientFixture.payload(["d": "mallory"], for: credential, signedWith: .random()).text
        await #expect(throws: PushError.messageParsingFailed("The signature is wrong.")) {
            try await fixture.client.processNotification(message: forged)
        }
        #expect(try await fixture.client.getAllNotifications() == [])
        #expect(try await fixture.client.getCredentials() == [credential])
    }

    @Test(arguments: ["", "no JSON", "{}", #"{"aps":{"alert":"News"}}"#])
    func foreignMessagesReturnNil(_ message: String) async throws {
        let fixture = try await PushClientFixture()
        #expect(try await fixture.client.processNotification(message: message) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func aNewNotificationReplacesTheOldestAtTheLimit(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind) {
            $0.notificationCleanupConfig = NotificationCleanupConfig(maxStoredNotifications: 2)
        }
        let credential = try await fixture.enrol()
        for second in 1...3 {
            let claims: JSONValue = ["i": .integer(1_700_000_000_000 + second)]
            _ = try await fixture.deliver(claims, to: credential, messageId: "\(second)")
        }
        #expect(try await fixture.client.getAllNotifications().map(\.messageId) == ["3", "2"])
    }

    @Test(arguments: StoreKind.allCases)
    func aLatePushIsNotRemovedByTheCleanupAtItsArrival(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind) {
            $0.notificationCleanupConfig = NotificationCleanupConfig(maxStoredNotifications: 2)
        }
        let credential = try await fixture.enrol()
        for second in [3, 2, 1, 4] {
            let claims: JSONValue = ["i": .integer(1_700_000_000_000 + second)]
            let push = try await fixture.deliver(claims, to: credential, messageId: "\(second)")
            #expect(try await fixture.client.getNotification(push.id) == push)
        }
        #expect(try await fixture.client.getAllNotifications().map(\.messageId) == ["4", "3"])
    }

    @Test func cleanupForOneCredentialRemovesOnlyItsNotifications() async throws {
        let fixture = try await PushClientFixture {
            $0.notificationCleanupConfig = NotificationCleanupConfig(cleanupMode: .none)
        }
        let credential = try await fixture.enrol()
        _ = try await fixture.deliver(["i": 1000], to: credential)
        #expect(try await fixture.client.cleanupNotifications() == 0)
        let strict = try await PushClient.createClient { config in
            config.storage = fixture.storage
            config.notificationCleanupConfig = NotificationCleanupConfig(cleanupMode: .hybrid)
        }
        #expect(try await strict.cleanupNotifications(credentialId: "another") == 0)
        #expect(try await strict.cleanupNotifications(credentialId: credential.id) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func deletingACredentialDeletesOnlyItsNotifications(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        let credential = try await fixture.enrol("babs")
        let other = try await fixture.enrol("scarter")
        _ = try await fixture.deliver(to: credential, messageId: "1")
        let kept = try await fixture.deliver(to: other, messageId: "2")
        #expect(try await fixture.client.deleteCredential(credential.id))
        #expect(try await fixture.client.deleteCredential(credentialId: credential.id) == false)
        #expect(try await fixture.client.getAllNotifications() == [kept])
        #expect(try await fixture.client.getCredentials() == [other])
    }

    @Test func theStreamReportsPendingNotifications() async throws {
        let fixture = try await PushClientFixture()
        let credential = try await fixture.enrol()
        let pending = Listener(fixture.client.notifications)
        try await waitFor("the stream to report that nothing is pending") { pending.received.last == [] }
        let push = try await fixture.deliver(to: credential)
        try await waitFor("the stream to report the push") { pending.received.last == [push] }
        try await fixture.client.denyNotification(push.id)
        // Before the empty list, the stream may deliver a list in which the push is pending.
        try await waitFor("the stream to report the answer") { pending.received.last == [] }
        await fixture.client.close()
        try await waitFor("the stream to end") { pending.isOver }
    }
}

import Foundation
import PingPush
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@Suite("Receiving")
struct ReceivingTests {
    @Test(arguments: StoreKind.allCases)
    func aPushThatArrivesThroughEachEntryPointIsStoredOnce(_ kind: StoreKind) async throws {
        let bench = try await Bench(kind)
        let credential = try await bench.enrol()
        let payload = Bench.payload(["m": "Hello", "k": "challenge", "n": "1, 22,3"], for: credential)
        guard
            case .string(let data)? = payload["aps"]?["data"],
            case .string(let messageId)? = payload["aps"]?["messageId"]
        else { return #expect(Bool(false), "The payload is not as expected.") }
        let aps: [String: Any] = ["alert": "Hello", "badge": 1, "messageId": messageId, "data": data]
        let first = try await bench.client.processNotification(userInfo: ["aps": aps, 1: Date()])
        let second = try await bench.client.processNotification(messageData: ["aps": aps])
        let third = try await bench.client.processNotification(message: payload.text)
        let stored = try await bench.client.getAllNotifications()
        #expect(stored.count == 1)
        #expect([first, second, third] == [stored.first, stored.first, stored.first])
        #expect(first?.getNumbersChallenge() == [1, 22, 3])
        #expect(first?.messageText == "Hello")
    }

    @Test(arguments: StoreKind.allCases)
    func aForgedPushIsRejectedAndNotStored(_ kind: StoreKind) async throws {
        let bench = try await Bench(kind)
        let credential = try await bench.enrol()
        let forged = Bench.payload(["d": "mallory"], for: credential, signedWith: .random()).text
        await #expect(throws: PushError.messageParsingFailed("Its signature is wrong.")) {
            try await bench.client.processNotification(message: forged)
        }
        #expect(try await bench.client.getAllNotifications() == [])
        #expect(try await bench.client.getCredentials() == [credential])
    }

    @Test(arguments: ["", "no JSON", "{}", #"{"aps":{"alert":"News"}}"#])
    func foreignMessagesReturnNil(_ message: String) async throws {
        let bench = try await Bench()
        #expect(try await bench.client.processNotification(message: message) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func anOldNotificationMakesRoomForANewOne(_ kind: StoreKind) async throws {
        let bench = try await Bench(kind) {
            $0.notificationCleanupConfig = NotificationCleanupConfig(maxStoredNotifications: 2)
        }
        let credential = try await bench.enrol()
        for second in 1...3 {
            let claims: JSONValue = ["i": .integer(1_700_000_000_000 + second)]
            _ = try await bench.deliver(claims, to: credential, messageId: "\(second)")
        }
        #expect(try await bench.client.getAllNotifications().map(\.messageId) == ["3", "2"])
    }

    @Test(arguments: StoreKind.allCases)
    func theCleanupAtItsArrivalDoesNotRemoveALatePush(_ kind: StoreKind) async throws {
        let bench = try await Bench(kind) {
            $0.notificationCleanupConfig = NotificationCleanupConfig(maxStoredNotifications: 2)
        }
        let credential = try await bench.enrol()
        for second in [3, 2, 1, 4] {
            let claims: JSONValue = ["i": .integer(1_700_000_000_000 + second)]
            let push = try await bench.deliver(claims, to: credential, messageId: "\(second)")
            #expect(try await bench.client.getNotification(push.id) == push)
        }
        #expect(try await bench.client.getAllNotifications().map(\.messageId) == ["4", "3"])
    }

    @Test func cleanupForOneCredentialRemovesOnlyItsNotifications() async throws {
        let bench = try await Bench {
            $0.notificationCleanupConfig = NotificationCleanupConfig(cleanupMode: .none)
        }
        let credential = try await bench.enrol()
        _ = try await bench.deliver(["i": 1000], to: credential)
        #expect(try await bench.client.cleanupNotifications() == 0)
        let strict = try await PushClient.createClient { config in
            config.storage = bench.storage
            config.notificationCleanupConfig = NotificationCleanupConfig(cleanupMode: .hybrid)
        }
        #expect(try await strict.cleanupNotifications(credentialId: "another") == 0)
        #expect(try await strict.cleanupNotifications(credentialId: credential.id) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func deletingACredentialDeletesOnlyItsNotifications(_ kind: StoreKind) async throws {
        let bench = try await Bench(kind)
        let credential = try await bench.enrol("babs")
        let other = try await bench.enrol("scarter")
        _ = try await bench.deliver(to: credential, messageId: "1")
        let kept = try await bench.deliver(to: other, messageId: "2")
        #expect(try await bench.client.deleteCredential(credential.id))
        #expect(try await bench.client.deleteCredential(credentialId: credential.id) == false)
        #expect(try await bench.client.getAllNotifications() == [kept])
        #expect(try await bench.client.getCredentials() == [other])
    }

    @Test func theStreamReportsPendingNotifications() async throws {
        let bench = try await Bench()
        let credential = try await bench.enrol()
        let pending = Listener(bench.client.notifications)
        try await waitFor("the stream to report that nothing is pending") { pending.heard.last == [] }
        let push = try await bench.deliver(to: credential)
        try await waitFor("the stream to report the push") { pending.heard.last == [push] }
        try await bench.client.denyNotification(push.id)
        // At first, the stream may report the push while its answer is being sent.
        try await waitFor("the stream to report the answer") { pending.heard.last == [] }
        await bench.client.close()
        try await waitFor("the stream to end") { pending.isOver }
    }
}

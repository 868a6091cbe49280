import FRAuthenticator
import Foundation
import PushBridgeCore
import Testing

@Suite("Receiving pushes through the legacy API")
struct ReceivingTests {
    @Test(arguments: StoreKind.allCases)
    func aPushBecomesANotification(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let mechanism = try await fixture.enrol()
        let claims: JSONValue = [
            "k": "challenge", "n": "1,2,3", "m": "Hello", "t": "90", "i": "1700000000125", "p": #"{"a":1}"#,
        ]
        let push = try #require(try fixture.deliver(claims, to: mechanism))
        #expect(push.pushType == .challenge)
        #expect(push.message == "Hello")
        #expect(push.ttl == 90)
        #expect(push.customPayload == #"{"a":1}"#)
        #expect(push.identifier == "\(mechanism.mechanismUUID)-1700000000125")
        #expect(push.isExpired)
        let known = try #require(fixture.client.getNotification(identifier: push.identifier))
        #expect(known.toJson() == push.toJson())
        #expect(fixture.client.getMechanism(notification: known)?.pendingNotifications.count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func anIdentifierFindsOnlyItsOwnPush(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let mechanism = try await fixture.enrol()
        for time in ["1700000000124", "1700000000125", "1700000000126"] {
            let push = try fixture.deliver(["i": .string(time)], to: mechanism, messageId: time)
            #expect(push?.identifier == "\(mechanism.mechanismUUID)-\(time)")
        }
        let id = mechanism.mechanismUUID
        #expect(
            fixture.client.getNotification(identifier: "\(id)-1700000000125")?.messageId == "1700000000125"
        )
        let absent = ["1700000000127", "01700000000125", "9223372036854775807", "", "text"].filter {
            fixture.client.getNotification(identifier: "\(id)-\($0)") != nil
        }
        #expect(absent.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func aRepeatedPushReturnsTheStoredNotification(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let mechanism = try await fixture.enrol()
        let first = try #require(try fixture.deliver(to: mechanism))
        #expect(await outcome { first.deny(onSuccess: $0, onError: $1) }.error == nil)
        let second = try #require(try fixture.deliver(to: mechanism))
        #expect(second.isDenied)
        #expect(fixture.client.getAllNotifications().count == 1)
    }

    @Test func aPushWithAWrongSignatureIsNil() async throws {
        let fixture = try ClientFixture()
        let mechanism = try await fixture.enrol()
        #expect(try fixture.deliver(to: mechanism, signedWith: .random()) == nil)
        #expect(fixture.client.getAllNotifications() == [])
    }

    @Test func aForeignPushReturnsNil() throws {
        let fixture = try ClientFixture()
        let payloads: [[AnyHashable: Any]] = [
            [:], ["aps": ["alert": "Hello"]], ["aps": ["messageId": "1", "data": "no token"]], [1: 2],
        ]
        let received = payloads.filter { payload in
            fixture.handler.application(.shared, didReceiveRemoteNotification: payload) != nil
        }
        #expect(received.isEmpty)
    }
}

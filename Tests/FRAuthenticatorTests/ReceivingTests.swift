import FRAuthenticator
import Foundation
import PushBridgeCore
import Testing

@Suite("Receiving pushes through the legacy API")
struct ReceivingTests {
    @Test(arguments: StoreKind.allCases)
    func aPushBecomesANotification(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let mechanism = try await bench.enrol()
        let claims: JSONValue = [
            "k": "challenge", "n": "1,2,3", "m": "Hello", "t": "90", "i": "1700000000125", "p": #"{"a":1}"#,
        ]
        let push = try #require(try bench.deliver(claims, to: mechanism))
        #expect(push.pushType == .challenge)
        #expect(push.message == "Hello")
        #expect(push.ttl == 90)
        #expect(push.customPayload == #"{"a":1}"#)
        #expect(push.identifier == "\(mechanism.mechanismUUID)-1700000000125")
        #expect(push.isExpired)
        let known = try #require(bench.client.getNotification(identifier: push.identifier))
        #expect(known.toJson() == push.toJson())
        #expect(bench.client.getMechanism(notification: known)?.pendingNotifications.count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func anIdentifierFindsItsPushAmongNeighbours(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let mechanism = try await bench.enrol()
        for time in ["1700000000124", "1700000000125", "1700000000126"] {
            let push = try bench.deliver(["i": .string(time)], to: mechanism, messageId: time)
            #expect(push?.identifier == "\(mechanism.mechanismUUID)-\(time)")
        }
        let id = mechanism.mechanismUUID
        #expect(bench.client.getNotification(identifier: "\(id)-1700000000125")?.messageId == "1700000000125")
        let absent = ["1700000000127", "01700000000125", "9223372036854775807", "", "text"].filter {
            bench.client.getNotification(identifier: "\(id)-\($0)") != nil
        }
        #expect(absent.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func aRepeatedPushReturnsTheStoredNotification(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        let mechanism = try await bench.enrol()
        let first = try #require(try bench.deliver(to: mechanism))
        #expect(await outcome { first.deny(onSuccess: $0, onError: $1) }.error == nil)
        let second = try #require(try bench.deliver(to: mechanism))
        #expect(second.isDenied)
        #expect(bench.client.getAllNotifications().count == 1)
    }

    @Test func aPushWithAWrongSignatureIsNil() async throws {
        let bench = try Bench()
        let mechanism = try await bench.enrol()
        #expect(try bench.deliver(to: mechanism, signedWith: .random()) == nil)
        #expect(bench.client.getAllNotifications() == [])
    }

    @Test func aForeignPushReturnsNil() throws {
        let bench = try Bench()
        let payloads: [[AnyHashable: Any]] = [
            [:], ["aps": ["alert": "Hello"]], ["aps": ["messageId": "1", "data": "no token"]], [1: 2],
        ]
        let received = payloads.filter { payload in
            bench.handler.application(.shared, didReceiveRemoteNotification: payload) != nil
        }
        #expect(received.isEmpty)
    }
}

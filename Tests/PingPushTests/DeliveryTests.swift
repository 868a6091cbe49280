import Foundation
import PingPush
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// Banners and their buttons, with every storage.
@Suite("Delivery")
struct DeliveryTests {
    @Test(arguments: StoreKind.allCases)
    func aPushIsShownAndAnsweredFromItsBanner(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        let client = fixture.client
        let payload = PushClientFixture.payload(for: try await fixture.enrol())
        #expect(await client.backgroundResult(of: payload.userInfo) == .newData)
        #expect(await client.presentation(of: payload.userInfo) == .all)
        #expect(try await client.badge() == 1)
        let id = try #require(await client.getAllNotifications().first?.id)
        #expect(await client.perform(PushActions.defaultAction, userInfo: payload.userInfo) == .open(id))
        let approve = PushAction.Kind.approve.rawValue
        // The app passes the same response to the client twice, at the same time.
        async let second = client.perform(approve, userInfo: payload.userInfo)
        let reactions = await [client.perform(approve, userInfo: payload.userInfo), second]
        #expect(reactions.filter { $0 == .answered(id, isApproval: true) }.count == 1)
        #expect(fixture.server.requests.count { $0.url.contains("authenticate") } == 1)
        #expect(await client.presentation(of: payload.userInfo) == [])
        #expect(try await client.badge() == 0)
        #expect(await client.receive(delivered: [payload.userInfo]) == [])
    }

    @Test func aPushOfAnAppsOwnHandlerIsShownAndDenied() async throws {
        let fixture = try await PushClientFixture { $0.customPushHandlers = [NoteHandler()] }
        let credential = try await fixture.enrol()
        let userInfo: [AnyHashable: Any] = ["note": "N1", "user": credential.id]
        #expect(await fixture.client.presentation(of: userInfo) == .all)
        let id = try #require(await fixture.client.getAllNotifications().first?.id)
        #expect(
            await fixture.client.perform(PushAction.Kind.deny.rawValue, userInfo: userInfo)
                == .answered(id, isApproval: false)
        )
    }
}

/// A handler for pushes like `{"note": …, "user": …}`.
private final class NoteHandler: PushHandler {
    func canHandle(messageData: [String: Any]) -> Bool { messageData["note"] != nil }
    func canHandle(message: String) -> Bool { false }

    func parseMessage(messageData: [String: Any]) throws -> [String: Any] {
        ["messageId": messageData["note"] ?? "", "credentialId": messageData["user"] ?? ""]
    }

    func parseMessage(message: String) throws -> [String: Any] { [:] }

    func sendApproval(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool { true }

    func sendDenial(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool { true }

    func setDeviceToken(
        credential: PushCredential,
        deviceToken: String,
        params: [String: Any]
    ) async throws -> Bool { true }

    func register(credential: PushCredential, params: [String: Any]) async throws -> Bool { true }
}

extension JSONValue {
    /// The payload as a dictionary of Foundation's types.
    fileprivate var userInfo: [AnyHashable: Any] { foundationValue as? [AnyHashable: Any] ?? [:] }
}

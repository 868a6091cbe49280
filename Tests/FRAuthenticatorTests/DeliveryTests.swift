import FRAuthenticator
import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

/// Banners and their buttons, with every kind of storage.
@Suite("Delivery")
struct DeliveryTests {
    @Test(arguments: StoreKind.allCases)
    func aBannerShowsAndAnswersItsPush(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        let mechanism = try await fixture.enrol()
        let push = try #require(try fixture.deliver(to: mechanism))
        let payload = try payload(mechanism, in: fixture)
        #expect(try await presentation(of: payload, fixture) == .all)
        #expect(fixture.handler.badge == 1)
        #expect(try await perform(PushActions.defaultAction, payload, fixture) == .open(push.identifier))
        let approve = PushAction.Kind.approve.rawValue
        // The app passes the same response to the push handler twice, at the same time.
        async let second = perform(approve, payload, fixture)
        let reactions = try await [perform(approve, payload, fixture), second]
        #expect(reactions.filter { $0 == .answered(push.identifier, isApproval: true) }.count == 1)
        #expect(fixture.server.requests.count { $0.url.contains("authenticate") } == 1)
        #expect(fixture.client.getNotification(identifier: push.identifier)?.isApproved == true)
        #expect(try await presentation(of: payload, fixture) == [])
        #expect(fixture.handler.badge == 0)
        #expect(fixture.handler.receive(delivered: [payload.userInfo]) == [])
    }

    private func payload(_ mechanism: PushMechanism, in fixture: ClientFixture) throws -> JSONValue {
        let stored = try fixture.store.read { try $0.pushCredential(id: mechanism.mechanismUUID) }
        let credential = try #require(stored)
        let claims: JSONValue = ["u": .string(credential.id), "c": "Y2hhbGxlbmdl"]
        let token = credential.sharedSecret.signedToken(claims: claims.data)
        return ["aps": ["messageId": "AUTHENTICATE:1", "data": .string(token)]]
    }

    private func presentation(of payload: JSONValue, _ fixture: ClientFixture) async throws
        -> PushPresentation
    {
        try await waitForCall("the presentation") { done in
            #expect(fixture.handler.presentation(of: payload.userInfo) { done($0) })
        }
    }

    private func perform(_ actionId: String, _ payload: JSONValue, _ fixture: ClientFixture) async throws
        -> PushReaction
    {
        try await waitForCall("the reaction to a tap") { done in
            #expect(fixture.handler.perform(actionId, userInfo: payload.userInfo) { done($0) })
        }
    }
}

extension JSONValue {
    /// The payload as a dictionary of Foundation's types.
    fileprivate var userInfo: [AnyHashable: Any] { foundationValue as? [AnyHashable: Any] ?? [:] }
}

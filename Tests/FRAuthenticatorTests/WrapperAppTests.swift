import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// An app with a wrapper around the API, such as a plugin.
///
/// The app's storage lists the newest objects first. The app's notification extension passes pushes to the app as JSON.
@Suite("A wrapper app with its own storage")
struct WrapperAppTests {
    private let fixture: ClientFixture
    private let storage = NewestFirstStorage()

    init() throws {
        fixture = try ClientFixture(storage: storage)
    }

    /// The number of pending pushes that are newer than the newest push that is not pending.
    private var badge: Int { fixture.client.getAllNotifications().prefix { $0.isPending }.count }

    private func receive(_ number: Int, _ mechanism: PushMechanism) throws -> String {
        let claims: JSONValue = ["i": .string("\(1_700_000_000_000 + number * 1_000)")]
        let push = try fixture.deliver(claims, to: mechanism, messageId: "AUTHENTICATE:\(number)")
        return try #require(push?.toJson())
    }

    private func decoded(_ json: String) throws -> FRAuthenticator.PushNotification {
        try JSONDecoder().decode(FRAuthenticator.PushNotification.self, from: Data(json.utf8))
    }

    @Test func accountsAndMechanismsAreListedNewestFirst() async throws {
        for name in ["a", "b", "c"] { try await fixture.enrol(name) }
        _ = try await fixture.create("otpauth://totp/Example:b?secret=JBSWY3DPEHPK3PXP")
        #expect(fixture.client.getAllAccounts().map(\.accountName) == ["c", "b", "a"])
        #expect(
            fixture.client.getAccount(identifier: "Example-b")?.mechanisms.map(\.type) == ["totp", "push"]
        )
    }

    @Test(.processState) func theBadgeCountsThePendingPushesBeforeTheFirstAnsweredOne() async throws {
        FRAClient.shared = fixture.client
        defer { FRAClient.reset() }
        let mechanism = try await fixture.enrol()
        var passed: [String] = []
        for number in 1...4 {
            passed.append(try receive(number, mechanism))
            #expect(badge == number)
        }
        let ids = ["AUTHENTICATE:4", "AUTHENTICATE:3", "AUTHENTICATE:2", "AUTHENTICATE:1"]
        #expect(fixture.client.getAllNotifications().map(\.messageId) == ids)
        #expect(fixture.client.getAllNotifications(mechanism: mechanism).map(\.messageId) == ids)
        let read = try #require(fixture.client.getMechanism(notification: try decoded(passed[0])))
        #expect(read.notifications.map(\.messageId) == ids)
        #expect(read.pendingNotifications.map(\.messageId) == ids)

        // The app answers one of the pushes that its extension passed on: the second newest push.
        try await answer(passed[2])
        #expect(badge == 1)
        try await answer(passed[3])
        #expect(badge == 0)
        #expect(fixture.client.getAllNotifications().map(\.isApproved) == [true, true, false, false])
        #expect(fixture.client.removeNotification(notification: try decoded(passed[3])))
        #expect(fixture.client.removeNotification(notification: try decoded(passed[2])))
        #expect(badge == 2)
        let requests = fixture.server.requests.filter { $0.action == .authenticate }
        #expect(requests.map { $0["messageId"] } == ["AUTHENTICATE:3", "AUTHENTICATE:4"])
    }

    private func answer(_ json: String) async throws {
        let push = try decoded(json)
        let report = await outcome { push.accept(onSuccess: $0, onError: $1) }
        #expect(report.error == nil)
        #expect(push.isApproved)
    }
}

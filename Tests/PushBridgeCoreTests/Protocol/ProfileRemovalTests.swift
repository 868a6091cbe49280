import Foundation
import PushBridgeCore
import Testing

/// The requests that remove a device profile.
///
/// The requests follow the documented behaviour of PingAM's device endpoints.
@Suite("Profile removal")
struct ProfileRemovalTests {
    private let session = PushServerSession(value: "AQIC5w", userId: "de mo")

    @Test func aKnownProfileIsDeletedByItsIdWithTheSessionCookie() throws {
        var removal = try ProfileRemoval(of: try credential(resourceId: "id/7"), with: session)
        let request = try removal.firstRequest()
        #expect(request.method == "DELETE")
        let folder = "https://am.example.com/am/json/alpha/users/de%20mo/devices/2fa/push"
        #expect(request.url == "\(folder)/id%2F7")
        #expect(request.body.isEmpty)
        #expect(request.headers.contains(.init("Cookie", "amlbcookie=01; iPlanetDirectoryPro=AQIC5w")))
        #expect(try removal.request(after: answer(200, Self.profile("m", id: "id/7"))) == nil)
    }

    /// The server's response to a DELETE contains the profile; a response without the profile proves no removal.
    ///
    /// A captive portal responds to every request with status 200 and a page.
    @Test(arguments: [
        ("<html>Log in to the Wi-Fi</html>", RemovalObstacle.unreachable), ("", .unreachable),
        ("{}", .unknownProfile), (#"{"_id":"8","uuid":"8"}"#, .unknownProfile),
    ])
    func aResponseWithoutTheProfileDoesNotProveTheRemoval(_ body: String, _ obstacle: RemovalObstacle) throws
    {
        var removal = try ProfileRemoval(of: try credential(resourceId: "7"), with: session)
        _ = try removal.firstRequest()
        let page = PushResponse(status: 200, body: Data(body.utf8))
        #expect(try removal.request(after: page)?.method == "GET")
        var proven = removal
        // A list of the user's devices that does not contain the profile proves the removal.
        #expect(try proven.request(after: answer(200, Self.list([]))) == nil)
        #expect(throws: obstacle) { try removal.request(after: page) }
        // If the list contains the profile, the client sends one more removal and then sends no further
        // request.
        var again = try ProfileRemoval(of: try credential(resourceId: nil), with: session)
        _ = try again.firstRequest()
        let list = answer(200, Self.list([Self.profile("m", id: "7")]))
        #expect(try again.request(after: list)?.method == "DELETE")
        #expect(throws: RemovalObstacle.unreachable) { try again.request(after: page) }
    }

    @Test func theRealmRemainsInTheQueryOfEachRequest() throws {
        let credential = try credential(resourceId: nil, query: "&realm=/alpha")
        var removal = try ProfileRemoval(of: credential, with: session)
        let folder = "https://am.example.com/am/json/alpha/users/de%20mo/devices/2fa/push"
        #expect(try removal.firstRequest().url == "\(folder)?realm=/alpha&_queryFilter=true")
        let next = try removal.request(after: answer(200, Self.list([Self.profile("m", id: "7")])))
        #expect(next?.url == "\(folder)/7?realm=/alpha")
    }

    @Test func aSessionCanContainTheUserNameAndTheHeaderName() throws {
        let session = PushServerSession(header: "X-Session", value: "AQIC5w", userId: "user-1")
        var removal = try ProfileRemoval(of: try credential(resourceId: "7"), with: session)
        let request = try removal.firstRequest()
        #expect(request.url.contains("/users/user-1/devices/"))
        #expect(request.headers.contains(.init("X-Session", "AQIC5w")))
        #expect(request.headers.contains(.init("Cookie", "amlbcookie=01")))
        #expect(!"\(session) \(request)".contains("AQIC5w"))
    }

    @Test func aProfileIdThatIsUnknownOrWrongIsReadFromTheList() throws {
        for resourceId in [nil, "", "wrong"] as [String?] {
            var removal = try ProfileRemoval(of: try credential(resourceId: resourceId), with: session)
            var request = try removal.firstRequest()
            if resourceId == "wrong" {
                request = try #require(try removal.request(after: answer(404, [:])))
            }
            #expect(request.method == "GET")
            let list = Self.list([Self.profile("another", id: "1"), Self.profile("m", id: "2")])
            let next = try removal.request(after: answer(200, list))
            #expect(next?.method == "DELETE")
            #expect(next?.url.hasSuffix("/push/2") == true)
        }
    }

    /// If the usual path of the profiles is not found, the client tries the path that older servers may have.
    @Test(arguments: [nil, "7"] as [String?])
    func profilesAreAlsoRequestedAtTheOlderPath(_ resourceId: String?) throws {
        let folder = "https://am.example.com/am/json/alpha/users/de%20mo/devices"
        var removal = try ProfileRemoval(of: try credential(resourceId: resourceId), with: session)
        let first = try removal.firstRequest()
        var urls = [first.url]
        if resourceId != nil {
            urls.append(try #require(try removal.request(after: answer(404, [:]))).url)
        }
        urls.append(try #require(try removal.request(after: answer(404, [:]))).url)
        let list = "?_queryFilter=true"
        let usual = [resourceId.map { "\(folder)/2fa/push/\($0)" }, "\(folder)/2fa/push\(list)"]
        #expect(urls == usual.compactMap(\.self) + ["\(folder)/push\(list)"])
        var missing = removal
        let found = answer(200, Self.list([Self.profile("m", id: "9")]))
        #expect(try removal.request(after: found)?.url == "\(folder)/push/9")
        // Status 404 for both paths does not prove that the profile was removed.
        #expect(throws: RemovalObstacle.refused(status: 404)) { try missing.request(after: answer(404, [:])) }
    }

    @Test func aDeviceThatIsNotListedCountsAsRemoved() throws {
        for list in [Self.list([]), Self.list([Self.profile("another", id: "1")])] {
            var removal = try ProfileRemoval(of: try credential(resourceId: nil), with: session)
            _ = try removal.firstRequest()
            #expect(try removal.request(after: answer(200, list)) == nil)
        }
    }

    /// An empty list for a guessed user name does not prove the removal.
    ///
    /// An administrator's session gets an empty list for an unknown user name.
    @Test func aListForAGuessedUserNameDoesNotProveTheRemoval() throws {
        let session = PushServerSession(value: "AQIC5w")
        var removal = try ProfileRemoval(of: try credential(resourceId: nil), with: session)
        _ = try removal.firstRequest()
        #expect(throws: RemovalObstacle.unknownProfile) {
            try removal.request(after: answer(200, Self.list([])))
        }
    }

    /// The list of another user's devices does not prove the removal.
    ///
    /// After a log-out without a connection, another user logs in. That user's list is empty or contains that user's
    /// own device.
    @Test func aListForAnotherUserDoesNotProveTheRemoval() throws {
        let session = PushServerSession(value: "AQIC5w", userId: "another")
        for list in [Self.list([]), Self.list([Self.profile("another", id: "1")])] {
            var removal = try ProfileRemoval(of: try credential(resourceId: "7"), with: session)
            _ = try removal.firstRequest()
            #expect(try removal.request(after: answer(404, [:]))?.method == "GET")
            #expect(throws: RemovalObstacle.unknownProfile) {
                try removal.request(after: answer(200, list))
            }
        }
    }

    @Test func aListWithoutMechanismsDoesNotProveTheRemoval() throws {
        for list in [Self.list([["uuid": "1"]]), [:], "text"] {
            var removal = try ProfileRemoval(of: try credential(resourceId: nil), with: session)
            _ = try removal.firstRequest()
            #expect(throws: RemovalObstacle.unknownProfile) {
                try removal.request(after: answer(200, list))
            }
        }
    }

    @Test(arguments: [302, 401, 403, 500, 501])
    func aRejectionThrowsAnObstacleWithItsStatus(_ status: Int) throws {
        for resourceId in ["7", nil] {
            var removal = try ProfileRemoval(of: try credential(resourceId: resourceId), with: session)
            _ = try removal.firstRequest()
            #expect(throws: RemovalObstacle.refused(status: status)) {
                try removal.request(after: answer(status, [:]))
            }
        }
    }

    @Test func anEndpointOfAnotherServiceHasNoProfileAddress() throws {
        let endpoints = try #require(PushEndpoints(server: "https://gateway.example.com/push"))
        let credential = PushCredential(
            id: "m",
            account: AccountProfile(issuer: "Forge", accountName: "demo"),
            endpoints: endpoints,
            sharedSecret: .random(),
            createdAt: Date()
        )
        #expect(throws: RemovalObstacle.noAddress) { try ProfileRemoval(of: credential, with: session) }
    }

    private func credential(resourceId: String?, query: String = "") throws -> PushCredential {
        let base = "https://am.example.com/am/json/alpha/push/sns/message?_action="
        var credential = PushCredential(
            id: "m",
            account: AccountProfile(issuer: "Forge", accountName: "de mo"),
            endpoints: try #require(
                PushEndpoints(
                    registration: "\(base)register\(query)",
                    authentication: "\(base)authenticate\(query)"
                )
            ),
            sharedSecret: .random(),
            createdAt: Date()
        )
        credential.deviceResourceId = resourceId
        credential.legacy = LegacyDetails(
            registration: LegacyRegistration(
                messageId: "REGISTER:1",
                challenge: nil,
                loadBalancer: "amlbcookie=01"
            )
        )
        return credential
    }

    private static func list(_ profiles: [JSONValue]) -> JSONValue { ["result": .array(profiles)] }

    private static func profile(_ mechanismUid: String, id: String) -> JSONValue {
        ["_id": .string(id), "uuid": .string(id), "deviceMechanismUID": .string(mechanismUid)]
    }

    private func answer(_ status: Int, _ body: JSONValue) -> PushResponse {
        PushResponse(status: status, body: body.data)
    }
}

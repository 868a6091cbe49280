import Foundation
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

@Suite("Device token")
struct DeviceTokenTests {
    @Test func bytesAreStoredInHexadecimal() async throws {
        let fixture = try await PushClientFixture()
        try await fixture.client.setDeviceToken(Data([0x00, 0x0F, 0xFF]))
        #expect(try await fixture.client.getDeviceToken() == "000fff")
        #expect(fixture.server.requests.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func aChangedTokenIsSentOnceToEveryServer(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        let first = try await fixture.enrol("babs")
        let second = try await fixture.enrol("scarter")
        try await fixture.client.setDeviceToken("0a0b")
        try await fixture.client.setDeviceToken("0A0B")
        let refreshes = fixture.server.requests.filter { $0.action == .refresh }
        let ids = Set([first.id, second.id].map(JSONValue.string))
        #expect(refreshes.count == 2)
        #expect(Set(refreshes.compactMap { $0["mechanismUid"] }) == ids)
    }

    @Test(arguments: StoreKind.allCases)
    func onlyTheServerThatFailedIsAskedAgain(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        let failing = try await fixture.enrol("babs").id
        try await fixture.enrol("scarter")
        fixture.server.willAnswer { $0["mechanismUid"] == .string(failing) ? .fault : .ok }
        await #expect(throws: PushError.networkFailure("The server failed (HTTP 500).", nil)) {
            try await fixture.client.setDeviceToken("0a0b")
        }
        #expect(fixture.server.requests.filter { $0.action == .refresh }.count == 2)
        fixture.server.willAnswer { _ in .ok }
        // As after a restart, another client on the same storage finds the credentials whose token is not
        // confirmed.
        let later = try await PushClient.createClient { config in
            config.storage = fixture.storage
            config.transport = fixture.server
        }
        try await later.setDeviceToken("0a0b")
        let refreshes = fixture.server.requests.filter { $0.action == .refresh }
        #expect(refreshes.count == 3)
        #expect(refreshes.last?["mechanismUid"] == .string(failing))
        #expect(try await later.getDeviceToken() == "0a0b")
    }

    @Test(arguments: StoreKind.allCases)
    func aServerThatDoesNotRespondReceivesOneRequestForAllCredentials(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        for name in ["a", "b", "c"] { try await fixture.enrol(name) }
        fixture.server.willAnswer { _ in throw PushTransportError.timedOut }
        await #expect(
            throws: PushError.networkFailure(
                "The server could not be reached: it did not respond in time."
            )
        ) {
            try await fixture.client.setDeviceToken("0a0b")
        }
        #expect(fixture.server.requests.filter { $0.action == .refresh }.count == 1)
        fixture.server.willAnswer { _ in .ok }
        try await fixture.client.setDeviceToken("0a0b")
        #expect(fixture.server.requests.filter { $0.action == .refresh }.count == 4)
    }

    @Test(arguments: StoreKind.allCases)
    func anAcceptedTokenIsStoredEvenIfTheClientWasClosed(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        try await fixture.enrol("babs")
        try await fixture.enrol("scarter")
        let client = fixture.client
        fixture.server.willAnswer { _ in
            await client.close()
            return .ok
        }
        await #expect(throws: PushError.notInitialized) { try await client.setDeviceToken("0a0b") }
        let interrupted = fixture.server.requests.filter { $0.action == .refresh }.map { $0["mechanismUid"] }
        let later = try await PushClient.createClient { config in
            config.storage = fixture.storage
            config.transport = fixture.server
        }
        try await later.setDeviceToken("0a0b")
        let all = fixture.server.requests.filter { $0.action == .refresh }.map { $0["mechanismUid"] }
        #expect(interrupted.count == 1)
        #expect(all.count == 2)
        #expect(Set(all).count == 2)
    }

    @Test func updatingOneCredentialLeavesTheOthersUnconfirmed() async throws {
        let fixture = try await PushClientFixture()
        let first = try await fixture.enrol("babs").id
        let second = try await fixture.enrol("scarter").id
        try await fixture.client.setDeviceToken("0a0b", credentialId: second)
        try await fixture.client.setDeviceToken("0a0b")
        let refreshed = fixture.server.requests.filter { $0.action == .refresh }.map { $0["mechanismUid"] }
        #expect(refreshed == [.string(second), .string(first)])
        await #expect(throws: PushError.credentialNotFound("unknown")) {
            try await fixture.client.setDeviceToken("0a0b", credentialId: "unknown")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func theNewestTokenIsTheLastOneSentToServers(_ kind: StoreKind) async throws {
        let fixture = try await PushClientFixture(kind)
        try await fixture.enrol()
        let tasks = (1...5).map { fixture.client.setDeviceToken(Data([UInt8($0)])) as Task<Bool, any Error> }
        for task in tasks { _ = try await task.value }
        let refreshes = fixture.server.requests.filter { $0.action == .refresh }
        let known = try await fixture.client.getCredentials().first?.sharedSecret
        let last = try refreshes.last?.claims(signedWith: #require(known))
        #expect(last?["deviceId"] == "05")
        #expect(try await fixture.client.getDeviceToken() == "05")
    }
}

import Foundation
import PingPush
import PushBridgeCore
import PushBridgePlatform
import Testing

@Suite("Device token")
struct DeviceTokenTests {
    @Test func bytesAreStoredInHexadecimal() async throws {
        let bench = try await Bench()
        try await bench.client.setDeviceToken(Data([0x00, 0x0F, 0xFF]))
        #expect(try await bench.client.getDeviceToken() == "000fff")
        #expect(bench.server.requests.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func aChangedTokenIsSentOnceToEveryServer(_ kind: StoreKind) async throws {
        let bench = try await Bench(kind)
        let first = try await bench.enrol("babs")
        let second = try await bench.enrol("scarter")
        try await bench.client.setDeviceToken("0a0b")
        try await bench.client.setDeviceToken("0A0B")
        let refreshes = bench.server.requests.filter { $0.action == .refresh }
        let ids = Set([first.id, second.id].map(JSONValue.string))
        #expect(refreshes.count == 2)
        #expect(Set(refreshes.compactMap { $0["mechanismUid"] }) == ids)
    }

    @Test(arguments: StoreKind.allCases)
    func onlyTheServerThatFailedIsAskedAgain(_ kind: StoreKind) async throws {
        let bench = try await Bench(kind)
        let failing = try await bench.enrol("babs").id
        try await bench.enrol("scarter")
        bench.server.willAnswer { $0["mechanismUid"] == .string(failing) ? .fault : .ok }
        await #expect(throws: PushError.networkFailure("The server failed (HTTP 500).", nil)) {
            try await bench.client.setDeviceToken("0a0b")
        }
        #expect(bench.server.requests.filter { $0.action == .refresh }.count == 2)
        bench.server.willAnswer { _ in .ok }
        // As after a restart, another client on the same storage finds the credentials whose token is not
        // confirmed.
        let later = try await PushClient.createClient { config in
            config.storage = bench.storage
            config.transport = bench.server
        }
        try await later.setDeviceToken("0a0b")
        let refreshes = bench.server.requests.filter { $0.action == .refresh }
        #expect(refreshes.count == 3)
        #expect(refreshes.last?["mechanismUid"] == .string(failing))
        #expect(try await later.getDeviceToken() == "0a0b")
    }

    @Test(arguments: StoreKind.allCases)
    func aServerThatDoesNotRespondReceivesOneRequestForAllCredentials(_ kind: StoreKind) async throws {
        let bench = try await Bench(kind)
        for name in ["a", "b", "c"] { try await bench.enrol(name) }
        bench.server.willAnswer { _ in throw PushTransportError.timedOut }
        await #expect(
            throws: PushError.networkFailure(
                "The server could not be reached: it did not answer in time."
            )
        ) {
            try await bench.client.setDeviceToken("0a0b")
        }
        #expect(bench.server.requests.filter { $0.action == .refresh }.count == 1)
        bench.server.willAnswer { _ in .ok }
        try await bench.client.setDeviceToken("0a0b")
        #expect(bench.server.requests.filter { $0.action == .refresh }.count == 4)
    }

    @Test(arguments: StoreKind.allCases)
    func anAcceptedTokenIsStoredEvenIfTheClientWasClosed(_ kind: StoreKind) async throws {
        let bench = try await Bench(kind)
        try await bench.enrol("babs")
        try await bench.enrol("scarter")
        let client = bench.client
        bench.server.willAnswer { _ in
            await client.close()
            return .ok
        }
        await #expect(throws: PushError.notInitialized) { try await client.setDeviceToken("0a0b") }
        let told = bench.server.requests.filter { $0.action == .refresh }.map { $0["mechanismUid"] }
        let later = try await PushClient.createClient { config in
            config.storage = bench.storage
            config.transport = bench.server
        }
        try await later.setDeviceToken("0a0b")
        let all = bench.server.requests.filter { $0.action == .refresh }.map { $0["mechanismUid"] }
        #expect(told.count == 1)
        #expect(all.count == 2)
        #expect(Set(all).count == 2)
    }

    @Test func updatingOneCredentialLeavesTheOthersUnconfirmed() async throws {
        let bench = try await Bench()
        let first = try await bench.enrol("babs").id
        let second = try await bench.enrol("scarter").id
        try await bench.client.setDeviceToken("0a0b", credentialId: second)
        try await bench.client.setDeviceToken("0a0b")
        let refreshed = bench.server.requests.filter { $0.action == .refresh }.map { $0["mechanismUid"] }
        #expect(refreshed == [.string(second), .string(first)])
        await #expect(throws: PushError.credentialNotFound("unknown")) {
            try await bench.client.setDeviceToken("0a0b", credentialId: "unknown")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func theNewestTokenIsTheLastOneSentToServers(_ kind: StoreKind) async throws {
        let bench = try await Bench(kind)
        try await bench.enrol()
        let tasks = (1...5).map { bench.client.setDeviceToken(Data([UInt8($0)])) as Task<Bool, any Error> }
        for task in tasks { _ = try await task.value }
        let told = bench.server.requests.filter { $0.action == .refresh }
        let known = try await bench.client.getCredentials().first?.sharedSecret
        let last = try told.last?.claims(signedWith: #require(known))
        #expect(last?["deviceId"] == "05")
        #expect(try await bench.client.getDeviceToken() == "05")
    }
}

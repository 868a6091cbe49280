import FRAuthenticator
import Foundation
import PingAMSimulator
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

@Suite("Token states of the legacy API")
struct TokenStateTests {
    /// Returns a phone whose mechanism was enrolled with AM 8.0.0, and whose server has the given version afterwards.
    private func enrolled(_ version: ServerVersion, userId: String? = nil) async throws -> Phone {
        let phone = try await Phone(.legacy, settings: .version(.v8_0_0))
        try await phone.enrol(userId: userId)
        phone.server.withService { $0.settings.version = version }
        return phone
    }

    @Test func withoutAUserIdTheAccountNameIsSent() async throws {
        let phone = try await enrolled(.v8_0_2)
        #expect(await phone.update("BB") == nil)
        #expect(try phone.state == .known)
        #expect(phone.server.journal.last?.body["username"] == "demo")
    }

    @Test func aKnownUserIdEndsTheStateUserUnknown() async throws {
        let phone = try await enrolled(.v8_0_2, userId: "user-1")
        #expect(await phone.update("BB") != nil)
        #expect(try phone.state == .userUnknown(retryAt: phone.retryAt))
        #expect(phone.handler.setUserId("user-1", for: try phone.mechanism))
        #expect(try phone.state == .owed)
        #expect(await phone.update("BB") == nil)
        #expect(try phone.state == .known)
        phone.server.withService { $0.resetDevices(of: "user-1", in: "/alpha") }
        #expect(await phone.update("CC") != nil)
        #expect(try phone.state == .refused(retryAt: phone.retryAt))
        // A second rejection one minute later does not change the state.
        let retryAt = phone.retryAt
        phone.time.withValue { $0 += 60 }
        #expect(await phone.update("CC") != nil)
        #expect(try phone.state == .refused(retryAt: retryAt))
        phone.time.withValue { $0 += 3600 }
        #expect(await phone.update("CC") != nil)
        #expect(try phone.state == .replaced(retryAt: phone.time.withValue { $0 } + 7.5 * 24 * 3600))
    }

    @Test func mistypedUserIsNotReportedAsReplacedDevice() async throws {
        let phone = try await enrolled(.v8_0_2, userId: "user-1")
        #expect(phone.handler.setUserId("user-2", for: try phone.mechanism))
        for _ in 0..<2 {
            #expect(await phone.update("BB") != nil)
            guard case .userUnknown? = try phone.state else {
                Issue.record("The state is \(String(describing: try phone.state)) instead of userUnknown.")
                return
            }
            phone.time.withValue { $0 += 8 * 24 * 3600 }
        }
    }

    /// The app is launched 30 times, every hour or every day, but the server receives at most five requests.
    @Test(arguments: [3600, 86_400, 86_460] as [TimeInterval])
    func aServerWithoutTokenUpdatesReceivesAtMostFiveRequests(_ pause: TimeInterval) async throws {
        let phone = try await enrolled(.v8_0_0)
        for _ in 0..<30 {
            try await waitForCall("the servers to receive the token") { done in
                phone.handler.didRegister(Data([0xBB])) { done(()) }
            }
            phone.time.withValue { $0 += pause }
        }
        #expect(phone.server.journal.count { $0.action == "refresh" } == (pause == 3600 ? 2 : 5))
        #expect(phone.server.journal.last?.status == 501)
    }
}

extension Phone {
    fileprivate var mechanism: PushMechanism {
        get throws {
            let account = try #require(legacyClient.getAccount(identifier: "Example-demo"))
            return try #require(account.mechanisms.first as? PushMechanism)
        }
    }

    /// Sends a token to the server, regardless of earlier responses.
    ///
    /// Returns the error; `nil` if the server accepted the token.
    fileprivate func update(_ token: String) async -> (any Error)? {
        await outcome { [handler] succeed, fail in
            handler.updateDeviceToken(deviceToken: token, onSuccess: succeed, onFailure: fail)
        }.error
    }

    fileprivate var state: DeviceTokenState? { get throws { handler.tokenState(of: try mechanism) } }
    fileprivate var retryAt: Date { time.withValue { $0 } + 3600 }
}

/// The number of store operations that a token update of many mechanisms needs.
@Suite("Device tokens of many mechanisms")
struct ManyTokensTests {
    @Test(arguments: [200, 501])
    func aTokenUpdateNeedsAConstantNumberOfStoreOperations(_ status: Int) async throws {
        var operations: [Int] = []
        for count in [10, 500] {
            let memory = MemoryCredentialStore()
            for number in 0..<count { try memory.write { try $0.save(Self.credential(number)) } }
            let store = FaultyStore(memory, failingAt: .max)
            let server = Counting(status: status)
            var configuration = Authenticator.Configuration()
            configuration.store = { store }
            configuration.deviceName = { "Phone" }
            configuration.transport = server
            let handler = FRAPushHandler(Authenticator(configuration))
            let error = await outcome { succeed, fail in
                handler.updateDeviceToken(deviceToken: "BB", onSuccess: succeed, onFailure: fail)
            }.error
            #expect((error == nil) == (status == 200))
            operations.append(store.operations)
            // If a server does not support updates, the client tries the update for only one of its
            // mechanisms.
            #expect(server.requests.withValue { $0 } == (status == 200 ? count : 1))
            let token = try #require(try memory.read { try $0.deviceToken() })
            #expect(token.unconfirmedCredentialIds.count == (status == 200 ? 0 : count))
        }
        // The number of operations does not depend on the number of mechanisms.
        #expect(operations[0] == operations[1])
    }

    private struct Counting: PushTransport {
        let status: Int
        let requests = Lock(0)

        func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
            requests.withValue { $0 += 1 }
            return PushResponse(status: status, body: Data("{}".utf8))
        }
    }

    private static func credential(_ number: Int) throws -> PushBridgeCore.PushCredential {
        PushBridgeCore.PushCredential(
            id: "id-\(number)",
            account: AccountProfile(issuer: "Forge", accountName: "user-\(number)"),
            endpoints: try #require(PushEndpoints(server: "https://am.example.com/json/push/sns/message")),
            sharedSecret: .random(),
            createdAt: Date(timeIntervalSince1970: 1_600_000_000)
        )
    }
}

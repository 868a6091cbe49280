import FRAuthenticator
import Foundation
import PingAMSimulator
import PushBridgeCore
import PushBridgePlatform
import Testing

@Suite("Token states of the legacy API")
struct TokenStateTests {
    /// A mechanism that was enrolled before servers named their users.
    private struct Phone {
        let server: Simulator
        let client: FRAClient
        let handler: FRAPushHandler
        let clock = Lock(Date(timeIntervalSince1970: 1_700_000_000))

        init(_ version: ServerVersion, userId: String? = nil) async throws {
            var settings = ServiceSettings()
            settings.version = .v8_0_0
            let server = Simulator(settings: settings)
            self.server = server
            let store = MemoryCredentialStore()
            var configuration = Authenticator.Configuration()
            configuration.store = { store }
            configuration.deviceName = { "Phone" }
            configuration.transport = server
            configuration.now = { [clock] in clock.withValue { $0 } }
            let authenticator = Authenticator(configuration)
            client = FRAClient(authenticator)
            handler = FRAPushHandler(authenticator)
            handler.application(.shared, didRegisterForRemoteNotificationsWithDeviceToken: Data([0xAA]))
            var order = RegistrationOrder(issuer: "Forge", account: "demo")
            order.userId = userId
            let url = try #require(URL(string: try server.createCode(order).uri))
            let report = await outcome { [client] succeed, fail in
                client.createMechanismFromUri(uri: url, onSuccess: { _ in succeed() }, onError: fail)
            }
            #expect(report.error == nil)
            server.withService { $0.settings.version = version }
        }

        var mechanism: PushMechanism {
            get throws {
                let account = try #require(client.getAccount(identifier: "Forge-demo"))
                return try #require(account.mechanisms.first as? PushMechanism)
            }
        }

        /// Tells the server a token, whatever it said before; why that failed.
        func update(_ token: String) async -> (any Error)? {
            await outcome { [handler] succeed, fail in
                handler.updateDeviceToken(deviceToken: token, onSuccess: succeed, onFailure: fail)
            }.error
        }

        var state: TokenState? { get throws { handler.tokenState(of: try mechanism) } }
        var retryAt: Date { clock.withValue { $0 } + 3600 }
    }

    @Test func accountsNameIsTakenForTheUsers() async throws {
        let phone = try await Phone(.v8_0_2)
        #expect(await phone.update("BB") == nil)
        #expect(try phone.state == .known)
        #expect(phone.server.journal.last?.body["username"] == "demo")
    }

    @Test func unknownUserIsAStateThatTheAppResolves() async throws {
        let phone = try await Phone(.v8_0_2, userId: "user-1")
        #expect(await phone.update("BB") != nil)
        #expect(try phone.state == .userUnknown(retryAt: phone.retryAt))
        #expect(phone.handler.setUserId("user-1", for: try phone.mechanism))
        #expect(try phone.state == .owed)
        #expect(await phone.update("BB") == nil)
        #expect(try phone.state == .known)
        phone.server.withService { $0.resetDevices(of: "user-1") }
        #expect(await phone.update("CC") != nil)
        #expect(try phone.state == .replaced(retryAt: phone.retryAt))
    }

    @Test func serverWithoutUpdatesIsAskedAtMostFiveTimesInThirtyLaunches() async throws {
        let phone = try await Phone(.v8_0_0)
        for _ in 0..<30 {
            let asked = phone.server.journal.count
            phone.handler.application(.shared, didRegisterForRemoteNotificationsWithDeviceToken: Data([0xBB]))
            // Who asks tells in the background; who does not ask has done so at once.
            if phone.server.journal.count == asked { try await Task.sleep(for: .milliseconds(20)) }
            phone.clock.withValue { $0 += 3600 }
        }
        #expect(phone.server.journal.count { $0.action == "refresh" } <= 5)
        #expect(phone.server.journal.last?.status == 501)
    }
}

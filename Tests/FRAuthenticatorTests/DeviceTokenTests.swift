import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

@Suite("The device token of the legacy API")
struct DeviceTokenTests {
    /// Enrols at two servers, one of which then fails every request.
    private func twoServers(_ kind: StoreKind) async throws -> ClientFixture {
        let fixture = try ClientFixture(kind)
        fixture.setToken()
        _ = try await fixture.create(ClientFixture.uri("good", server: "https://good.example.com"))
        _ = try await fixture.create(ClientFixture.uri("bad", server: "https://bad.example.com"))
        fixture.server.willAnswer { $0.url.contains("bad") ? .fault : .ok }
        return fixture
    }

    @Test(arguments: StoreKind.allCases)
    func theTokenIsKeptInUpperCase(_ kind: StoreKind) throws {
        let fixture = try ClientFixture(kind)
        fixture.setToken([0x0A, 0xBC])
        #expect(fixture.handler.deviceToken == "0ABC")
        fixture.handler.clearDeviceToken()
        #expect(fixture.handler.deviceToken == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func aServerThatFailedReceivesTheTokenLater(_ kind: StoreKind) async throws {
        let fixture = try await twoServers(kind)
        let failed = await outcome {
            fixture.handler.updateDeviceToken(deviceToken: "aa11", onSuccess: $0, onFailure: $1)
        }
        #expect(failed.code == 1_100_003)
        #expect(failed.isOnMainQueue)
        guard case PushNotificationError.updateFailed(let errors)? = failed.error else { return }
        #expect(errors.count == 1)
        let resent = Awaited<PushRequest>()
        fixture.server.willAnswer { request in
            resent.provide(request)
            return .ok
        }
        fixture.setToken([0xAA, 0x11])
        let request = try await resent.value("the server to receive the token again")
        #expect(request.url.contains("bad"))
        #expect(request.claims?["deviceId"] == "aa11")
        #expect(fixture.server.requests.filter { $0.action == .refresh }.count == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func aServerThatDoesNotAnswerIsAskedOnce(_ kind: StoreKind) async throws {
        let fixture = try ClientFixture(kind)
        for name in ["a", "b", "c"] { try await fixture.enrol(name) }
        func update() async -> (report: Report, requests: Int) {
            let report = await outcome {
                fixture.handler.updateDeviceToken(deviceToken: "aa11", onSuccess: $0, onFailure: $1)
            }
            return (report, fixture.server.requests.filter { $0.action == .refresh }.count)
        }
        fixture.server.willAnswer { _ in throw PushTransportError.timedOut }
        let failed = await update()
        #expect(failed.requests == 1)
        guard case PushNotificationError.updateFailed(let errors)? = failed.report.error else {
            Issue.record("The call did not report updateFailed, but \(failed.report).")
            return
        }
        #expect(errors.count == 3)
        fixture.server.willAnswer { _ in .ok }
        let retried = await update()
        #expect(retried.report.error == nil)
        #expect(retried.requests == 4)
    }

    @Test func aTokenUpdateFailsWithoutMechanisms() async throws {
        let fixture = try ClientFixture()
        let report = await outcome {
            fixture.handler.updateDeviceToken(deviceToken: "aa", onSuccess: $0, onFailure: $1)
        }
        #expect(report.code == 1_100_002)
        #expect(report.isOnMainQueue)
    }

    @Test(arguments: StoreKind.allCases)
    func oneMechanismIsUpdatedAlone(_ kind: StoreKind) async throws {
        let fixture = try await twoServers(kind)
        let mechanisms = fixture.client.getAllAccounts().flatMap(\.mechanisms)
        let good = try #require(mechanisms.first { $0.accountName == "good" } as? PushMechanism)
        let report = await outcome {
            fixture.handler.updateDeviceToken(
                mechanism: good,
                deviceToken: "bb22",
                onSuccess: $0,
                onFailure: $1
            )
        }
        #expect(report.error == nil)
        #expect(!report.isOnMainQueue)
        #expect(fixture.server.requests.filter { $0.action == .refresh }.count == 1)
        #expect(fixture.handler.deviceToken == "bb22")
    }

    @Test func aFailedRegistrationWithApplesServersClearsTheToken() throws {
        let fixture = try ClientFixture()
        fixture.setToken()
        fixture.handler.application(
            .shared,
            didFailToRegisterForRemoteNotificationsWithError: CocoaError(.featureUnsupported)
        )
        #expect(fixture.handler.deviceToken == nil)
    }
}

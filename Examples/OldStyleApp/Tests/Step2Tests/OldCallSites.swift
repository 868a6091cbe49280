import FRAuthenticator
import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCore
import Testing

#if STEP_2
@testable import Step2
#else
@testable import Step1
#endif

/// Tests the app's call sites, which steps 1 and 2 of the guide do not change.
@Suite(.serialized)
struct OldCallSites {
    @Test func anAccountIsEnrolledRenamedAndRemoved() async throws {
        let (app, server) = (try await Phone.app(), try await SimulatorServer.start())
        _ = try await enrol("alice", app, server)
        let account = try #require(app.accounts.accounts.first { $0.accountName == "alice" })
        try app.accounts.rename(account, to: "Alice at work")
        app.accounts.reload()
        #expect(app.accounts.accounts.map(\.displayAccountName).contains("Alice at work"))
        app.accounts.remove(account)
        app.accounts.reload()
        #expect(!app.accounts.accounts.map(\.accountName).contains("alice"))
        await server.stop()
    }

    @Test func everyKindOfPushIsAnswered() async throws {
        let (app, server) = (try await Phone.app(), try await SimulatorServer.start())
        let id = try await enrol("bob", app, server)

        let tap = try receive(.default, id, app, server)
        #expect(app.pushes.pending().map(\.messageId).contains(tap.messageId))
        #expect(await failure { app.pushes.approve(tap, completion: $0) } == nil)

        let choice = try receive(.challenge, id, app, server)
        let number = try #require(choice.numbersChallengeArray?.first)
        #expect(await failure { app.pushes.choose(number, for: choice, completion: $0) } == nil)

        let face = try receive(.biometric, id, app, server)
        #expect(await failure { app.pushes.approveWithFace(face, completion: $0) } == nil)

        let denied = try receive(.default, id, app, server)
        #expect(await failure { app.pushes.deny(denied, completion: $0) } == nil)

        let states = [tap, choice, face, denied].map { server.simulator.state(ofPush: $0.messageId) }
        #expect(states == [.approved, .approved, .approved, .denied])
        await server.stop()
    }

    @Test func aSecondAnswerIsRefused() async throws {
        let (app, server) = (try await Phone.app(), try await SimulatorServer.start())
        let push = try receive(.default, try await enrol("carol", app, server), app, server)
        #expect(await failure { app.pushes.approve(push, completion: $0) } == nil)
        #expect(await failure { app.pushes.deny(push, completion: $0) } != nil)
        #expect(server.simulator.state(ofPush: push.messageId) == .approved)
        await server.stop()
    }
}

/// Enrols an account by scanning a code, and returns the id of its mechanism.
func enrol(_ name: String, _ app: AppDelegate, _ server: SimulatorServer) async throws -> String {
    app.application(
        UIApplication.shared,
        didRegisterForRemoteNotificationsWithDeviceToken: Data([0xf7, 0x9b])
    )
    let order = RegistrationOrder(issuer: "Example", account: name)
    let code = try server.simulator.createRegistration(order).uri(labelIssuer: "forgerock")
    #expect(await failure { app.accounts.scanned(code, completion: $0) } == nil)
    app.accounts.reload()
    let account = try #require(app.accounts.accounts.first { $0.accountName == name })
    return try #require(account.mechanisms.first?.mechanismUUID)
}

/// Makes the server create the push of a login, and passes the push to the app delegate as the system would.
func receive(
    _ kind: PushBridgeCore.PushType,
    _ id: String,
    _ app: AppDelegate,
    _ server: SimulatorServer
) throws -> FRAuthenticator.PushNotification {
    let order = PushOrder(mechanismUid: id, type: kind, numbers: "34,43,57")
    let push = try server.simulator.createPush(order)
    let object = try JSONSerialization.jsonObject(with: push.payload.data)
    let payload = try #require(object as? [AnyHashable: Any])
    let received = app.application(UIApplication.shared, didReceiveRemoteNotification: payload)
    return try #require(received)
}

/// Returns the error message of a call, or `nil` after a success.
func failure(_ call: (@escaping (String?) -> Void) -> Void) async -> String? {
    await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }
}

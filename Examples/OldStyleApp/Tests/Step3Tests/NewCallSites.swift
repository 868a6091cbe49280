import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PingPush
import Testing

@testable import Step3

/// Tests the app's call sites after step 3, which moves them to the async API.
@Suite
struct NewCallSites {
    @Test func anAccountIsEnrolledRenamedAndRemoved() async throws {
        let (app, legacy) = try await launch()
        let code = try legacy.server.simulator.createRegistration(
            RegistrationOrder(issuer: "Example", account: "alice")
        )
        try await app.accounts.scanned(code.uri(labelIssuer: "forgerock"))
        try await app.accounts.reload()
        #expect(app.accounts.accounts.map(\.accountName) == ["veteran", "alice"])
        try await app.accounts.rename(app.accounts.accounts[1], to: "Alice at work")
        try await app.accounts.reload()
        #expect(app.accounts.accounts.map(\.displayAccountName) == ["veteran", "Alice at work"])
        try await app.accounts.remove(app.accounts.accounts[1])
        try await app.accounts.reload()
        #expect(app.accounts.accounts.map(\.accountName) == ["veteran"])
        await legacy.server.stop()
    }

    @Test func everyKindOfPushIsAnswered() async throws {
        let (app, legacy) = try await launch()
        let tap = try await receive(.default, app, legacy)
        #expect(try await app.pushes.pending() == [tap])
        #expect(try await app.pushes.approve(tap))

        let choice = try await receive(.challenge, app, legacy)
        let number = try #require(choice.getNumbersChallenge().first)
        #expect(try await app.pushes.choose(number, for: choice))

        let face = try await receive(.biometric, app, legacy)
        #expect(try await app.pushes.approveWithFace(face) == false)
        app.pushes.authenticate = { _ in true }
        #expect(try await app.pushes.approveWithFace(face))

        let denied = try await receive(.default, app, legacy)
        #expect(try await app.pushes.deny(denied))

        let states = [tap, choice, face, denied].map { legacy.server.simulator.state(ofPush: $0.messageId) }
        #expect(states == [.approved, .approved, .approved, .denied])
        await legacy.server.stop()
    }

    @Test func aSecondAnswerReturnsFalse() async throws {
        let (app, legacy) = try await launch()
        let push = try await receive(.default, app, legacy)
        #expect(try await app.pushes.approve(push))
        #expect(try await app.pushes.deny(push) == false)
        #expect(legacy.server.simulator.state(ofPush: push.messageId) == .approved)
        await legacy.server.stop()
    }

    @Test func anUnchangedDeviceTokenIsNotSentAgain() async throws {
        let (app, legacy) = try await launch()
        try await app.didRegisterForRemoteNotifications(deviceToken: Data([0xf7, 0x9b]))
        #expect(legacy.server.simulator.journal.map(\.action) == ["register"])
        try await app.didRegisterForRemoteNotifications(deviceToken: Data([0x01]))
        try await app.didRegisterForRemoteNotifications(deviceToken: Data([0x01]))
        #expect(legacy.server.simulator.journal.map(\.action) == ["register", "refresh"])
        await legacy.server.stop()
    }

    private func launch() async throws -> (AppDelegate, LegacyPhone) {
        let legacy = try await LegacyPhone(account: "veteran")
        return (try await AppDelegate(launchedIn: legacy.folder), legacy)
    }

    private func receive(
        _ kind: PushType,
        _ app: AppDelegate,
        _ legacy: LegacyPhone
    ) async throws -> PushNotification {
        let push = try legacy.server.simulator.createPush(
            PushOrder(mechanismUid: legacy.mechanismId, type: kind, numbers: "34,43,57")
        )
        let object = try JSONSerialization.jsonObject(with: push.payload.data)
        let payload = try #require(object as? [AnyHashable: Any])
        return try #require(try await app.didReceiveRemoteNotification(payload))
    }
}

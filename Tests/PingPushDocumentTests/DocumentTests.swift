import Foundation
import PingAMSimulator
import PingPush
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

/// The snippets of the successor SDK's guide, run against a simulated push service.
@Suite("Document", .processState)
final class DocumentTests {
    private let storage = CredentialStoreStorage(MemoryCredentialStore())

    deinit { NetworkHooks.shared.setSession(configuration: nil) }

    private func start() async throws -> (DocumentApp, Simulator) {
        NetworkHooks.shared.setSession(configuration: { Simulator.sessionConfiguration })
        let app = DocumentApp(try await DocumentApp.createClient(storage: storage))
        return (app, Simulator())
    }

    private func enrol(_ app: DocumentApp, _ server: Simulator) async throws -> PushCredential {
        try await app.pushClient.setDeviceToken("abcd")
        let registration = try server.createRegistration(
            RegistrationOrder(issuer: "Example", account: "babs")
        )
        return try await app.pushClient.addCredentialFromUri(registration.uri(labelIssuer: "forgerock"))
    }

    private func receive(
        _ type: PushType,
        _ credential: PushCredential,
        _ app: DocumentApp,
        _ server: Simulator
    ) async throws -> PushNotification {
        var order = PushOrder(mechanismUid: credential.id, type: type, message: "Sign in?")
        order.numbers = "34,43,57"
        let push = try server.createPush(order)
        let before = app.processed.withValue { $0 }
        app.userNotificationCenter(
            UNUserNotificationCenter(),
            didReceive: UNNotificationResponse(userInfo: try push.userInfo()),
            withCompletionHandler: {}
        )
        try await waitFor("the delegate's task to end") { app.processed.withValue { $0 } > before }
        return try #require(await app.pushClient.getPendingNotifications().first)
    }

    @Test func theSampleCodeIsRefusedForItsMissingParameter() async throws {
        let (app, _) = try await start()
        try await app.pushClient.setDeviceToken("abcd")
        await #expect(throws: PushError.invalidUri("The URI lacks the parameter s.")) {
            try await app.createCredential()
        }
        try await app.explain("https://example.com")
        #expect(app.screen.first?.hasPrefix("Invalid URI: ") == true)
    }

    @Test func credentialsAreListedRenamedAndDeleted() async throws {
        let (app, server) = try await start()
        let credential = try await enrol(app, server)
        #expect(try await app.loadCredentials() == [credential])
        try await app.rename(app.loadCredentials())
        let renamed = try await app.loadCredential(credential.id)
        #expect(renamed?.displayIssuer == "Example.com Checking Account")
        #expect(renamed?.displayAccountName == "Babs Jensen")
        #expect(renamed?.issuer == "Example")
        #expect(try await app.delete(credential.id))
        #expect(try await app.loadCredentials() == [])
    }

    @Test func theDeviceTokenReachesTheServer() async throws {
        let (app, server) = try await start()
        let credential = try await enrol(app, server)
        let tokens: [Data] = [Data([1, 2]), Data([3, 4])]
        app.application(UIApplication(), didRegisterForRemoteNotificationsWithDeviceToken: tokens[0])
        try await waitFor("the first token to be known") { server.token(of: credential) == "0102" }
        app.updateToken(tokens[1], of: credential.id)
        try await waitFor("the second token to be known") { server.token(of: credential) == "0304" }
        #expect(try await app.pushClient.getDeviceToken() == "0304")
    }

    @Test func everyKindOfPushIsShownAndAnswered() async throws {
        let (app, server) = try await start()
        let credential = try await enrol(app, server)
        let tap = try await receive(.default, credential, app, server)
        try await app.approve(tap.id)
        let number = try await receive(.challenge, credential, app, server)
        let shown = try #require(number.getNumbersChallenge().first)
        try await app.approveChallenge(number.id, userSelectedResponse: "\(shown)")
        let biometric = try await receive(.biometric, credential, app, server)
        try await app.approveBiometric(biometric.id)
        let denied = try await receive(.default, credential, app, server)
        try await app.deny(denied.id)
        let states = [tap, number, biometric, denied].map { server.state(ofPush: $0.messageId) }
        #expect(states == [.approved, .approved, .approved, .denied])
        #expect(
            app.screen == [
                "default Sign in?", "challenge \(number.getNumbersChallenge())", "biometric Sign in?",
                "default Sign in?",
            ]
        )
    }

    @Test func storedNotificationsAreShownAndCleanedUp() async throws {
        let (app, server) = try await start()
        let credential = try await enrol(app, server)
        let push = try await receive(.default, credential, app, server)
        try await app.showPending()
        try await app.showOne(push.id)
        try await app.approve(push.id)
        try await app.showPending()
        try await app.showOne("nothing")
        try await app.cleanUp(credential.id)
        #expect(
            Array(app.screen.dropFirst()) == [
                "pending 1", "details Sign in?", "pending none", "not found", "Removed 0 old notifications",
                "Removed 0 old notifications for credential \(credential.id)",
            ]
        )
    }

    @Test func aClientThatCleansUpIsConfigured() async throws {
        let client = try await DocumentApp.createClientThatCleansUp(storage: storage)
        #expect(try await client.cleanupNotifications() == 0)
    }

    @Test func aClosedClientThrowsAnError() async throws {
        let (app, _) = try await start()
        await app.close()
        await #expect(throws: PushError.notInitialized) { try await app.pushClient.getCredentials() }
    }

    @Test func aCustomHandlerIsRegisteredInAnArray() async throws {
        let storage = storage
        let (app, server) = try await start()
        let credential = try await enrol(app, server)
        let pushClient = try await PushClient.createClient { config in
            config.storage = storage
            config.customPushHandlers = [CustomPushHandler()]
        }
        let custom: [String: Any] = ["credentialId": credential.id, "messageId": "custom-1"]
        let push = try #require(await pushClient.processNotification(userInfo: ["custom": custom]))
        #expect(try await pushClient.approveNotification(push.id))
        #expect(try await pushClient.getNotification(push.id)?.approved == true)
        #expect(server.journal.map(\.action) == ["register"])
    }
}

extension PushDelivery {
    /// Returns the payload in the form in which iOS delivers it to an app.
    fileprivate func userInfo() throws -> [AnyHashable: Any] {
        let object = try JSONSerialization.jsonObject(with: payload.data)
        return try #require(object as? [AnyHashable: Any])
    }
}

extension Simulator {
    /// Returns the device token that the service has for a credential.
    fileprivate func token(of credential: PushCredential) -> String? {
        withService { $0.devices[credential.id]?.deviceToken }
    }
}

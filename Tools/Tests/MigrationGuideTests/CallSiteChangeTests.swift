import FRAuthenticator
import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PingPush
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// The differences at a call site that moves to the async API.
///
/// The tests are in the order of the guide's table.
@Suite struct CallSiteChangeTests {
    /// The guide's code for a number that the server rejects.
    @Test func theUserCanChooseAgainAfterAWrongNumber() async throws {
        let apis = try await BothApis()
        apis.server.simulator.withService { $0.settings.version = .v8_1_0 }
        let credential = try await apis.enrol()
        for isLegacy in [true, false] {
            let order = PushOrder(mechanismUid: credential.id, type: .challenge, numbers: "34,43,57")
            let sent = try apis.server.simulator.createPush(order)
            let right = try #require(sent.number)
            let wrong = try #require([34, 43, 57].first { $0 != right })
            let object = try JSONSerialization.jsonObject(with: sent.payload.data)
            let userInfo = try #require(object as? [AnyHashable: Any])
            let push = try #require(
                apis.handler.application(UIApplication.shared, didReceiveRemoteNotification: userInfo)
            )
            let id = try #require(
                try await apis.client.getPendingNotifications().first { $0.messageId == push.messageId }
            ).id
            for (number, expected) in [(wrong, false), (right, true)] {
                let isTaken: Bool
                if isLegacy {
                    isTaken = try await waitForCall("the call's callback") { report in
                        WrongNumber.send("\(number)", for: push, isTaken: report) { Issue.record($0) }
                    }
                } else {
                    isTaken = try await WrongNumber.isTaken("\(number)", for: id, by: apis.client)
                }
                #expect(isTaken == expected)
            }
        }
        await apis.server.stop()
    }

    @Test func bothAPIsRejectAChallengeApprovedWithoutANumber() async throws {
        let apis = try await BothApis()
        let (old, new) = try await apis.receive(apis.enrol(), .challenge)
        var reason: (any Error)?
        old.accept(onSuccess: {}, onError: { reason = $0 })
        let isRefused = if case MechanismError.invalidInformation? = reason { true } else { false }
        #expect(isRefused, "The error is reported before the call returns.")
        await #expect(throws: PushError.invalidPushType("The push is of the type challenge.")) {
            try await apis.client.approveNotification(new.id)
        }
        #expect(apis.server.simulator.journal.map(\.action) == ["register"])
        await apis.server.stop()
    }

    @Test func aSecondAnswerReportsAnErrorOrReturnsFalse() async throws {
        let apis = try await BothApis()
        let (old, new) = try await apis.receive(apis.enrol())
        #expect(try await apis.client.approveNotification(new.id))
        let reason = await legacyError { old.deny(onSuccess: $0, onError: $1) }
        let isRefused =
            if case PushNotificationError.notificationInvalidStatus? = reason { true } else { false }
        #expect(isRefused)
        #expect(try await apis.client.denyNotification(new.id) == false)
        #expect(apis.server.simulator.state(ofPush: new.messageId) == .approved)
        await apis.server.stop()
    }

    @Test func aForgedPushReturnsNilOrThrows() async throws {
        let apis = try await BothApis()
        let login = try apis.login(try await apis.enrol())
        var aps = try #require(login["aps"] as? [String: Any])
        aps["data"] = "\(try #require(aps["data"] as? String))A"
        let forged: [AnyHashable: Any] = ["aps": aps]
        #expect(apis.handler.application(.shared, didReceiveRemoteNotification: forged) == nil)
        var refusal: PushError?
        do {
            _ = try await apis.client.processNotification(userInfo: forged)
        } catch let error as PushError {
            refusal = error
        }
        let isRefused = if case .messageParsingFailed? = refusal { true } else { false }
        #expect(isRefused)
        let foreign: [AnyHashable: Any] = ["aps": ["alert": "Sale"]]
        #expect(apis.handler.application(.shared, didReceiveRemoteNotification: foreign) == nil)
        #expect(try await apis.client.processNotification(userInfo: foreign) == nil)
        await apis.server.stop()
    }

    @Test func anAnswerChangesTheLegacyObjectAndNotTheValue() async throws {
        let apis = try await BothApis()
        let (old, new) = try await apis.receive(apis.enrol())
        #expect(await legacyError { old.accept(onSuccess: $0, onError: $1) } == nil)
        #expect(old.isApproved)
        #expect(new.pending)
        #expect(try await apis.client.getNotification(new.id)?.approved == true)
        await apis.server.stop()
    }

    @Test func onlyTheLegacyAPIAuthenticatesTheUser() async throws {
        let apis = try await BothApis(localAuthentication: StubbornUser())
        let (old, new) = try await apis.receive(apis.enrol(), .biometric)
        let reason = await legacyError {
            old.accept(title: "Log in", allowDeviceCredentials: true, onSuccess: $0, onError: $1)
        }
        #expect(reason.map { ($0 as NSError).code } == 6_000_003)
        #expect(apis.server.simulator.state(ofPush: new.messageId) == .waiting)
        try await apis.client.approveBiometricNotification(new.id, authenticationMethod: "face")
        #expect(apis.server.simulator.state(ofPush: new.messageId) == .approved)
        await apis.server.stop()
    }

    @Test func aSecondCodePerAccountIsRejectedOrAddsACredential() async throws {
        let apis = try await BothApis()
        _ = try await apis.enrol()
        let uri = try #require(URL(string: try apis.code()))
        let reason = await legacyError { done, fail in
            apis.legacy.createMechanismFromUri(uri: uri, onSuccess: { _ in done() }, onError: fail)
        }
        let isRefused = if case MechanismError.alreadyExists? = reason { true } else { false }
        #expect(isRefused)
        _ = try await apis.enrol()
        #expect(try await apis.client.getCredentials().count == 2)
        await apis.server.stop()
    }

    @Test func aCodeWithAViolatedPolicyLocksTheAccountOrThrows() async throws {
        let evaluator = FRAPolicyEvaluator()
        try evaluator.registerPolicies(policies: [OldOfficeHours { false }], shouldOverride: false)
        let apis = try await BothApis(
            policyEvaluator: evaluator,
            new: { $0.policyEvaluator = MfaPolicyEvaluator(policies: [NewOfficeHours { false }]) }
        )
        let code = try apis.code(policies: #"{"officeHours":{}}"#)
        await #expect(throws: PushError.policyViolation("officeHours")) {
            try await apis.client.addCredentialFromUri(code)
        }
        let uri = try #require(URL(string: code))
        let reason = await legacyError { done, fail in
            apis.legacy.createMechanismFromUri(uri: uri, onSuccess: { _ in done() }, onError: fail)
        }
        #expect(reason == nil)
        #expect(apis.legacy.getAllAccounts().map(\.lockingPolicy) == ["officeHours"])
        await apis.server.stop()
    }

    @Test func onlyTheAsyncAPIRemovesTheAccountOfACredential() async throws {
        let apis = try await BothApis()
        _ = try await apis.enrol("alice")
        let bob = try await apis.enrol("bob")
        let mechanism = try #require(apis.legacy.getAllAccounts().first?.mechanisms.first)
        apis.legacy.removeMechanism(mechanism: mechanism)
        try await apis.client.deleteCredential(bob.id)
        #expect(apis.legacy.getAllAccounts().map(\.accountName) == ["alice"])
        #expect(try await apis.client.getCredentials() == [])
        await apis.server.stop()
    }

    /// The legacy API returns the token in the spelling that the async API stored, and does not send it again.
    @Test func aDeviceTokenInAnotherSpellingIsNotSentAgain() async throws {
        let apis = try await BothApis()
        _ = try await apis.enrol()
        #expect(apis.handler.deviceToken == "f79b")
        #expect(try await apis.client.getDeviceToken() == "f79b")
        apis.handler.application(
            .shared,
            didRegisterForRemoteNotificationsWithDeviceToken: Data([0xf7, 0x9b])
        )
        #expect(apis.server.simulator.journal.map(\.action) == ["register"])
        await apis.server.stop()
    }

    @Test func tokenUpdatesReportAllFailuresOrOnlyTheFirst() async throws {
        let apis = try await BothApis()
        _ = try await apis.enrol("alice")
        _ = try await apis.enrol("bob")
        await apis.server.stop()
        let reason = await legacyError {
            apis.handler.updateDeviceToken(deviceToken: "01", onSuccess: $0, onFailure: $1)
        }
        let failures =
            if case PushNotificationError.updateFailed(let all)? = reason { all } else { [] as [any Error] }
        #expect(failures.count == 2)
        var failure: PushError?
        do {
            try await apis.client.setDeviceToken("02")
        } catch let error as PushError {
            failure = error
        }
        let isNetwork = if case .networkFailure? = failure { true } else { false }
        #expect(isNetwork)
    }

    @Test func theAPIsListNotificationsInOppositeOrders() async throws {
        let apis = try await BothApis()
        let credential = try await apis.enrol()
        for _ in 0..<3 { _ = try await apis.receive(credential) }
        let old = apis.legacy.getAllNotifications().map(\.messageId)
        #expect(old.count == 3)
        #expect(try await apis.client.getAllNotifications().map(\.messageId) == old.reversed())
        #expect(try await apis.client.getPendingNotifications().map(\.messageId) == old.reversed())
        await apis.server.stop()
    }

    @Test func onlyTheAsyncAPIDeletesOldPushes() async throws {
        let apis = try await BothApis(new: {
            $0.notificationCleanupConfig = NotificationCleanupConfig(maxStoredNotifications: 2)
        })
        let credential = try await apis.enrol()
        for _ in 0..<4 { _ = try await apis.receive(credential) }
        #expect(apis.legacy.getAllNotifications().count == 4)
        _ = try await apis.client.processNotification(userInfo: try apis.login(credential))
        #expect(apis.legacy.getAllNotifications().count == 2)
        await apis.server.stop()
    }
}

/// Local authentication that always fails.
private struct StubbornUser: FRAClient.LocalAuthenticating {
    let isAvailable = true

    func authenticate(
        _ prompt: FRAClient.AuthenticationPrompt,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completion(CancellationError())
    }
}

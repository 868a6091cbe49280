import FRAuthenticator
import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

/// Approvals of a challenge with a wrong number.
///
/// Nodes of AM 8.1.0 respond with status 400; nodes of 7.2 to 8.0.2 accept the answer and deny the login.
@Suite("Wrong numbers")
struct WrongNumberTests {
    /// The result of an answer, as an app sees it.
    private enum Ending: Equatable {
        case accepted
        case wrongNumber(String)
        case gone
        case other(String)
    }

    @Test(arguments: API.allCases)
    func aChallengeStaysPendingUntilTheUserChoosesTheRightNumber(_ api: API) async throws {
        let phone = try await Phone(api, settings: .version(.v8_1_0))
        let push = try await challenge(phone)
        for _ in 0..<2 {
            let ending = try await approve(phone, "\(push.wrong)")
            #expect(ending == .wrongNumber("Bad request."))
            #expect(try phone.stored().map(\.pending) == [true])
            #expect(phone.server.look(afterPush: push.messageId) == .waiting)
        }
        #expect(try await approve(phone, "\(push.right)") == .accepted)
        #expect(phone.answers == 3)
        #expect(phone.server.look(afterPush: push.messageId) == .approved)
        #expect(try phone.stored().map(\.approved) == [true])
    }

    @Test(arguments: API.allCases)
    func aPushCanBeDeniedAfterAWrongNumber(_ api: API) async throws {
        let phone = try await Phone(api, settings: .version(.v8_1_0))
        let push = try await challenge(phone)
        _ = try await approve(phone, "\(push.wrong)")
        #expect(try await deny(phone) == .accepted)
        #expect(phone.server.look(afterPush: push.messageId) == .denied)
    }

    /// If the server discards the message after a wrong number, it rejects a second answer; AM 8.1.0 may do so.
    @Test(arguments: API.allCases)
    func aSecondAnswerIsRejectedIfTheFirstUsedUpTheMessage(_ api: API) async throws {
        var settings = ServiceSettings.version(.v8_1_0)
        settings.alternatives = [.wrongNumberConsumes]
        let phone = try await Phone(api, settings: settings)
        let push = try await challenge(phone)
        #expect(try await approve(phone, "\(push.wrong)") == .wrongNumber("Bad request."))
        #expect(phone.server.look(afterPush: push.messageId) == .denied)
        #expect(try await approve(phone, "\(push.right)") == .wrongNumber("Bad request."))
        #expect(try phone.stored().map(\.pending) == [true])
    }

    @Test(arguments: API.allCases, [ServerVersion.v7_2, .v7_5, .v8_0_2])
    func earlierVersionsAcceptAWrongNumberAndDenyTheLogin(_ api: API, _ version: ServerVersion) async throws {
        let phone = try await Phone(api, settings: .version(version))
        let push = try await challenge(phone)
        #expect(try await approve(phone, "\(push.wrong)") == .accepted)
        #expect(phone.server.look(afterPush: push.messageId) == .denied)
        #expect(try phone.stored().map(\.pending) == [false])
        #expect(try await approve(phone, "\(push.right)") == .gone)
        #expect(phone.answers == 1)
    }

    /// A push of the legacy API whose number the server refuses.
    enum RefusedPush: CaseIterable {
        case stored, expired, removed
    }

    /// As in the SDK, a refusal does not mean a wrong number if the push has expired or is not stored.
    @Test(arguments: RefusedPush.allCases)
    func onlyARefusalOfAStoredPushMeansAWrongNumber(_ kind: RefusedPush) async throws {
        let fixture = try ClientFixture()
        let expired: JSONValue = ["k": "challenge", "n": "34,43,57", "i": "1000"]
        let claims: JSONValue = kind == .expired ? expired : ["k": "challenge", "n": "34,43,57"]
        let push = try #require(try fixture.deliver(claims, to: await fixture.enrol()))
        if kind == .removed { #expect(fixture.client.removeNotification(notification: push)) }
        fixture.server.willAnswer { _ in .refusal }
        let report = await outcome { push.accept(challengeResponse: "43", onSuccess: $0, onError: $1) }
        #expect(report.code == (kind == .stored ? 1_100_004 : 5_000_010))
        #expect(push.isPending && push.isExpired == (kind == .expired))
    }

    /// A response with status 400 means a wrong number only if the answer contained the number of a challenge.
    @Test(arguments: API.allCases)
    func refusedDenialDoesNotMeanAWrongNumber(_ api: API) async throws {
        let phone = try await Phone(api, settings: .version(.v8_1_0))
        _ = try await challenge(phone)
        phone.server.withService { $0.arm(.refusal) }
        guard case .other = try await deny(phone) else {
            Issue.record("The denial was not reported as an ordinary failure.")
            return
        }
        #expect(try phone.stored().map(\.pending) == [true])
    }

    // MARK: - Actions of a phone

    private func challenge(_ phone: Phone) async throws -> (messageId: String, right: Int, wrong: Int) {
        let push = try phone.push(.challenge, to: try await phone.enrol())
        _ = try await phone.client.processNotification(message: push.userInfo.text)
        let right = try #require(push.number)
        let wrong = try #require([34, 43, 57].first { $0 != right })
        return (push.messageId, right, wrong)
    }

    private func approve(_ phone: Phone, _ number: String) async throws -> Ending {
        try await ending(phone) {
            try await phone.client.approveChallengeNotification($0, challengeResponse: number)
        } legacy: {
            $0.accept(challengeResponse: number, onSuccess: $1, onError: $2)
        }
    }

    private func deny(_ phone: Phone) async throws -> Ending {
        try await ending(phone) {
            try await phone.client.denyNotification($0)
        } legacy: {
            $0.deny(onSuccess: $1, onError: $2)
        }
    }

    private func ending(
        _ phone: Phone,
        async answer: (String) async throws -> Bool,
        legacy: (FRAuthenticator.PushNotification, @escaping SuccessCallback, @escaping ErrorCallback) -> Void
    ) async throws -> Ending {
        switch phone.api {
        case .async:
            do {
                let id = try #require(try phone.stored().first?.id)
                return try await answer(id) ? .accepted : .gone
            } catch PushError.pushNumberChallengeError(let message) {
                return .wrongNumber(message)
            } catch {
                return .other(error.localizedDescription)
            }
        case .legacy:
            let push = try #require(phone.legacyClient.getAllNotifications().first)
            let report = await outcome { legacy(push, $0, $1) }
            switch report.error {
            case nil: return .accepted
            case PushNotificationError.pushNumberChallengeError(let message)?:
                #expect(report.code == 1_100_004)
                return .wrongNumber(message)
            case PushNotificationError.notificationInvalidStatus?: return .gone
            case let error?: return .other(error.localizedDescription)
            }
        }
    }
}

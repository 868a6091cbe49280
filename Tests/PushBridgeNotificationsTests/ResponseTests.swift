import Foundation
import PingAMSimulator
import PushBridgeCore
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

/// A failure while a user responds to a banner.
enum Trouble: CaseIterable, Sendable {
    case serverRefuses, serverDrops, serverIsLate, lockedStore, expired, answeredElsewhere
}

/// A user's action on a banner.
enum Tap: CaseIterable, Sendable {
    case banner, dismissal, approve, deny, number

    var actionId: String {
        switch self {
        case .banner: "com.apple.UNNotificationDefaultActionIdentifier"
        case .dismissal: "com.apple.UNNotificationDismissActionIdentifier"
        case .approve: PushAction.Kind.approve.rawValue
        case .deny: PushAction.Kind.deny.rawValue
        case .number: PushAction.Kind.enterNumber.rawValue
        }
    }

    /// Returns the answer that the server receives for a push of a type; `nil` if the server receives no
    /// answer.
    func decision(on type: PushType) -> PushState? {
        switch (self, type) {
        case (.deny, _): .denied
        case (.approve, .default), (.number, .challenge): .approved
        default: nil
        }
    }
}

/// A response to a banner, and the failure that occurs during the response.
struct Response: CustomTestStringConvertible, Sendable {
    let api: API
    let type: PushType
    let tap: Tap
    let trouble: Trouble

    static let all = API.allCases.flatMap { api in
        PushType.allCases.flatMap { type in
            Tap.allCases.flatMap { tap in
                Trouble.allCases.map { Response(api: api, type: type, tap: tap, trouble: $0) }
            }
        }
    }

    var testDescription: String { "\(api), \(type), \(tap), \(trouble)" }
}

/// The handler of a response to a banner is called once, after the outcome.
///
/// The test covers every failure.
@Suite("Responses to banners")
struct ResponseTests {
    @Test(arguments: Response.all)
    func theHandlerIsCalledOnceAndAfterTheOutcome(_ response: Response) async throws {
        let phone = try await Phone(response.api)
        let credential = try await phone.enrol()
        let push = try phone.push(response.type, to: credential)
        try await phone.process(push.userInfo)
        let decision = response.tap.decision(on: response.type)
        try await phone.cause(response.trouble, push.userInfo, of: credential)

        let ended = Guarded(false)
        let reaction = Task {
            let reaction = await phone.perform(
                response.tap.actionId,
                push.userInfo,
                text: push.number.map { " \($0) " } ?? "34"
            )
            ended.withValue { $0 = true }
            return reaction
        }
        let isLate = response.trouble == .serverIsLate && decision != nil
        if isLate {
            try await waitFor("the answer to be sent") {
                phone.answers == 1 && phone.clock.sleepers == 1
            }
            phone.clock.advance(by: .milliseconds(24_999))
            #expect(phone.clock.sleepers == 1)
            #expect(!ended.withValue { $0 })
            phone.clock.advance(by: .milliseconds(1))
        }
        let outcome = await reaction.value
        phone.server.releaseResponses()
        phone.store.isLocked.withValue { $0 = false }
        if isLate {
            try await waitFor("the answer to be stored") { (try? phone.stored().first?.pending) == false }
        }

        let stored = try #require(try phone.stored().first)
        try check(response, outcome, id: phone.shownId(of: stored), decision, stored)
        let isElsewhere = response.trouble == .answeredElsewhere
        let isSent = decision != nil && response.trouble != .lockedStore
        #expect(phone.answers == (isSent ? 1 : 0) + (isElsewhere ? 1 : 0))
        // If another device answered the push, the server keeps the answer of that device.
        if isElsewhere { #expect(phone.server.state(ofPush: push.messageId) == .denied) }
        if response.trouble == .expired { #expect(phone.server.state(ofPush: push.messageId) == .expired) }
        #expect(phone.clock.sleepers == 0)
        if response.api == .legacy { #expect(phone.calls.withValue { $0 } == 1) }
        // A challenge is never approved by a tap without a number.
        if response.type == .challenge, response.tap != .number {
            #expect(!stored.approved && phone.server.state(ofPush: push.messageId) != .approved)
        }
    }

    private func check(
        _ response: Response,
        _ outcome: PushReaction,
        id: String,
        _ decision: PushState?,
        _ stored: PushNotification
    ) throws {
        switch (response.trouble, decision) {
        case (.lockedStore, _) where response.tap == .dismissal:
            #expect(outcome == .dismissed(nil))
        case (.lockedStore, _):
            guard case .failed(nil, let reason) = outcome else {
                Issue.record("The outcome is \(outcome) instead of failed.")
                return
            }
            #expect(reason.contains("unlocked"))
            #expect(stored.pending)
        case (_, nil):
            #expect(outcome == (response.tap == .dismissal ? .dismissed(id) : .open(id)))
        case (.serverIsLate, let decision?):
            #expect(outcome == .failed(nil, reason: "The answer was not confirmed in time."))
            #expect(stored.approved == (decision == .approved) && !stored.pending)
        case (.serverRefuses, _?), (.serverDrops, _?), (.expired, _?), (.answeredElsewhere, _?):
            guard case .failed(id, _) = outcome else {
                Issue.record("The outcome is \(outcome) instead of failed.")
                return
            }
            #expect(stored.pending)
        }
    }

    @Test(arguments: API.allCases, PushType.allCases)
    func theServerReceivesTheDecisionOfEachTap(_ api: API, _ type: PushType) async throws {
        for tap in Tap.allCases {
            let phone = try await Phone(api)
            let push = try phone.push(type, to: await phone.enrol())
            let reaction = await phone.perform(
                tap.actionId,
                push.userInfo,
                text: push.number.map(String.init)
            )
            let id = phone.shownId(of: try #require(try phone.stored().first))
            switch tap.decision(on: type) {
            case let decision?:
                #expect(reaction == .answered(id, isApproval: decision == .approved))
                #expect(phone.server.state(ofPush: push.messageId) == decision)
            case nil:
                #expect(reaction == (tap == .dismissal ? .dismissed(id) : .open(id)))
                #expect(phone.answers == 0)
            }
        }
    }

    /// A tap on a challenge with the category `authentication` opens the app and sends no answer.
    ///
    /// A server of version 7.2 sends every push with this category, whose buttons do not fit a challenge.
    @Test(arguments: API.allCases)
    func aChallengeInTheWrongCategoryOpensTheApp(_ api: API) async throws {
        let phone = try await Phone(api, settings: .version(.v7_2))
        let push = try phone.push(.challenge, to: await phone.enrol())
        #expect(push.userInfo["aps"]?["category"] == "authentication")
        guard case .open = await phone.perform(Tap.approve.actionId, push.userInfo) else {
            Issue.record("A tap did not open the app.")
            return
        }
        #expect(phone.answers == 0)
    }

    @Test(arguments: ["", "  ", "35", "3 5", "thirty-four", "-34", "34.0", "9999999999999999999999"])
    func aNumberThatIsNotShownOpensTheApp(_ text: String) async throws {
        for api in API.allCases {
            let phone = try await Phone(api)
            let push = try phone.push(.challenge, to: await phone.enrol())
            guard case .open = await phone.perform(Tap.number.actionId, push.userInfo, text: text) else {
                Issue.record("The number \(text) did not open the app.")
                return
            }
            #expect(phone.answers == 0)
        }
    }

    @Test(arguments: API.allCases)
    func theRightNumberIsAcceptedInTheDigitsOfAnyScript(_ api: API) async throws {
        let phone = try await Phone(api)
        let push = try phone.push(.challenge, to: await phone.enrol())
        _ = await phone.perform(Tap.number.actionId, push.userInfo, text: " ٣٤")
        #expect(phone.server.state(ofPush: push.messageId) == .approved)
    }

    @Test(arguments: API.allCases)
    func foreignPushesAndActionsAreNotHandled(_ api: API) async throws {
        let phone = try await Phone(api)
        let push = try phone.push(to: await phone.enrol())
        let foreign: [JSONValue] = [
            [:], ["aps": ["alert": "Hello"]], ["aps": ["messageId": "1", "data": "no token"]],
            ["chat_id": "1", "aps": ["content-available": 1]],
        ]
        for userInfo in foreign {
            #expect(await phone.presentation(of: userInfo) == nil)
            #expect(await phone.backgroundResult(of: userInfo) == nil)
            #expect(await phone.perform(Tap.approve.actionId, userInfo) == .foreign)
        }
        #expect(await phone.perform("app.snooze", push.userInfo) == .foreign)
        #expect(try phone.stored().isEmpty)
        #expect(phone.calls.withValue { $0 } == 0)
    }
}

extension Phone {
    /// Returns the id that a push has in the phone's API.
    func shownId(of push: PushNotification) -> String {
        api == .legacy ? push.legacyIdentifier : push.id
    }

    func cause(_ trouble: Trouble, _ userInfo: JSONValue, of credential: PushCredential) async throws {
        switch trouble {
        case .serverRefuses: server.withService { $0.arm(.refusal) }
        case .serverDrops: server.withService { $0.arm(.dropConnection) }
        case .serverIsLate: server.holdResponses()
        case .lockedStore: store.isLocked.withValue { $0 = true }
        case .expired: advance(600)
        case .answeredElsewhere:
            // Another device with this credential denies the login, and the login page reads the denial.
            let payload = try #require(PushPayload(.payload(userInfo.userInfo)))
            let push = try #require(try UnverifiedPush(payload))
            let now = time.withValue { $0 }
            let verified = try push.verified(with: credential, receivedAt: now)
            let request = try credential.answerRequest(.deny, to: verified.notification(id: "elsewhere"))
            #expect(try await server.send(request, timeout: 60).status == 200)
            #expect(server.look(afterPush: verified.messageId) == .denied)
        }
    }
}

import CredentialMigration
import FRAuthenticator
import Foundation
import PingPush
import PushBridgeCore
import PushBridgeNotifications
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

/// Each push is measured at its arrival, presentation and answer.
///
/// Both APIs measure pushes, but only if the app requests it.
@Suite("Milestones of pushes")
struct MilestoneTests {
    private typealias Milestone = PushMilestone

    @Test(arguments: API.allCases)
    func eachStepOfAPushIsMeasuredOnce(_ api: API) async throws {
        let steps = Guarded<[PushMilestone]>([])
        let phone = try await phone(api, steps)
        let push = try phone.push(to: try await phone.enrol())
        phone.advance(5)
        #expect(await phone.presentation(of: push.userInfo) == .all)
        phone.advance(20)
        // The push arrives again, in the form of a response.
        let reaction = await phone.perform(PushAction.Kind.approve.rawValue, push.userInfo)
        guard case .answered(_, isApproval: true) = reaction else {
            Issue.record("The reaction is \(reaction) instead of answered.")
            return
        }
        #expect(
            steps.withValue(\.self) == [
                Milestone(.arrival, .stored, delay: .under10s), Milestone(.presentation, .shown),
                Milestone(.answer, .approved, delay: .under1min),
            ]
        )
        // The push has already been answered, so it is not shown.
        #expect(await phone.presentation(of: push.userInfo) == [])
        #expect(steps.withValue(\.self).dropFirst(3) == [Milestone(.presentation, .hidden)])
    }

    @Test(arguments: API.allCases)
    func failuresOfAPushAreReportedAsMilestones(_ api: API) async throws {
        let steps = Guarded<[PushMilestone]>([])
        let phone = try await phone(api, steps)
        let credential = try await phone.enrol()
        let push = try phone.push(to: credential)
        phone.store.isLocked.withValue { $0 = true }
        #expect(await phone.presentation(of: push.userInfo) == .list)
        phone.store.isLocked.withValue { $0 = false }
        // An attacker can sign a token, but only with another secret.
        let forged = SharedSecret.random().signedToken(claims: Self.claims(credential.id))
        let payload: JSONValue = ["aps": ["messageId": "AUTHENTICATE:1", "data": .string(forged)]]
        #expect(await phone.presentation(of: payload) == [])
        // After 700 seconds, the server no longer has the push.
        phone.advance(700)
        let reaction = await phone.perform(PushAction.Kind.deny.rawValue, push.userInfo)
        guard case .failed = reaction else {
            Issue.record("The reaction is \(reaction) instead of failed.")
            return
        }
        #expect(
            steps.withValue(\.self) == [
                Milestone(.arrival, .postponed), Milestone(.presentation, .listed),
                Milestone(.arrival, .refused), Milestone(.presentation, .hidden),
                Milestone(.arrival, .stored, delay: .longer), Milestone(.answer, .failed, delay: .longer),
            ]
        )
    }

    /// The delay of an arrival is unknown if the push has no date, as with servers before 7.2.
    @Test(arguments: API.allCases)
    func anArrivalWithoutADateHasNoDelay(_ api: API) async throws {
        let steps = Guarded<[PushMilestone]>([])
        let phone = try await phone(api, steps)
        let credential = try await phone.enrol()
        let token = credential.sharedSecret.signedToken(claims: Self.claims(credential.id))
        let payload: JSONValue = ["aps": ["messageId": "AUTHENTICATE:1", "data": .string(token)]]
        #expect(await phone.presentation(of: payload) == .all)
        #expect(steps.withValue(\.self).first == Milestone(.arrival, .stored))
    }

    @Test func theExtensionMeasuresTheArrival() async throws {
        let phone = try await Phone(.async)
        let credential = try await phone.enrol()
        let (store, now) = (phone.store, phone.time.withValue(\.self))
        let service = PushContentService(now: { now + 3 }, store: { store })
        let steps = Guarded<[PushMilestone]>([])
        service.onMilestone = { step in steps.withValue { $0.append(step) } }
        let push = try phone.push(to: credential)
        for _ in 1...2 {
            #expect(await service.content(of: push.userInfo)?.kind == .login)
        }
        #expect(steps.withValue(\.self) == [Milestone(.arrival, .stored, delay: .under10s)])
    }

    private static func claims(_ credentialId: String) -> Data {
        JSONValue.object(["u": .string(credentialId), "c": "Y2hhbGxlbmdl"]).data
    }

    private func phone(_ api: API, _ steps: Guarded<[PushMilestone]>) async throws -> Phone {
        let note: @Sendable (PushMilestone) -> Void = { step in steps.withValue { $0.append(step) } }
        let phone = try await Phone(api) { $0.onMilestone = api == .async ? note : nil }
        if api == .legacy { phone.handler.onMilestone = note }
        return phone
    }
}

/// The code in the article on measuring delivery.
private func measure(
    with rollout: MigrationRollout,
    _ configuration: inout PushConfiguration,
    _ service: PushContentService
) {
    FRAPushHandler.shared.onMilestone = rollout.record
    configuration.onMilestone = rollout.record
    service.onMilestone = rollout.record
}

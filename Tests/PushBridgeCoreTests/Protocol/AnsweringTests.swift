import Foundation
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@Suite struct AnsweringTests {
    private let store = MemoryCredentialStore()
    private let claim = AnswerClaim(id: "claim", from: .sample, lasting: 60)

    init() throws {
        let credential = try #require(PushCredential.sample(secret: PushCredential.recordedSecret))
        try store.write { view throws in
            try view.save(credential)
            try view.save(PushNotification.sample())
        }
    }

    private func stored() throws -> PushNotification {
        try #require(try store.read { try $0.notification(id: "push") })
    }

    private func claimAnswer(
        _ answer: PushAnswer = .approve,
        to id: String = "push",
        at now: Date = .sample
    ) throws -> AnswerOperation {
        try store.claimAnswer(answer, to: id, claim: claim, now: now)
    }

    /// A push accepts a denial, and only the form of approval that suits its type.
    @Test(arguments: PushType.allCases)
    func aPushAcceptsOneApprovalAndTheDenial(_ type: PushType) {
        let approvals: [PushType: PushAnswer] = [
            .default: .approve, .challenge: .approveChallenge("34"), .biometric: .approveBiometric,
        ]
        #expect(PushAnswer.deny.suits(type))
        for (other, answer) in approvals { #expect(answer.suits(type) == (other == type)) }
        #expect(approvals[type] != nil)
    }

    @Test(arguments: [PushAnswer.approve, .deny])
    func anAcceptedAnswerIsStored(_ answer: PushAnswer) throws {
        let claimed = try claimAnswer(answer)
        #expect(try stored().pending)
        #expect(try stored().isClaimed(at: .sample))
        var expected = PushNotification.sample()
        expected.pending = false
        expected.approved = answer == .approve
        expected.respondedAt = .sample
        #expect(try store.complete(claimed, at: .sample) == expected)
        #expect(try stored() == expected)
        #expect(expected.responded)
        #expect(expected.isDenied == (answer == .deny))
    }

    @Test func aFailedAnswerLeavesThePushAsItWas() throws {
        try store.release(claimAnswer())
        #expect(try stored() == .sample())
        #expect(throws: Never.self) { try claimAnswer(.deny) }
    }

    @Test func aPushIsAnsweredOnlyOnce() throws {
        let claimed = try claimAnswer()
        #expect(throws: PushAnswerError.notPending) { try claimAnswer(.deny) }
        try store.complete(claimed, at: .sample)
        #expect(throws: PushAnswerError.notPending) { try claimAnswer() }
    }

    @Test func onlyOneOfManyConcurrentAnswersIsSent() async throws {
        let store = store
        let sent = await withTaskGroup(of: Int.self) { group in
            for index in 0..<100 {
                let claim = AnswerClaim(id: "\(index)", from: .sample)
                group.addTask {
                    do {
                        _ = try store.claimAnswer(.approve, to: "push", claim: claim, now: .sample)
                        return 1
                    } catch {
                        return 0
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sent == 1)
    }

    @Test func aClaimExpires() throws {
        let lost = try claimAnswer()
        #expect(throws: PushAnswerError.notPending) { try claimAnswer(at: .sample.addingTimeInterval(59)) }
        let next = AnswerClaim(id: "next", from: .sample.addingTimeInterval(60))
        let late = Date.sample.addingTimeInterval(61)
        _ = try store.claimAnswer(.deny, to: "push", claim: next, now: late)
        // The release of the expired claim does not affect the second claim.
        try store.release(lost)
        #expect(try stored().answerClaim == next)
    }

    @Test func aClaimIsIgnoredIfTheClockWasSetBack() throws {
        let claim = AnswerClaim(id: "1", from: .sample, lasting: 1_000_000)
        #expect(claim.expiresAt == Date.sample.addingTimeInterval(AnswerClaim.longest))
        #expect(claim.isLive(at: .sample))
        #expect(!claim.isLive(at: .sample.addingTimeInterval(-1)))
        #expect(!claim.isLive(at: .sample.addingTimeInterval(AnswerClaim.longest)))
    }

    @Test func aClaimIsValidForAProcessWithAnEarlierClock() throws {
        let claim = AnswerClaim(id: "1", from: .sample, lasting: AnswerClaim.longestRequest * 2 + 10)
        #expect(claim.isLive(at: .sample.addingTimeInterval(-0.001)))
        #expect(claim.isLive(at: .sample.addingTimeInterval(-29)))
    }

    @Test(
        arguments: [
            (.approve, .challenge), (.approve, .biometric), (.approveChallenge("1"), .default),
            (.approveChallenge("1"), .biometric), (.approveBiometric, .default),
            (.approveBiometric, .challenge),
        ] as [(PushAnswer, PushType)]
    )
    func theWrongKindOfAnswerIsRefused(_ answer: PushAnswer, _ type: PushType) throws {
        try store.write { try $0.save(PushNotification.sample(type: type)) }
        #expect(throws: PushAnswerError.wrongKind(type)) { try claimAnswer(answer) }
        #expect(try stored() == .sample(type: type))
    }

    @Test func aLockedCredentialAnswersNoPush() throws {
        try store.write { view throws in
            var credential = try #require(try view.pushCredential(id: "id"))
            credential.lock(policy: "deviceTampering")
            try view.save(credential)
        }
        #expect(throws: PushAnswerError.locked(policy: "deviceTampering")) { try claimAnswer(.deny) }
        #expect(try stored() == .sample())
    }

    @Test func aRemovedNotificationOrCredentialIsNotAnswered() throws {
        #expect(throws: PushAnswerError.notificationNotFound) { try claimAnswer(to: "nothing") }
        try store.write { _ = try $0.remove(.push, where: RecordQuery(id: "id")) }
        #expect(throws: PushAnswerError.credentialNotFound) { try claimAnswer() }
    }

    @Test func aPushThatIsRemovedDuringItsAnswerRemainsRemoved() throws {
        let claimed = try claimAnswer()
        try store.write { _ = try $0.removeNotification(id: "push") }
        #expect(try store.complete(claimed, at: .sample).approved)
        try store.release(claimed)
        #expect(try store.read { try $0.notifications().values } == [])
    }

    /// A push that was not stored when the user answered it stays stored only if the server accepts the answer.
    ///
    /// The legacy API answers such a push, because an app may have kept the object. While the answer is being sent, the
    /// push is stored with a claim.
    @Test(arguments: [true, false])
    func anUnstoredPushIsStoredOnlyIfTheServerAcceptedTheAnswer(_ isTaken: Bool) throws {
        try store.write { _ = try $0.removeNotification(id: "push") }
        let claimed = try store.write { view in
            let push = AnswerablePush(.sample(), isStored: false)
            let answering = try view.answering(.deny, to: push, claim: claim, now: .sample).get()
            try view.claim(answering)
            return answering
        }
        #expect(try stored().isClaimed(at: .sample))
        if isTaken { try store.complete(claimed, at: .sample) } else { try store.release(claimed) }
        #expect(try store.read { try $0.notifications().values.map(\.isDenied) } == (isTaken ? [true] : []))
    }

    @Test func aPushOfACustomHandlerMakesNoServerRequest() throws {
        var push = PushNotification.sample()
        push.customHandler = "Bank"
        let handled = push
        let requests = try store.write { view in
            let all: [Set<PushPlatform>?] = [nil, []]
            return try all.map { handlers in
                try view.answering(
                    .approve,
                    to: AnswerablePush(handled),
                    claim: claim,
                    now: .sample,
                    handlers: handlers
                ).map { $0.request == nil }
            }
        }
        #expect(requests == [.failure(.notPending), .success(true)])
    }

    @Test func anExpiredPushCanBeAnswered() throws {
        let late = Date.sample.addingTimeInterval(120)
        #expect(try stored().isExpired(at: late))
        #expect(try !stored().isExpired(at: late.addingTimeInterval(-1)))
        #expect(throws: Never.self) { try claimAnswer(at: late) }
    }
}

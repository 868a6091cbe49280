public import Foundation

extension PushNotification {
    /// Whether the user answered.
    public var responded: Bool { !pending }
    /// Whether the user answered no.
    public var isDenied: Bool { !pending && !approved }

    /// Whether the server stopped waiting.
    ///
    /// Clients may still answer: the server decides.
    public func isExpired(at now: Date) -> Bool { now >= expiresAt }

    /// Whether an answer is on its way.
    public func isClaimed(at now: Date) -> Bool { answerClaim?.isLive(at: now) ?? false }

    /// The numbers to choose from; what is no number in the server's text is left out.
    public var numbers: [Int] { Self.numbers(in: numbersChallenge ?? "") }

    /// The numbers in a server's text.
    package static func numbers(in text: String) -> [Int] {
        text.split(separator: ",").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    }

    /// The push with an answer on its way, or the reason why it takes none.
    public func claimed(
        by claim: AnswerClaim,
        for answer: PushAnswer,
        now: Date
    ) throws(PushAnswerError) -> PushNotification {
        guard answer.suits(pushType) else { throw .wrongKind(pushType) }
        guard pending, !isClaimed(at: now) else { throw .notPending }
        var notification = self
        notification.answerClaim = claim
        return notification
    }

    /// The push after the server accepted an answer.
    public func answered(_ answer: PushAnswer, at now: Date) -> PushNotification {
        var notification = self
        notification.pending = false
        notification.approved = answer.isApproval
        notification.respondedAt = now
        notification.answerClaim = nil
        return notification
    }

    /// The push after an answer failed; another's claim stays.
    public func released(from claim: AnswerClaim) -> PushNotification {
        guard answerClaim?.id == claim.id else { return self }
        var notification = self
        notification.answerClaim = nil
        return notification
    }
}

import PushBridgeCore

extension OathCredential {
    /// Whether both make the same code at the same time or counter.
    func makesSameCodes(as other: OathCredential) -> Bool {
        password == other.password && oathType == other.oathType && period == other.period
    }

    /// This credential with the counter of `other`, if that is ahead.
    ///
    /// A counter only grows: an app that still uses the legacy store has moved on, and a credential left behind
    /// would make codes that the server has seen already.
    func advanced(to other: OathCredential) -> OathCredential? {
        guard case .counter(let counter) = other.movingFactor, counter > self.counter else { return nil }
        var advanced = self
        advanced.movingFactor = .counter(counter)
        return advanced
    }
}

extension OathCredential {
    /// This credential, its counter no lower than that of `other` if both count with the same secret.
    func keepingPace(with other: OathCredential) -> OathCredential {
        guard password.secret == other.password.secret else { return self }
        return advanced(to: other) ?? self
    }
}

extension PushNotification {
    /// Whether both are the same message for the same credential.
    func isSamePush(as other: PushNotification) -> Bool {
        messageId == other.messageId && credentialId == other.credentialId && challenge == other.challenge
    }

    /// This notification with the answer of `other`, if only that was answered.
    ///
    /// Answers are never taken back.
    func answered(by other: PushNotification) -> PushNotification? {
        guard pending, !other.pending else { return nil }
        var answered = self
        answered.pending = false
        answered.approved = other.approved
        answered.respondedAt = other.respondedAt
        return answered
    }
}

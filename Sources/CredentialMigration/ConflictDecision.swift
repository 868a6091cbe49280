import PushBridgeCore

/// What to do with a converted record, given what the destination holds.
///
/// Decided here and nowhere else, so that a plan and its application cannot disagree.
enum ConflictDecision<Value> {
    /// Store this value.
    case store(Value)
    /// The same credential is stored already; store this value only if the source had newer data.
    case present(updating: Value?)
    /// The destination holds something else, for this reason.
    case conflict(MigrationIssue)

    var toStore: Value? {
        switch self {
        case .store(let value): value
        case .present(let updated): updated
        case .conflict: nil
        }
    }

    /// The result to report, not verified.
    func result(credentialId: String?) -> MigrationResult {
        switch self {
        case .store: MigrationResult(.migrated, credentialId: credentialId)
        case .present: .alreadyPresent(credentialId)
        case .conflict(let issue):
            MigrationResult(.conflict, credentialId: credentialId, issue: issue)
        }
    }
}

extension ConflictDecision {
    /// Stores a value if there is none, or if the policy lets it replace another one.
    private init(
        _ value: Value,
        existing: Value?,
        policy: ConflictPolicy,
        compare: (Value) -> ConflictDecision
    ) {
        self = existing.map(compare) ?? .store(value)
        if case .conflict = self, policy == .replace { self = .store(value) }
    }
}

extension ConflictDecision where Value == PushCredential {
    init(_ credential: PushCredential, existing: PushCredential?, policy: ConflictPolicy) {
        self.init(credential, existing: existing, policy: policy) { existing in
            guard existing.hasSecret(of: credential) else {
                return .conflict(.otherSecret)
            }
            if existing.covers(credential.endpoints, knowingServerOnly: credential.knowsServerOnly) {
                return .present(updating: nil)
            }
            guard let completed = existing.completed(by: credential) else {
                return .conflict(.otherEndpoints)
            }
            return .present(updating: completed)
        }
    }
}

extension ConflictDecision where Value == OathCredential {
    init(_ credential: OathCredential, existing: OathCredential?, policy: ConflictPolicy) {
        let value = existing.map(credential.keepingPace) ?? credential
        self.init(value, existing: existing, policy: policy) { existing in
            existing.makesSameCodes(as: credential)
                ? .present(updating: existing.advanced(to: credential))
                : .conflict(.otherCodes)
        }
    }
}

extension ConflictDecision where Value == PushNotification {
    init(_ notification: PushNotification, existing: PushNotification?) {
        self.init(notification, existing: existing, policy: .keep) { existing in
            existing.isSamePush(as: notification)
                ? .present(updating: existing.answered(by: notification))
                : .conflict(.otherPush)
        }
    }
}

extension ConflictDecision where Value == PushDeviceToken {
    /// The newer token replaces the older one, because a device has only one.
    init(_ token: PushDeviceToken, existing: PushDeviceToken?) {
        self.init(token, existing: existing, policy: .keep) { existing in
            existing.isSameDevice(as: token) || existing.createdAt >= token.createdAt
                ? .present(updating: nil) : .store(token)
        }
    }
}

// MARK: - Which of two is newer

extension OathCredential {
    /// Whether both make the same code at the same time or counter.
    func makesSameCodes(as other: OathCredential) -> Bool {
        password == other.password && oathType == other.oathType
            && (oathType == .hotp || period == other.period)
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

/// The successor SDK keeps only the common part of two addresses; a credential with both completes it.
extension PushCredential {
    /// Whether the credential came from a source that knew nothing but the server's address.
    var knowsServerOnly: Bool {
        guard let legacy else { return false }
        return legacy.registration == nil
    }

    /// Whether the credential talks to these addresses, or, if only their server is known, to that server.
    func covers(_ other: PushEndpoints, knowingServerOnly: Bool) -> Bool {
        (endpoints.registration, endpoints.authentication) == (other.registration, other.authentication)
            || (knowingServerOnly && endpoints.bareServer == other.bareServer)
    }

    /// This credential with the verbatim addresses of `other`, if it lacks them and `other` has them.
    ///
    /// The account stays: the user may have renamed it since.
    func completed(by other: PushCredential) -> PushCredential? {
        guard knowsServerOnly, !other.knowsServerOnly,
            endpoints.bareServer == other.endpoints.bareServer
        else { return nil }
        var completed = other
        completed.account = account
        completed.userId = userId ?? other.userId
        completed.deviceResourceId = deviceResourceId ?? other.deviceResourceId
        return completed
    }
}

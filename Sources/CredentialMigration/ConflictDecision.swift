import PushBridgeCore

/// The decision about a converted record, which depends on the record that the destination already has.
///
/// A plan and its application both use this type, so they decide by the same rules.
enum ConflictDecision<Value> {
    /// The value must be stored.
    case store(Value)
    /// The destination already has the same record, or a newer device token.
    ///
    /// If the source has newer or additional data, `updating` contains the record to store.
    case present(updating: Value?)
    /// The destination has a different record; the issue describes the difference.
    case conflict(MigrationIssue)

    var toStore: Value? {
        switch self {
        case .store(let value): value
        case .present(let updated): updated
        case .conflict: nil
        }
    }

    /// Returns the result that the migration reports for this decision, before the record is proven.
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
    /// Decides to store a value if `existing` is `nil`; otherwise, `compare` decides.
    ///
    /// If `compare` finds a conflict and the policy is `replace`, the value is stored.
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
            if existing.covers(credential.endpoints, comparingServerOnly: credential.hasServerOnly) {
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
    /// Decides in favour of the newer token, because a device has only one token.
    init(_ token: PushDeviceToken, existing: PushDeviceToken?) {
        self.init(token, existing: existing, policy: .keep) { existing in
            existing.isSameDevice(as: token) || existing.createdAt >= token.createdAt
                ? .present(updating: nil) : .store(token)
        }
    }
}

// MARK: - Comparing two versions

extension OathCredential {
    /// Returns whether both credentials make the same one-time passwords at the same time (TOTP) or for the same
    /// counter (HOTP).
    func makesSameCodes(as other: OathCredential) -> Bool {
        password == other.password && oathType == other.oathType
            && (oathType == .hotp || period == other.period)
    }

    /// Returns this credential with the counter of `other`; returns `nil` if `other` has no higher counter.
    ///
    /// A counter never decreases. If an app still uses the legacy store, the counter in that store may be
    /// higher than the counter in the destination. With the lower counter, the destination's credential would
    /// repeat one-time passwords that the server has already accepted.
    func advanced(to other: OathCredential) -> OathCredential? {
        guard case .counter(let counter) = other.movingFactor, counter > self.counter else { return nil }
        var advanced = self
        advanced.movingFactor = .counter(counter)
        return advanced
    }
}

extension OathCredential {
    /// Returns this credential, with the higher of the two counters if both credentials have the same secret.
    func keepingPace(with other: OathCredential) -> OathCredential {
        guard password.secret == other.password.secret else { return self }
        return advanced(to: other) ?? self
    }
}

extension PushNotification {
    /// Returns whether both notifications have the same message id, credential and challenge.
    func isSamePush(as other: PushNotification) -> Bool {
        messageId == other.messageId && credentialId == other.credentialId && challenge == other.challenge
    }

    /// Returns this notification with the answer of `other`.
    ///
    /// Returns `nil` if `other` was not answered, or if this notification was already answered, because an answer
    /// is never replaced.
    func answered(by other: PushNotification) -> PushNotification? {
        guard pending, !other.pending else { return nil }
        var answered = self
        answered.pending = false
        answered.approved = other.approved
        answered.respondedAt = other.respondedAt
        return answered
    }
}

/// Compares and completes the two addresses of a push credential: the address for registrations and the address
/// for answers.
///
/// The successor SDK stores only the part that the two addresses have in common. If a legacy credential has both
/// addresses, the legacy credential completes the successor SDK's credential.
extension PushCredential {
    /// Whether the credential has only its server's address, because its source contained no complete addresses.
    var hasServerOnly: Bool {
        guard let legacy else { return false }
        return legacy.registration == nil
    }

    /// Returns whether the credential uses the addresses `other`.
    ///
    /// With `comparingServerOnly`, it is enough that the credential's addresses and `other` have the same server.
    func covers(_ other: PushEndpoints, comparingServerOnly: Bool) -> Bool {
        (endpoints.registration, endpoints.authentication) == (other.registration, other.authentication)
            || (comparingServerOnly && endpoints.bareServer == other.bareServer)
    }

    /// Returns `other` with the account of this credential, so that the result has complete addresses.
    ///
    /// Returns `nil` if this credential already has complete addresses, if `other` has none, or if their servers
    /// differ.
    ///
    /// The user may have renamed the account, so the account does not come from `other`. The user's id and the device's
    /// id at the server come from `other` only if this credential lacks them.
    func completed(by other: PushCredential) -> PushCredential? {
        guard hasServerOnly, !other.hasServerOnly,
            endpoints.bareServer == other.endpoints.bareServer
        else { return nil }
        var completed = other
        completed.account = account
        completed.userId = userId ?? other.userId
        completed.deviceResourceId = deviceResourceId ?? other.deviceResourceId
        return completed
    }
}

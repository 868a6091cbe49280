import PushBridgeCore

/// What to do with a converted record, given what the destination holds.
///
/// Decided here and nowhere else, so that a plan and its application cannot disagree.
enum Disposition<Value> {
    /// Store this value.
    case store(Value)
    /// The same is there already; store this value only if the source knew something newer.
    case present(updating: Value?)
    /// The destination holds something else, for this reason.
    case conflict(String)

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
        case .conflict(let reason): MigrationResult(.conflict, credentialId: credentialId, reason: reason)
        }
    }
}

extension Disposition where Value == PushCredential {
    init(_ credential: PushCredential, existing: PushCredential?, policy: ConflictPolicy) {
        guard let existing else {
            self = .store(credential)
            return
        }
        let hasSameSecret = existing.sharedSecret == credential.sharedSecret
        if hasSameSecret, existing.covers(credential.endpoints, knowingServerOnly: credential.knowsServerOnly)
        {
            self = .present(updating: nil)
        } else if hasSameSecret, let completed = existing.completed(by: credential) {
            self = .present(updating: completed)
        } else if policy == .replace {
            self = .store(credential)
        } else {
            let difference = hasSameSecret ? "other endpoints" : "another secret"
            self = .conflict("The destination holds \(difference) under this id.")
        }
    }
}

extension Disposition where Value == OathCredential {
    init(_ credential: OathCredential, existing: OathCredential?, policy: ConflictPolicy) {
        guard let existing else {
            self = .store(credential)
            return
        }
        if existing.makesSameCodes(as: credential) {
            self = .present(updating: existing.advanced(to: credential))
        } else if policy == .replace {
            self = .store(credential.keepingPace(with: existing))
        } else {
            self = .conflict("The destination makes other codes under this id.")
        }
    }
}

extension Disposition where Value == PushNotification {
    init(_ notification: PushNotification, existing: PushNotification?) {
        guard let existing else {
            self = .store(notification)
            return
        }
        if existing.isSamePush(as: notification) {
            self = .present(updating: existing.answered(by: notification))
        } else {
            self = .conflict("The destination holds another push under this id.")
        }
    }
}

extension Disposition where Value == PushDeviceToken {
    init(_ token: PushDeviceToken, existing: PushDeviceToken?, policy: ConflictPolicy) {
        guard let existing else {
            self = .store(token)
            return
        }
        if existing.isSameDevice(as: token) || existing.createdAt >= token.createdAt {
            self = .present(updating: nil)
        } else if policy == .replace {
            self = .store(token)
        } else {
            self = .conflict("The destination holds an older device token.")
        }
    }
}

// MARK: - Which of two is newer

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

/// The vendor's new SDK keeps of two addresses only what they have in common; whoever knows both completes it.
extension PushCredential {
    /// Whether the credential came from a source that knew nothing but the server's address.
    var knowsServerOnly: Bool {
        guard let legacy else { return false }
        return legacy.registration == nil
    }

    /// Whether the credential talks to these addresses, or, if only their server is known, to that server.
    func covers(_ other: PushEndpoints, knowingServerOnly: Bool) -> Bool {
        endpoints == other || (knowingServerOnly && endpoints.server == other.server)
    }

    /// This credential with the verbatim addresses of `other`, if it lacks them and `other` has them.
    ///
    /// The account stays: the user may have renamed it since.
    func completed(by other: PushCredential) -> PushCredential? {
        guard knowsServerOnly, !other.knowsServerOnly, serverEndpoint == other.serverEndpoint else {
            return nil
        }
        var completed = other
        completed.account = account
        completed.userId = userId ?? other.userId
        completed.deviceResourceId = deviceResourceId ?? other.deviceResourceId
        return completed
    }
}

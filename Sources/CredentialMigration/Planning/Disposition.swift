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

    /// The value to store, if any.
    var toStore: Value? {
        switch self {
        case .store(let value): value
        case .present(let updated): updated
        case .conflict: nil
        }
    }

    /// The result to report, not verified.
    func result(credentialId: String?, repetition: Repetition? = nil) -> MigrationResult {
        switch self {
        case .store where repetition == .same: MigrationResult(.alreadyPresent, credentialId: credentialId)
        case .store: MigrationResult(.migrated, credentialId: credentialId)
        case .present: MigrationResult(.alreadyPresent, credentialId: credentialId)
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

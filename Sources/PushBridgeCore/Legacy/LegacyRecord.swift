/// One decoded record of a legacy store.
///
/// The enumeration is indirect, so that passing a large value copies only a reference.
package indirect enum LegacyRecord: Equatable, Sendable {
    /// An account.
    case account(LegacyAccount)
    /// A push or one-time-password mechanism.
    case mechanism(LegacyMechanism)
    /// A push notification, in its legacy form.
    case notification(PushNotification)
    /// The APNs token.
    case deviceToken(PushDeviceToken)

    /// The kind of record.
    package var kind: LegacyRecordKind {
        switch self {
        case .account: .account
        case .mechanism(let mechanism): mechanism.kind
        case .notification: .notification
        case .deviceToken: .deviceToken
        }
    }

    /// The key under which the legacy SDK stores the record.
    package var identifier: String {
        switch self {
        case .account(let account): account.identifier
        case .mechanism(let mechanism): mechanism.identifier
        case .notification(let notification): notification.legacyIdentifier
        case .deviceToken: "deviceToken"
        }
    }
}

/// The kinds of legacy records, as reports name them.
public enum LegacyRecordKind: String, CaseIterable, Codable, Sendable {
    /// An account.
    case account
    /// A push mechanism.
    case push
    /// A mechanism for time-based one-time passwords.
    case totp
    /// A mechanism for counter-based one-time passwords.
    case hotp
    /// A push notification.
    case notification
    /// The APNs token.
    case deviceToken
    /// A record that cannot be read and whose key does not show its kind.
    case unknown
}

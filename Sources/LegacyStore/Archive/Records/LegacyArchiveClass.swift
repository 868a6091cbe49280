/// The classes of the legacy SDK's archives, named as there.
enum LegacyArchiveClass: String, CaseIterable {
    case account = "FRAuthenticator.Account"
    case pushMechanism = "FRAuthenticator.PushMechanism"
    case totpMechanism = "FRAuthenticator.TOTPMechanism"
    case hotpMechanism = "FRAuthenticator.HOTPMechanism"
    case notification = "FRAuthenticator.PushNotification"
    case deviceToken = "FRAuthenticator.PushDeviceToken"

    /// The module that every class is of.
    static let module = "FRAuthenticator."

    /// The name without the module, which an archive may leave out.
    var bareName: String { String(rawValue.dropFirst(Self.module.count)) }

    /// The classes it inherits from, nearest first.
    var ancestors: [LegacyArchiveAncestor] {
        switch self {
        case .account, .notification, .deviceToken: [.object]
        case .pushMechanism: [.mechanism, .object]
        case .totpMechanism, .hotpMechanism: [.oathMechanism, .mechanism, .object]
        }
    }
}

/// The classes that only others inherit from.
enum LegacyArchiveAncestor: String, CaseIterable {
    case oathMechanism = "FRAuthenticator.OathMechanism"
    case mechanism = "FRAuthenticator.Mechanism"
    case object = "NSObject"
}

extension LegacyService {
    /// The classes whose objects the service keeps.
    var archiveClasses: [LegacyArchiveClass] {
        switch self {
        case .account: [.account]
        case .mechanism: [.pushMechanism, .totpMechanism, .hotpMechanism]
        case .notification: [.notification]
        case .deviceToken: [.deviceToken]
        }
    }
}

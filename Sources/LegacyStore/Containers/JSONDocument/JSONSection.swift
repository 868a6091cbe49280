/// The places of a legacy JSON document or a migration export that hold records.
enum JSONSection: String {
    case accounts
    case mechanisms
    case notifications
    case deviceToken

    var service: LegacyService {
        switch self {
        case .accounts: .account
        case .mechanisms: .mechanism
        case .notifications: .notification
        case .deviceToken: .deviceToken
        }
    }
}

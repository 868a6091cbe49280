/// The places of a JSON document that hold records.
enum JSONSection: String {
    case accounts
    case mechanisms
    case notifications
    case deviceToken
    /// Records of the new SDK, of any kind; also a document that is nothing but their list.
    case credentials

    var service: LegacyService {
        switch self {
        case .accounts: .account
        case .mechanisms, .credentials: .mechanism
        case .notifications: .notification
        case .deviceToken: .deviceToken
        }
    }
}

public import PushBridgeCore

extension LegacyItem {
    /// The kind of record by where it lies, for records that cannot be read.
    public var presumedKind: LegacyRecordKind {
        switch service {
        case .account: .account
        case .notification: .notification
        case .deviceToken: .deviceToken
        case .mechanism: [.push, .totp, .hotp].first { key.hasSuffix("-\($0.rawValue)") } ?? .unknown
        }
    }
}

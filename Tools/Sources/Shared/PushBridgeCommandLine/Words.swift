package import PushBridgeCore

extension Int {
    /// Returns the number with its noun, such as `1 record` or `14 records`.
    /// - Parameter noun: The noun in the singular; its plural ends with an `s`.
    /// - Returns: The number and the noun.
    public func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}

extension LegacyRecordKind {
    /// The display name of one record of this kind, such as `push mechanism`.
    package var plainName: String {
        switch self {
        case .account: "account"
        case .push: "push mechanism"
        case .totp: "TOTP mechanism"
        case .hotp: "HOTP mechanism"
        case .notification: "notification"
        case .deviceToken: "device token"
        case .unknown: "unknown record"
        }
    }
}

extension [LegacyRecordKind: Int] {
    /// The counts in words, such as `4 notifications, 1 device token`.
    package var words: String {
        LegacyRecordKind.allCases.compactMap { kind in self[kind].map { $0.counted(kind.plainName) } }
            .joined(separator: ", ")
    }
}

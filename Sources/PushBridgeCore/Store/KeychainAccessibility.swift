/// When an item can be read; the raw values are the ones that `kSecAttrAccessible…` constants have.
public enum KeychainAccessibility: String, CaseIterable, Codable, Sendable {
    /// While the device is unlocked.
    case whenUnlocked = "ak"
    /// While the device is unlocked; stays out of backups for other devices.
    case whenUnlockedThisDeviceOnly = "aku"
    /// From the first unlock after a restart on.
    case afterFirstUnlock = "ck"
    /// From the first unlock after a restart on; stays out of backups for other devices.
    case afterFirstUnlockThisDeviceOnly = "cku"
    /// While the device is unlocked, and only as long as it has a passcode.
    case whenPasscodeSetThisDeviceOnly = "akpu"
    /// The same as ``afterFirstUnlockThisDeviceOnly``, as which items are stored: Apple deprecated items that are open
    /// before the first unlock.
    case alwaysThisDeviceOnly = "dku"

    /// Those that items can have.
    public static let allCases: [Self] = [
        .whenUnlocked, .whenUnlockedThisDeviceOnly, .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly,
        .whenPasscodeSetThisDeviceOnly,
    ]

    /// Whether items travel to another device with an encrypted backup.
    package var travels: Bool { self == .whenUnlocked || self == .afterFirstUnlock }

    /// Whether items can be read while the device is locked, once it was unlocked after a restart.
    package var opensWhileLocked: Bool {
        switch self {
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly: true
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: false
        }
    }
}

/// The accessibility class of a keychain item, which determines when it can be read.
///
/// The raw values are those of the `kSecAttrAccessible…` constants.
public enum KeychainAccessibility: String, CaseIterable, Codable, Sendable {
    /// While the device is unlocked.
    case whenUnlocked = "ak"
    /// While the device is unlocked.
    ///
    /// Backups for other devices do not contain the item.
    case whenUnlockedThisDeviceOnly = "aku"
    /// From the first unlock after a restart on.
    case afterFirstUnlock = "ck"
    /// From the first unlock after a restart on.
    ///
    /// Backups for other devices do not contain the item.
    case afterFirstUnlockThisDeviceOnly = "cku"
    /// While the device is unlocked, and only as long as it has a passcode.
    case whenPasscodeSetThisDeviceOnly = "akpu"
    /// Items of this class are stored as ``afterFirstUnlockThisDeviceOnly``, because Apple deprecated access before
    /// the first unlock.
    case alwaysThisDeviceOnly = "dku"

    /// The classes that items can have.
    public static let allCases: [Self] = [
        .whenUnlocked, .whenUnlockedThisDeviceOnly, .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly,
        .whenPasscodeSetThisDeviceOnly,
    ]

    /// Whether an encrypted backup transfers items to another device.
    package var travels: Bool { self == .whenUnlocked || self == .afterFirstUnlock }

    /// Whether items can be read while the device is locked, after its first unlock.
    package var opensWhileLocked: Bool {
        switch self {
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly: true
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: false
        }
    }
}

/// The accessibility class of a keychain item, which determines when the item can be read.
///
/// The raw values are those of the `kSecAttrAccessible…` constants.
public enum KeychainAccessibility: String, CaseIterable, Codable, Sendable {
    /// The item can be read while the device is unlocked.
    case whenUnlocked = "ak"
    /// The item can be read while the device is unlocked.
    ///
    /// A backup cannot restore the item to another device.
    case whenUnlockedThisDeviceOnly = "aku"
    /// The item can be read as soon as the device has been unlocked once after a restart.
    case afterFirstUnlock = "ck"
    /// The item can be read as soon as the device has been unlocked once after a restart.
    ///
    /// A backup cannot restore the item to another device.
    case afterFirstUnlockThisDeviceOnly = "cku"
    /// The item can be read while the device is unlocked, and only as long as the device has a passcode.
    ///
    /// A backup does not contain the item.
    case whenPasscodeSetThisDeviceOnly = "akpu"
    /// The item can always be read; PushBridge uses ``afterFirstUnlockThisDeviceOnly`` instead, because Apple
    /// deprecated access before the first unlock.
    case alwaysThisDeviceOnly = "dku"

    /// The classes that PushBridge gives to items: all except ``alwaysThisDeviceOnly``.
    public static let allCases: [Self] = [
        .whenUnlocked, .whenUnlockedThisDeviceOnly, .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly,
        .whenPasscodeSetThisDeviceOnly,
    ]

    /// Whether an encrypted backup transfers items of this class to another device.
    package var travels: Bool { self == .whenUnlocked || self == .afterFirstUnlock }

    /// Whether items of this class can be read while the device is locked, if the device has been unlocked
    /// once since the last restart.
    package var opensWhileLocked: Bool {
        switch self {
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly: true
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: false
        }
    }
}

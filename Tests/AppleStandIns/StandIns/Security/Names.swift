public import Foundation

// The texts are those of Apple's constants. They are computed, because NSString is not Sendable.

/// The class of an item.
public var kSecClass: CFString { NSString(string: "class") }
/// The class of generic passwords.
public var kSecClassGenericPassword: CFString { NSString(string: "genp") }

/// Which of the two keychains of macOS is used.
public var kSecUseDataProtectionKeychain: CFString { NSString(string: "nleg") }
/// The group of apps that share an item.
public var kSecAttrAccessGroup: CFString { NSString(string: "agrp") }
/// The context that authenticates the owner before an item is read.
public var kSecUseAuthenticationContext: CFString { NSString(string: "u_AuthCtx") }
/// When an item can be read.
public var kSecAttrAccessible: CFString { NSString(string: "pdmn") }
/// When an item was last changed.
public var kSecAttrModificationDate: CFString { NSString(string: "mdat") }
/// Data about an item that can be read without its value.
public var kSecAttrGeneric: CFString { NSString(string: "gena") }
/// The account of a password.
public var kSecAttrAccount: CFString { NSString(string: "acct") }
/// The service of a password.
public var kSecAttrService: CFString { NSString(string: "svce") }
/// The value of an item.
public var kSecValueData: CFString { NSString(string: "v_Data") }

/// How many items are asked for.
public var kSecMatchLimit: CFString { NSString(string: "m_Limit") }
/// The first item.
public var kSecMatchLimitOne: CFString { NSString(string: "m_LimitOne") }
/// All items.
public var kSecMatchLimitAll: CFString { NSString(string: "m_LimitAll") }
/// Whether attributes are asked for.
public var kSecReturnAttributes: CFString { NSString(string: "r_Attributes") }
/// Whether the value is asked for.
public var kSecReturnData: CFString { NSString(string: "r_Data") }

/// While the device is unlocked.
public var kSecAttrAccessibleWhenUnlocked: CFString { NSString(string: "ak") }
/// While the device is unlocked, on this device.
public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString { NSString(string: "aku") }
/// From the first unlock on.
public var kSecAttrAccessibleAfterFirstUnlock: CFString { NSString(string: "ck") }
/// From the first unlock on, on this device.
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { NSString(string: "cku") }
/// While the device is unlocked and has a passcode.
public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString { NSString(string: "akpu") }

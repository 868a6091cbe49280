public import Foundation

// The properties in this file have the values of Apple's constants. They are computed properties, because NSString
// is not Sendable.

/// The class of an item.
public var kSecClass: CFString { NSString(string: "class") }
/// The class of generic passwords.
public var kSecClassGenericPassword: CFString { NSString(string: "genp") }

/// Whether a query uses the data protection keychain; macOS also has a file-based keychain.
public var kSecUseDataProtectionKeychain: CFString { NSString(string: "nleg") }
/// The group of apps that share an item.
public var kSecAttrAccessGroup: CFString { NSString(string: "agrp") }
/// The context that authenticates the owner before an item is read.
public var kSecUseAuthenticationContext: CFString { NSString(string: "u_AuthCtx") }
/// The condition under which an item can be read.
public var kSecAttrAccessible: CFString { NSString(string: "pdmn") }
/// The time when an item was last changed.
public var kSecAttrModificationDate: CFString { NSString(string: "mdat") }
/// Data about an item, readable without decrypting the item's value.
public var kSecAttrGeneric: CFString { NSString(string: "gena") }
/// The account of a password.
public var kSecAttrAccount: CFString { NSString(string: "acct") }
/// The service of a password.
public var kSecAttrService: CFString { NSString(string: "svce") }
/// The value of an item.
public var kSecValueData: CFString { NSString(string: "v_Data") }

/// The maximum number of items that a query returns.
public var kSecMatchLimit: CFString { NSString(string: "m_Limit") }
/// The limit of one item.
public var kSecMatchLimitOne: CFString { NSString(string: "m_LimitOne") }
/// No limit: the query returns all items.
public var kSecMatchLimitAll: CFString { NSString(string: "m_LimitAll") }
/// Whether the result contains the attributes.
public var kSecReturnAttributes: CFString { NSString(string: "r_Attributes") }
/// Whether the result contains the value.
public var kSecReturnData: CFString { NSString(string: "r_Data") }

/// Readable while the device is unlocked.
public var kSecAttrAccessibleWhenUnlocked: CFString { NSString(string: "ak") }
/// Readable while the device is unlocked; the item is never moved to another device.
public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString { NSString(string: "aku") }
/// Readable after the first unlock since the device started.
public var kSecAttrAccessibleAfterFirstUnlock: CFString { NSString(string: "ck") }
/// Readable after the first unlock since the device started; the item is never moved to another device.
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { NSString(string: "cku") }
/// Readable while the device is unlocked, if it has a passcode; the item is never moved to another device.
public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString { NSString(string: "akpu") }

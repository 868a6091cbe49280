#if canImport(Security)
public import Foundation
public import Security

extension KeychainAccessibility {
    /// The value of `kSecAttrAccessible` that means the same.
    public var attribute: CFString {
        switch self {
        case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
        case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
        case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
        }
    }

    /// Reads a value of `kSecAttrAccessible`.
    ///
    /// The two that Apple deprecated because they leave items open before the first unlock, `dk` and `dku`, count as
    /// ``afterFirstUnlock`` and ``afterFirstUnlockThisDeviceOnly``; any other text as
    /// ``whenUnlockedThisDeviceOnly``, so that a mistake never opens more than was meant.
    public init(attribute: CFString) {
        let name = attribute as NSString
        if let known = Self.allCases.first(where: { name.isEqual($0.attribute as NSString) }) {
            self = known
        } else if name.isEqual(to: "dk") {
            self = .afterFirstUnlock
        } else if name.isEqual(to: "dku") {
            self = .afterFirstUnlockThisDeviceOnly
        } else {
            self = .whenUnlockedThisDeviceOnly
        }
    }
}
#endif

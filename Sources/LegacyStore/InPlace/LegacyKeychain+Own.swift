package import Foundation
package import PushBridgeCore
import PushBridgeStore

/// Our own items beside the legacy SDK's, which the SDK does not read.
extension LegacyKeychain {
    /// The data of an item of our own; the SDK does not read it.
    /// - Parameters:
    ///   - key: Its name.
    ///   - group: The keychain group; `nil` for that of the legacy items.
    /// - Returns: The data; `nil` if there is none.
    /// - Throws: ``StoreError`` if the keychain refuses.
    package func beside(_ key: BesideKey, in group: String? = nil) throws(StoreError) -> Data? {
        try asking("Reading our own item") { () throws(KeychainError) in
            try keychain.data(besideName(key, group))
        }
    }

    /// Stores an item of our own; `nil` deletes it.
    ///
    /// - Throws: ``StoreError`` if the keychain refuses.
    package func keep(_ data: Data?, beside key: BesideKey, in group: String? = nil) throws(StoreError) {
        let name = besideName(key, group)
        try asking("Writing our own item") { () throws(KeychainError) in
            try set(data, name, .afterFirstUnlock)
        }
    }

    /// Stores the marker of a group, with an accessibility class with which it is lost as soon as one of the items: on another
    /// device, or without a passcode, it would prove nothing about them.
    ///
    /// - Throws: ``StoreError`` if the keychain refuses.
    package func mark(_ group: String?) throws(StoreError) {
        var marker = KeychainAccessibility.afterFirstUnlock
        for service in [LegacyService.account, .mechanism] {
            for place in try names(of: service) where group == nil || place.accessGroup == group {
                do throws(KeychainError) {
                    switch try keychain.accessibility(of: place) {
                    case .whenPasscodeSetThisDeviceOnly: marker = .whenPasscodeSetThisDeviceOnly
                    case let item? where !item.travels && marker.travels:
                        marker = .afterFirstUnlockThisDeviceOnly
                    default: break
                    }
                } catch {
                    // An item that the keychain refuses stops no other; its class may be one that stays on the device.
                    if marker.travels { marker = .afterFirstUnlockThisDeviceOnly }
                }
            }
        }
        let (name, accessibility) = (besideName(.mark, group), marker)
        try asking("Writing our own item") { () throws(KeychainError) in
            if let held = try keychain.accessibility(of: name), held != accessibility {
                try keychain.remove(name)
            }
            try set(Data("here".utf8), name, accessibility)
        }
    }

    private func set(
        _ data: Data?,
        _ name: KeychainItem.Name,
        _ accessibility: KeychainAccessibility
    ) throws(KeychainError) {
        guard let data else {
            try keychain.remove(name)
            return
        }
        do throws(KeychainError) {
            return try keychain.update(name, data: data)
        } catch  where error.code == .undecryptable {
            try keychain.remove(name)
        } catch  where error.code == .notFound {
        }
        do throws(KeychainError) {
            try keychain.add(KeychainItem(name, data: data, accessibility: accessibility))
        } catch  where error.code == .duplicate {
            // The keychain has just reported that there is no such item.
            throw .hidden
        }
    }

    /// Our own items.
    package enum BesideKey: String {
        /// Data without a field in the legacy items.
        case notes = "state"
        /// Proves that the group is readable.
        case mark = "here"
        /// The names of the items that earlier attempts to move them found.
        case listing = "listing"
    }

    /// A service of PushBridge, which no legacy SDK asks for.
    package static let besideService = "\(KeychainServices().credentials).inPlace"

    private func besideName(_ key: BesideKey, _ group: String?) -> KeychainItem.Name {
        KeychainItem.Name(
            service: Self.besideService,
            account: key.rawValue,
            accessGroup: group ?? accessGroup
        )
    }
}

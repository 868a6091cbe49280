package import Foundation
package import PushBridgeCore
import PushBridgeStore

/// PushBridge's own items beside the items of the legacy SDK, which does not read them.
extension LegacyKeychain {
    /// Reads one of PushBridge's own items.
    /// - Parameters:
    ///   - key: The name of the item.
    ///   - group: The keychain group; `nil` for the group of the legacy items.
    /// - Returns: The data; `nil` if the item does not exist.
    /// - Throws: ``StoreError`` if the keychain fails.
    package func beside(_ key: BesideKey, in group: String? = nil) throws(StoreError) -> Data? {
        try asking("Reading PushBridge's own item") { () throws(KeychainError) in
            try keychain.data(besideName(key, group))
        }
    }

    /// Stores one of PushBridge's own items, or deletes the item if `data` is `nil`.
    ///
    /// - Parameters:
    ///   - data: The data of the item.
    ///   - key: The name of the item.
    ///   - group: The keychain group; `nil` for the group of the legacy items.
    ///   - isNew: Whether the caller looked for the item and did not find it. If the item exists nevertheless,
    ///     it is neither replaced nor deleted.
    /// - Throws: ``StoreError`` if the keychain fails; the code is `locked` if the item was not found but exists.
    package func keep(
        _ data: Data?,
        beside key: BesideKey,
        in group: String? = nil,
        isNew: Bool = false
    ) throws(StoreError) {
        if isNew && data == nil { return }
        let name = besideName(key, group)
        try asking("Writing PushBridge's own item") { () throws(KeychainError) in
            try set(data, name, .afterFirstUnlock, isNew: isNew)
        }
    }

    /// Stores the marker of a group.
    ///
    /// The marker's accessibility class makes sure that the marker disappears as soon as one of the items
    /// disappears. Otherwise, the marker could outlast an item (on another device, or after the passcode was
    /// removed), and would then prove nothing about the items.
    ///
    /// - Throws: ``StoreError`` if the keychain fails.
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
                    // If the keychain refuses an item, the other items are still checked. The refused item
                    // may have an accessibility class that keeps the item on this device, so the marker must
                    // stay on this device as well.
                    if marker.travels { marker = .afterFirstUnlockThisDeviceOnly }
                }
            }
        }
        let (name, accessibility) = (besideName(.mark, group), marker)
        try asking("Writing PushBridge's own item") { () throws(KeychainError) in
            if let held = try keychain.accessibility(of: name), held != accessibility {
                try keychain.remove(name)
            }
            try set(Data("here".utf8), name, accessibility)
        }
    }

    private func set(
        _ data: Data?,
        _ name: KeychainItem.Name,
        _ accessibility: KeychainAccessibility,
        isNew: Bool = false
    ) throws(KeychainError) {
        guard let data else {
            try keychain.remove(name)
            return
        }
        if !isNew {
            do throws(KeychainError) {
                return try keychain.update(name, data: data)
            } catch  where error.code == .undecryptable {
                try keychain.remove(name)
            } catch  where error.code == .notFound {
            }
        }
        do throws(KeychainError) {
            try keychain.add(KeychainItem(name, data: data, accessibility: accessibility))
        } catch  where error.code == .duplicate {
            // The item exists although the keychain did not return it before, so the keychain hides the item.
            throw .hidden
        }
    }

    /// The names of PushBridge's own items.
    package enum BesideKey: String {
        /// Data for which the legacy items have no field.
        case notes = "state"
        /// The marker; its presence proves that the group is readable.
        case mark = "here"
        /// The names of the items that earlier attempts at a move found.
        case listing = "listing"
        /// The time of the first failure of the device's key, and the number of starts at which the key failed.
        case keyFailure = "keyFailure"
    }

    /// PushBridge's own keychain service, which the legacy SDK does not query.
    package static let besideService = "\(KeychainServices().credentials).inPlace"

    private func besideName(_ key: BesideKey, _ group: String?) -> KeychainItem.Name {
        KeychainItem.Name(
            service: Self.besideService,
            account: key.rawValue,
            accessGroup: group ?? accessGroup
        )
    }
}

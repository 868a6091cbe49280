public import Foundation
import Synchronization

/// The keys of the one Secure Enclave behind `SecItemCopyMatching`.
public enum StandInKeys {
    private static let shared = Mutex<[SavedName: SecKey]>([:])
    private static let refusal = Mutex<OSStatus?>(nil)

    /// What a key was saved under: text and data are not the same.
    private struct SavedName: Hashable {
        let isText: Bool
        let bytes: Data
    }

    /// Saves a key under a text, as the legacy SDK does.
    public static func add(_ key: SecKey, tag: String) {
        shared.withLock { $0[SavedName(isText: true, bytes: Data(tag.utf8))] = key }
    }

    /// Saves a key under data, as is documented.
    public static func add(_ key: SecKey, tag: Data) {
        shared.withLock { $0[SavedName(isText: false, bytes: tag)] = key }
    }

    /// Makes every search end with a status; `nil` ends that.
    public static func refuse(with status: OSStatus?) { refusal.withLock { $0 = status } }

    /// Removes all keys.
    public static func reset() {
        shared.withLock { $0 = [:] }
        refuse(with: nil)
    }

    /// What a query for a key is answered; `nil` if it is not for one.
    static func answer(_ query: CFDictionary) -> (status: OSStatus, key: SecKey?)? {
        guard query.object(forKey: kSecClass) as? String == "\(kSecClassKey)" else { return nil }
        if let status = refusal.withLock({ $0 }) { return (status, nil) }
        let name: SavedName
        switch query.object(forKey: kSecAttrApplicationTag) {
        case let text as String: name = SavedName(isText: true, bytes: Data(text.utf8))
        case let data as Data: name = SavedName(isText: false, bytes: data)
        default: return (errSecParam, nil)
        }
        guard let key = shared.withLock({ $0[name] }) else { return (errSecItemNotFound, nil) }
        return (errSecSuccess, key)
    }
}

#if canImport(Security)
public import AuthenticatorCore
public import Crypto
import Foundation
import Security

/// A key in the keychain, readable from the first unlock after a restart on.
///
/// It travels with encrypted backups, as the legacy credentials did, so that a restored store opens. An app and
/// its extensions share the key through an access group.
public struct KeychainSealingKey: SealingKeyProvider {
    /// The service under which the key is kept.
    public let service: String
    /// The keychain group of the app and its extensions; `nil` is the app's own.
    public let accessGroup: String?

    private static let account = "sealing-key"

    /// Names an item; it is read or made when a store is opened.
    public init(service: String, accessGroup: String? = nil) {
        self.service = service
        self.accessGroup = accessGroup
    }

    /// Reads the key; the code is `wrongKey` if there is none.
    public func existingKey() throws(StoreError) -> SymmetricKey {
        guard let key = try storedKey() else {
            throw StoreError(
                .wrongKey,
                reason: "The keychain has no key for \(service); without it the store cannot be opened."
            )
        }
        return key
    }

    /// Reads the key, or adds one if there is none.
    ///
    /// If another process adds it at the same time, both get the same key.
    public func keyForNewStore() throws(StoreError) -> SymmetricKey {
        if let key = try storedKey() { return key }
        let key = SymmetricKey(size: .bits256)
        var attributes = item
        attributes[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlock
        attributes[kSecValueData] = key.withUnsafeBytes { Data($0) }
        switch SecItemAdd(attributes as CFDictionary, nil) {
        case errSecSuccess: return key
        case errSecDuplicateItem: return try existingKey()
        case let status: throw refusal(status)
        }
    }

    private func storedKey() throws(StoreError) -> SymmetricKey? {
        var query = item
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var result: CFTypeRef?
        switch SecItemCopyMatching(query as CFDictionary, &result) {
        case errSecSuccess: break
        case errSecItemNotFound: return nil
        case let status: throw refusal(status)
        }
        guard let bytes = result as? Data, bytes.count == 32 else {
            throw StoreError(.wrongKey, reason: "The keychain item of \(service) is not a sealing key.")
        }
        return SymmetricKey(data: bytes)
    }

    private var item: [CFString: Any] {
        var item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service,
            kSecAttrAccount: Self.account,
            kSecUseDataProtectionKeychain: true,
        ]
        item[kSecAttrAccessGroup] = accessGroup
        return item
    }

    private func refusal(_ status: OSStatus) -> StoreError {
        let words = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "no explanation"
        let reason = "The keychain refused the key of \(service): \(words) (\(status))."
        switch status {
        case errSecInteractionNotAllowed, errSecNotAvailable: return StoreError(.locked, reason: reason)
        case errSecDecode, errSecAuthFailed: return StoreError(.wrongKey, reason: reason)
        default: return StoreError(.failed, reason: reason)
        }
    }
}
#endif

public import Crypto
import Foundation
public import PushBridgeCore

/// A key in a keychain.
///
/// The key can be read as soon as the device has been unlocked once after a restart.
///
/// An encrypted backup contains the key, so a store that is restored from this backup can be opened. An app and its
/// extensions share the key through an access group.
public struct KeychainSealingKey: SealingKeyProvider {
    /// The service of the key's item.
    public let service: String
    /// The keychain group of the app and its extensions; `nil` for the app's own group.
    public let accessGroup: String?
    private let keychain: any Keychain

    /// Creates a provider for an item of `keychain`; the item is read or added when a store is opened.
    /// - Parameters:
    ///   - service: The service of the item.
    ///   - accessGroup: The keychain group; `nil` for the app's own group.
    ///   - keychain: The keychain.
    public init(service: String, accessGroup: String? = nil, keychain: any Keychain) {
        self.service = service
        self.accessGroup = accessGroup
        self.keychain = keychain
    }

    /// Reads the key.
    ///
    /// While a keychain is not accessible, it may report that an existing item does not exist. So before this
    /// method reports a missing key, it adds a test item, reads the test item and removes it.
    /// - Throws: ``StoreError`` with the code `keyMissing` if the keychain is accessible and contains no key, or a
    ///   key that it cannot decrypt. A phone that was restored from a backup of another phone can have such a key.
    public func existingKey() throws(StoreError) -> SymmetricKey {
        if let key = try storedKey() { return key }
        let probe = KeychainItem.Name(
            service: service,
            account: "sealing-key-probe",
            accessGroup: accessGroup
        )
        do throws(KeychainError) {
            try keychain.remove(probe)
            try keychain.add(KeychainItem(probe, data: Data("here".utf8), accessibility: .afterFirstUnlock))
            let isReadable = try keychain.data(probe) != nil
            try keychain.remove(probe)
            guard isReadable else { throw KeychainError.hidden }
        } catch {
            throw refusal(error)
        }
        if let key = try storedKey() { return key }
        throw StoreError(
            .keyMissing,
            reason:
                "The keychain has no key for \(service) that it can decrypt; without a key the store cannot be opened."
        )
    }

    /// Reads the key, or adds a key if there is none.
    ///
    /// If another process adds a key at the same time, both processes get the same key. A key that the keychain
    /// can never decrypt is replaced.
    ///
    /// - Throws: ``StoreError`` if the keychain cannot be read, if its item is not a sealing key, or if it contains no
    ///   key and none can be added.
    public func keyForNewStore() throws(StoreError) -> SymmetricKey {
        if let key = try storedKey() { return key }
        if let key = try addedKey() { return key }
        // The keychain already has an item with this name: another process has just added the item, or it
        // cannot be decrypted.
        do {
            return try existingKey()
        } catch {
            guard error.code == .keyMissing else { throw error }
        }
        try removeUndecryptableItem()
        if let key = try addedKey() { return key }
        return try existingKey()
    }

    /// Adds a new key; returns `nil` if the keychain already has an item with this name.
    private func addedKey() throws(StoreError) -> SymmetricKey? {
        let key = SymmetricKey(size: .bits256)
        let item = KeychainItem(
            name,
            data: key.withUnsafeBytes { Data($0) },
            accessibility: .afterFirstUnlock
        )
        do {
            try keychain.add(item)
            return key
        } catch {
            guard error.code == .duplicate else { throw refusal(error) }
            return nil
        }
    }

    /// Removes the item of the key if it still cannot be decrypted.
    ///
    /// Readable items stay: keys of other groups, and a key with which another process has replaced the item.
    private func removeUndecryptableItem() throws(StoreError) {
        do {
            try keychain.exclusively {
                for place in try keychain.names(of: name) {
                    do throws(KeychainError) {
                        _ = try keychain.data(place)
                    } catch {
                        guard error.code == .undecryptable else { throw error }
                        try keychain.remove(place)
                    }
                }
            }
        } catch let error as KeychainError {
            throw refusal(error)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.failed, reason: "The key of \(service) cannot be replaced.")
        }
    }

    /// Reads the key; returns `nil` if there is no key, or if the keychain can never decrypt it.
    private func storedKey() throws(StoreError) -> SymmetricKey? {
        let stored: Data?
        do {
            stored = try keychain.data(name)
        } catch {
            guard error.code != .undecryptable else { return nil }
            throw refusal(error)
        }
        guard let stored else { return nil }
        guard stored.count == 32 else {
            throw StoreError(.wrongKey, reason: "The keychain item of \(service) is not a sealing key.")
        }
        return SymmetricKey(data: stored)
    }

    private var name: KeychainItem.Name {
        KeychainItem.Name(service: service, account: "sealing-key", accessGroup: accessGroup)
    }

    private func refusal(_ error: KeychainError) -> StoreError {
        let reason = "The key of \(service) is inaccessible (\(error.status)): \(error.localizedDescription)"
        switch error.code {
        case .locked: return StoreError(.locked, reason: reason)
        case .notEntitled: return StoreError(.notEntitled, reason: reason)
        case .duplicate, .notFound, .undecryptable, .failed: return StoreError(.failed, reason: reason)
        }
    }
}

#if canImport(Security)
extension KeychainSealingKey {
    /// Creates a provider for an item of the system's keychain; the item is read or added when a store is
    /// opened.
    public init(service: String, accessGroup: String? = nil) {
        self.init(service: service, accessGroup: accessGroup, keychain: SystemKeychain())
    }
}
#endif

import Foundation
import PushBridgeCore
import PushBridgeInternals
import PushBridgeStore

/// An in-memory keychain that counts its operations.
///
/// Only one call may run at a time.
final class CountingKeychain: Keychain, @unchecked Sendable {
    private let keychain = InMemoryKeychain()
    private let hasLookUpKeys: Bool
    // No lock is needed, because one call runs at a time.
    private(set) var total = 0
    var operations = 0

    init(_ hasLookUpKeys: Bool = true) { self.hasLookUpKeys = hasLookUpKeys }

    func add(_ item: KeychainItem) throws(KeychainError) {
        total += 1
        try keychain.add(item)
    }

    func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        total += 1
        try keychain.update(name, data: data)
    }

    func update(_ item: KeychainItem) throws(KeychainError) {
        total += 1
        try keychain.update(item)
    }

    func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? {
        total += 1
        return try keychain.data(name)
    }

    func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String] {
        total += 1
        return try keychain.accounts(service: service, accessGroup: accessGroup)
    }

    func lookUpKeys(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.LookUpKey]? {
        guard hasLookUpKeys else { return nil }
        total += 1
        return try keychain.lookUpKeys(service: service, accessGroup: accessGroup)
    }

    func accounts(
        service: String,
        accessGroup: String?,
        lookUpKey: Data
    ) throws(KeychainError) -> [String]? {
        guard hasLookUpKeys else { return nil }
        total += 1
        return try keychain.accounts(service: service, accessGroup: accessGroup, lookUpKey: lookUpKey)
    }

    func names(of name: KeychainItem.Name) throws(KeychainError) -> [KeychainItem.Name] {
        total += 1
        return try keychain.names(of: name)
    }

    func items(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem] {
        total += 1
        return try keychain.items(service: service, accessGroup: accessGroup)
    }

    func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool {
        total += 1
        return try keychain.remove(name)
    }
}

import Foundation
import PushBridgeCore
import PushBridgeStore

/// A keychain that rejects the removal of one item.
struct StubbornKeychain: Keychain {
    private let keychain: any Keychain
    private let kept: String

    init(_ keychain: any Keychain, keeping account: String) {
        self.keychain = keychain
        kept = account
    }

    func add(_ item: KeychainItem) throws(KeychainError) { try keychain.add(item) }

    func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        try keychain.update(name, data: data)
    }

    func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? { try keychain.data(name) }

    func accessibility(of name: KeychainItem.Name) throws(KeychainError) -> KeychainAccessibility? {
        try keychain.accessibility(of: name)
    }

    func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String] {
        try keychain.accounts(service: service, accessGroup: accessGroup)
    }

    func names(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem.Name] {
        try keychain.names(service: service, accessGroup: accessGroup)
    }

    func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool {
        guard name.account != kept else { throw KeychainError(status: -34018) }
        return try keychain.remove(name)
    }
}

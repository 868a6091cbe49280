import Foundation
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport

/// A keychain that rejects the removal of one item.
struct StubbornKeychain: WrappingKeychain {
    let keychain: InMemoryKeychain
    private let kept: String

    init(_ keychain: InMemoryKeychain, keeping account: String) {
        self.keychain = keychain
        kept = account
    }

    func accessibility(of name: KeychainItem.Name) throws(KeychainError) -> KeychainAccessibility? {
        try keychain.accessibility(of: name)
    }

    func names(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem.Name] {
        try keychain.names(service: service, accessGroup: accessGroup)
    }

    func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool {
        guard name.account != kept else { throw KeychainError(status: -34018) }
        return try keychain.remove(name)
    }
}

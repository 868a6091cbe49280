package import Foundation
package import PushBridgeStore

/// A keychain that changes some calls of another keychain, and passes on all other required calls.
package protocol WrappingKeychain: Keychain {
    associatedtype Wrapped: Keychain
    var keychain: Wrapped { get }
}

extension WrappingKeychain {
    package func add(_ item: KeychainItem) throws(KeychainError) { try keychain.add(item) }

    package func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        try keychain.update(name, data: data)
    }

    package func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? { try keychain.data(name) }

    package func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String] {
        try keychain.accounts(service: service, accessGroup: accessGroup)
    }

    @discardableResult
    package func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool { try keychain.remove(name) }
}

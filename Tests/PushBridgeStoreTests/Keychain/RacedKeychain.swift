import Foundation
import PushBridgeStore

/// A keychain in which another process is faster than this process.
///
/// Just before this process adds an item, another process adds the same item.
struct RacedKeychain: Keychain {
    private let keychain: InMemoryKeychain
    private let rival: @Sendable (KeychainItem) -> Data?

    /// Creates a keychain.
    ///
    /// `rival` returns the data that the other process adds under an item's name. If `rival` returns `nil`,
    /// the other process adds nothing.
    init(_ keychain: InMemoryKeychain, rival: @escaping @Sendable (KeychainItem) -> Data?) {
        self.keychain = keychain
        self.rival = rival
    }

    func add(_ item: KeychainItem) throws(KeychainError) {
        if let data = rival(item) { try keychain.add(KeychainItem(item.name, data: data)) }
        try keychain.add(item)
    }

    func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        try keychain.update(name, data: data)
    }

    func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? { try keychain.data(name) }

    func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String] {
        try keychain.accounts(service: service, accessGroup: accessGroup)
    }

    func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool { try keychain.remove(name) }
}

import Foundation
import PushBridgeStore
import PushBridgeTestSupport

/// A keychain in which another process is faster than this process.
///
/// Just before this process adds an item, another process adds an item with the same name.
struct RacedKeychain: WrappingKeychain {
    let keychain: InMemoryKeychain
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
}

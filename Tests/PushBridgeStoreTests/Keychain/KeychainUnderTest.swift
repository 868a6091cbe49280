import PushBridgeStore

/// The keychain that the contract is held against here; the package of stand-ins has another of the same name.
struct KeychainUnderTest {
    let keychain = InMemoryKeychain()

    /// Locks the device as it is before the first unlock.
    func lock() { keychain.isLocked = true }

    func unlock() { keychain.isLocked = false }

    func makeUndecryptable(_ name: KeychainItem.Name) { keychain.makeUndecryptable(name) }
}

import PushBridgeStore

/// The keychain that the contract tests use here.
///
/// The package of stand-ins has its own type with this name.
struct KeychainUnderTest {
    let keychain = InMemoryKeychain()

    /// Sets the device to the state before its first unlock.
    func lock() { keychain.isLocked = true }

    func unlock() { keychain.isLocked = false }

    func makeUndecryptable(_ name: KeychainItem.Name) { keychain.makeUndecryptable(name) }
}

import PushBridgeStore
import Security

/// The keychain that the tests use here: the system's keychain, on the stand-in for Apple's Security framework.
///
/// Every test empties the keychain, so the tests run serially.
struct KeychainUnderTest {
    let keychain = SystemKeychain()

    init() { StandInKeychain.reset() }

    /// Sets the device to the state before its first unlock.
    func lock() { StandInKeychain.with { $0.device = .beforeFirstUnlock } }

    func unlock() { StandInKeychain.with { $0.device = .unlocked } }

    func makeUndecryptable(_ name: KeychainItem.Name) {
        StandInKeychain.with { $0.makeUndecryptable(service: name.service, account: name.account) }
    }
}

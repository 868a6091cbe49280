import PushBridgeStore
import Security

/// Apple's keychain over the stand-in; emptied for every test, which is why the tests run one after another.
struct KeychainUnderTest {
    let keychain = SystemKeychain()

    init() { StandInKeychain.reset() }

    /// Locks the device as it is before the first unlock.
    func lock() { StandInKeychain.with { $0.device = .beforeFirstUnlock } }

    func unlock() { StandInKeychain.with { $0.device = .unlocked } }

    func makeUndecryptable(_ name: KeychainItem.Name) {
        StandInKeychain.with { $0.makeUndecryptable(service: name.service, account: name.account) }
    }
}

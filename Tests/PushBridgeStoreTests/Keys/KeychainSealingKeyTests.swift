import Crypto
import Foundation
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@Suite("Keychain sealing key")
struct KeychainSealingKeyTests {
    private let keychain = InMemoryKeychain()
    private var key: KeychainSealingKey { KeychainSealingKey(service: "PingPush", keychain: keychain) }
    private let name = KeychainItem.Name(service: "PingPush", account: "sealing-key")

    @Test func aKeyIsCreatedOnceAndKept() throws {
        let made = try key.keyForNewStore()
        #expect(made.bitCount == 256)
        #expect(try key.keyForNewStore() == made)
        #expect(try key.existingKey() == made)
    }

    @Test func theKeyIsStoredInOneNamedItem() throws {
        let made = try key.keyForNewStore()
        #expect(try keychain.accounts(service: "PingPush", accessGroup: nil) == ["sealing-key"])
        #expect(try keychain.data(name) == made.withUnsafeBytes { Data($0) })
    }

    @Test func eachGroupHasASeparateKey() throws {
        let keys = try ["group.one", "group.two"].map { group in
            try KeychainSealingKey(service: "PingPush", accessGroup: group, keychain: keychain)
                .keyForNewStore()
        }
        #expect(keys[0] != keys[1])
    }

    @Test func noKeyIsCreatedForAnExistingStore() throws {
        #expect(try storeErrorCode { _ = try key.existingKey() } == .keyMissing)
        #expect(try keychain.data(name) == nil)
        #expect(try keychain.names(service: "PingPush", accessGroup: nil).isEmpty)
    }

    /// A key that the keychain hides counts as locked, not as missing.
    ///
    /// Before the first unlock, the keychain may report that an item does not exist.
    @Test func aKeyThatIsHiddenIsNotMissing() throws {
        _ = try key.keyForNewStore()
        let unreliable = UnreliableKeychain(keychain)
        unreliable.hidesAllItems = true
        let hidden = KeychainSealingKey(service: "PingPush", keychain: unreliable)
        #expect(try storeErrorCode { _ = try hidden.existingKey() } == .locked)
    }

    @Test func anInvalidKeyIsRefusedAndKept() throws {
        try keychain.add(KeychainItem(name, data: Data([1])))
        #expect(try storeErrorCode { _ = try key.keyForNewStore() } == .wrongKey)
        #expect(try keychain.data(name) == Data([1]))
    }

    @Test func noKeyIsCreatedInALockedKeychain() throws {
        keychain.isLocked = true
        #expect(try storeErrorCode { _ = try key.keyForNewStore() } == .locked)
        #expect(try storeErrorCode { _ = try key.existingKey() } == .locked)
    }

    /// A key that can never be decrypted counts as missing, for example after a restore from another phone's backup.
    @Test func aKeyThatCanNeverBeDecryptedCountsAsMissing() throws {
        let old = try key.keyForNewStore()
        keychain.makeUndecryptable(name)
        #expect(try storeErrorCode { _ = try key.existingKey() } == .keyMissing)
        #expect(try keychain.accounts(service: "PingPush", accessGroup: nil) == ["sealing-key"])
        let new = try key.keyForNewStore()
        #expect(new != old)
        #expect(try key.existingKey() == new)
    }

    @Test func aKeyThatCannotBeDecryptedInALockedKeychainStays() throws {
        _ = try key.keyForNewStore()
        keychain.makeUndecryptable(name)
        let unreliable = UnreliableKeychain(keychain)
        unreliable.refuse("sealing-key-probe", with: -25308)
        let key = KeychainSealingKey(service: "PingPush", keychain: unreliable)
        #expect(try storeErrorCode { _ = try key.existingKey() } == .locked)
        #expect(try storeErrorCode { _ = try key.keyForNewStore() } == .locked)
        #expect(throws: KeychainError(status: -26275)) { try keychain.data(name) }
    }

    @Test func replacingAKeyLeavesTheKeysOfOtherGroups() throws {
        _ = try key.keyForNewStore()
        let place = try #require(try keychain.names(of: name).first)
        let other = KeychainSealingKey(service: "PingPush", accessGroup: "group.one", keychain: keychain)
        let otherKey = try other.keyForNewStore()
        keychain.makeUndecryptable(place)
        _ = try key.keyForNewStore()
        #expect(try other.existingKey() == otherKey)
        #expect(try keychain.names(of: name).count == 2)
    }

    /// The example in the article `Moving-a-store` sets the store aside and opens an empty store.
    @Test func aStoreWithAnUndecryptableKeyIsSetAside() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        func open() throws(StoreError) -> SQLiteCredentialStore {
            try SQLiteCredentialStore(path: path, key: key, mode: .create)
        }
        let old = try open()
        try old.write { try $0.save(PushCredential.sample()) }
        try old.close()
        keychain.makeUndecryptable(name)
        #expect(try storeErrorCode { _ = try open() } == .keyMissing)
        #expect(try SQLiteCredentialStore.setAside(path: path) == "\(path).1")
        let new = try open()
        #expect(try new.read { try $0.count(of: .push, where: .all) } == 0)
        #expect(try folder.names().contains("store.sqlite.1"))
        #expect(try open().read { try $0.count(of: .push, where: .all) } == 0)
    }

    @Test func aKeyThatAnotherProcessJustAddedIsUsed() throws {
        let rival = SymmetricKey(size: .bits256)
        let raced = RacedKeychain(keychain) { _ in rival.withUnsafeBytes { Data($0) } }
        let key = KeychainSealingKey(service: "PingPush", keychain: raced)
        #expect(try key.keyForNewStore() == rival)
    }
}

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

    @Test func aKeyIsMadeOnceAndKept() throws {
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

    @Test func aMissingKeyIsNotMadeForAnExistingStore() throws {
        #expect(try storeErrorCode { _ = try key.existingKey() } == .keyMissing)
        #expect(try keychain.data(name) == nil)
        #expect(try keychain.names(service: "PingPush", accessGroup: nil).isEmpty)
    }

    /// Before the first unlock the keychain may report that an item does not exist.
    @Test func aKeyThatIsHiddenIsNotMissing() throws {
        _ = try key.keyForNewStore()
        let moody = MoodyKeychain(keychain)
        moody.isBlind = true
        let hidden = KeychainSealingKey(service: "PingPush", keychain: moody)
        #expect(try storeErrorCode { _ = try hidden.existingKey() } == .locked)
    }

    @Test func anInvalidKeyIsRefusedAndKept() throws {
        try keychain.add(KeychainItem(name, data: Data([1])))
        #expect(try storeErrorCode { _ = try key.keyForNewStore() } == .wrongKey)
        #expect(try keychain.data(name) == Data([1]))
    }

    @Test func aLockedKeychainMakesNoKey() throws {
        keychain.isLocked = true
        #expect(try storeErrorCode { _ = try key.keyForNewStore() } == .locked)
        #expect(try storeErrorCode { _ = try key.existingKey() } == .locked)
    }

    @Test func aKeyThatCannotBeOpenedIsTheWrongOne() throws {
        _ = try key.keyForNewStore()
        keychain.makeUndecryptable(name)
        #expect(try storeErrorCode { _ = try key.keyForNewStore() } == .wrongKey)
    }

    @Test func aKeyThatAnotherProcessJustAddedIsUsed() throws {
        let rival = SymmetricKey(size: .bits256)
        let raced = RacedKeychain(keychain) { _ in rival.withUnsafeBytes { Data($0) } }
        let key = KeychainSealingKey(service: "PingPush", keychain: raced)
        #expect(try key.keyForNewStore() == rival)
    }
}

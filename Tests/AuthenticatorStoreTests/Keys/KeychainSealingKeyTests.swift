import AuthenticatorCore
import AuthenticatorKeychain
import AuthenticatorStore
import Crypto
import Foundation
import TestSupport
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

    @Test func theItemHasItsNameAndNoOther() throws {
        let made = try key.keyForNewStore()
        #expect(try keychain.accounts(service: "PingPush", accessGroup: nil) == ["sealing-key"])
        #expect(try keychain.data(name) == made.withUnsafeBytes { Data($0) })
    }

    @Test func aGroupHasAKeyOfItsOwn() throws {
        let keys = try ["group.one", "group.two"].map { group in
            try KeychainSealingKey(service: "PingPush", accessGroup: group, keychain: keychain)
                .keyForNewStore()
        }
        #expect(keys[0] != keys[1])
    }

    @Test func aMissingKeyIsNotMadeForAnExistingStore() throws {
        #expect(try storeErrorCode { _ = try key.existingKey() } == .wrongKey)
        #expect(try keychain.data(name) == nil)
    }

    @Test func whatIsNoKeyIsRefusedAndKept() throws {
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

    @Test func aKeyThatAnotherProcessAddedMeanwhileIsTaken() throws {
        let rival = SymmetricKey(size: .bits256)
        let key = KeychainSealingKey(service: "PingPush", keychain: RacedKeychain(keychain, rival))
        #expect(try key.keyForNewStore() == rival)
    }
}

/// A keychain where someone else adds a key just before every adding.
private struct RacedKeychain: Keychain {
    private let keychain: InMemoryKeychain
    private let rival: SymmetricKey

    init(_ keychain: InMemoryKeychain, _ rival: SymmetricKey) {
        self.keychain = keychain
        self.rival = rival
    }

    func add(_ item: KeychainItem) throws(KeychainError) {
        try keychain.add(KeychainItem(item.name, data: rival.withUnsafeBytes { Data($0) }))
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

import AuthenticatorKeychain
import Foundation
import Testing

@Suite("In-memory keychain")
struct InMemoryKeychainTests {
    private let keychain = InMemoryKeychain()
    private let name = KeychainItem.Name(service: "service", account: "account")

    @Test func anItemIsAddedOnce() throws {
        try keychain.add(KeychainItem(name, data: Data([1])))
        #expect(throws: KeychainError(status: -25299)) {
            try keychain.add(KeychainItem(name, data: Data([2])))
        }
        #expect(try keychain.data(name) == Data([1]))
    }

    @Test func whatIsNotThereIsNotFound() throws {
        #expect(try keychain.data(name) == nil)
        #expect(try keychain.remove(name) == false)
        #expect(throws: KeychainError(status: -25300)) { try keychain.update(name, data: Data()) }
    }

    @Test func aLockedKeychainRefusesEverything() throws {
        try keychain.add(KeychainItem(name, data: Data([1])))
        keychain.isLocked = true
        #expect(throws: KeychainError(status: -25308)) { try keychain.data(name) }
        #expect(throws: KeychainError(status: -25308)) {
            try keychain.accounts(service: "service", accessGroup: nil)
        }
        keychain.isLocked = false
        #expect(try keychain.data(name) == Data([1]))
    }

    @Test func anUndecryptableItemIsListedAndNotRead() throws {
        try keychain.add(KeychainItem(name, data: Data([1])))
        keychain.makeUndecryptable(name)
        #expect(throws: KeychainError(status: -26275)) { try keychain.data(name) }
        #expect(try keychain.accounts(service: "service", accessGroup: nil) == ["account"])
    }
}

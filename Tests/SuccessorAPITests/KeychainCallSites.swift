import Foundation
import PingPush
import Testing

/// An app needs no import besides `PingPush` to write its own keychain.
@Suite("Keychain call sites")
struct KeychainCallSites {
    @Test func anAppProvidesItsOwnKeychain() async throws {
        let keychain = OwnKeychain()
        let services = StandardStore.KeychainServices(credentials: "own")
        let storage = PushKeychainStorage(keychain: keychain, services: services)
        let credential = PushCredential.sample("a")
        try await storage.storePushCredential(credential)
        #expect(try keychain.accounts(service: "own", accessGroup: nil) == ["a"])
        #expect(try await storage.retrievePushCredential(credentialId: "a") == credential)
        #expect(try await storage.removePushCredential(credentialId: "a"))
        #expect(try keychain.accounts(service: "own", accessGroup: nil) == [])
    }
}

private final class OwnKeychain: StandardStore.Keychain, @unchecked Sendable {
    private typealias Failure = StandardStore.KeychainError

    private let lock = NSLock()
    private var items: [StandardStore.KeychainItem.Name: StandardStore.KeychainItem] = [:]

    func add(_ item: StandardStore.KeychainItem) throws(StandardStore.KeychainError) {
        lock.lock()
        defer { lock.unlock() }
        guard items[item.name] == nil else { throw Failure(status: -25_299) }
        items[item.name] = item
    }

    func update(_ name: StandardStore.KeychainItem.Name, data: Data) throws(StandardStore.KeychainError) {
        lock.lock()
        defer { lock.unlock() }
        guard items[name] != nil else { throw Failure(status: -25_300) }
        items[name]?.data = data
    }

    func data(_ name: StandardStore.KeychainItem.Name) throws(StandardStore.KeychainError) -> Data? {
        lock.withLock { items[name]?.data }
    }

    func accounts(service: String, accessGroup: String?) throws(StandardStore.KeychainError) -> [String] {
        lock.withLock { items.keys.filter { $0.service == service }.map(\.account).sorted() }
    }

    func remove(_ name: StandardStore.KeychainItem.Name) throws(StandardStore.KeychainError) -> Bool {
        lock.withLock { items.removeValue(forKey: name) != nil }
    }
}

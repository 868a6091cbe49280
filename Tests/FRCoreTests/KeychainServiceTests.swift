import FRCore
import Foundation
import PushBridgeCore
import PushBridgeStore
import Testing

@Suite("An app's keychain items")
struct KeychainServiceTests {
    private let keychain = InMemoryKeychain()

    @Test func storedValuesRoundTrip() {
        let service = service("a")
        #expect(service.set("grüße", key: "text"))
        #expect(service.set(true, key: "yes") && service.set(false, key: "no"))
        #expect(service.set(Data([0, 255]), key: "bytes"))
        #expect(service.getString("text") == "grüße")
        #expect(["yes", "no", "text"].map(service.getBool) == [true, false, nil])
        #expect(service.getData("bytes") == Data([0, 255]))
        #expect(service.getString("bytes") == nil)
        #expect(service.allItems()?.keys.sorted() == ["bytes", "no", "text", "yes"])
        #expect(service.allItems()?["text"] as? Data == Data("grüße".utf8))
    }

    @Test func aSecondValueReplacesTheFirstAndNilDeletesIt() {
        let service = service("a")
        #expect(service.set("1", key: "k") && service.set("2", key: "k"))
        #expect(service.getString("k") == "2")
        #expect(service.set(nil, key: "k"))
        #expect(service.getString("k") == nil)
        #expect(service.delete("k") && service.delete("never there"))
    }

    @Test func aServiceDoesNotSeeTheItemsOfAnotherService() {
        let (one, other) = (service("a"), service("b"))
        #expect(one.set("1", key: "k") && other.set("2", key: "k"))
        #expect(one.deleteAll())
        #expect(one.allItems()?.isEmpty == true)
        #expect(other.getString("k") == "2")
    }

    @Test func newItemsGetTheChosenAccessibility() throws {
        var options = KeychainOptions(service: "a")
        #expect(options.accessibility == .afterFirstUnlock)
        options.accessibility = .alwaysThisDeviceOnly
        KeychainService(options: options, keychain: keychain).set("1", key: "k")
        let items = try keychain.items(service: "a", accessGroup: nil)
        #expect(items.map(\.accessibility) == [.afterFirstUnlockThisDeviceOnly])
    }

    @Test func aLockedKeychainReturnsNilInsteadOfNoItems() {
        let service = service("a")
        service.set("1", key: "k")
        keychain.isLocked = true
        #expect(!service.set("2", key: "k") && !service.delete("k") && !service.deleteAll())
        #expect(service.getString("k") == nil && service.allItems() == nil)
        keychain.isLocked = false
        #expect(service.getString("k") == "1")
    }

    @Test func theItemsOfAURLAreSeparateFromOtherServices() throws {
        let url = try #require(URL(string: "https://am.example.com/"))
        let service = KeychainService(options: KeychainOptions(url: url), keychain: keychain)
        #expect(service.set("1", key: "k"))
        #expect(service.getString("k") == "1")
        #expect(self.service("").getString("k") == nil)
    }

    @Test func aServiceStoresItsItemsInTheKeychainOfTheProcess() {
        let service = KeychainService(service: UUID().uuidString)
        defer { service.deleteAll() }
        #expect(service.set("1", key: "k"))
        #expect(KeychainService(service: service.options.service).getString("k") == "1")
        #expect(KeychainService.validateAccessGroup(service: "a", accessGroup: "group.example"))
    }

    @Test func aPrintedServiceContainsNoValue() {
        let service = service("a")
        service.set("hidden", key: "k")
        var dumped = ""
        dump(service, to: &dumped)
        #expect(!dumped.contains("hidden") && !String(reflecting: service).contains("hidden"))
    }

    private func service(_ name: String) -> KeychainService {
        KeychainService(options: KeychainOptions(service: name), keychain: keychain)
    }
}

import Foundation
import PushBridgeCore
import PushBridgeStore
import Security
import Testing

@Suite("System keychain")
struct SystemKeychainTests {
    private let bench = KeychainUnderTest()
    private let name = KeychainItem.Name(service: "service", account: "account")
    private var keychain: SystemKeychain { bench.keychain }

    @Test(arguments: [-50, -25291, -25303, -34018, -67585] as [Int32])
    func everyKeychainCallThrowsTheStatusOfItsFailure(_ status: Int32) throws {
        StandInKeychain.with { $0.nextStatuses = Array(repeating: status, count: 7) }
        let error = KeychainError(status: status)
        #expect(throws: error) { try keychain.add(KeychainItem(name, data: Data())) }
        #expect(throws: error) { try keychain.update(name, data: Data()) }
        #expect(throws: error) { try keychain.data(name) }
        #expect(throws: error) { try keychain.accounts(service: "service", accessGroup: nil) }
        #expect(throws: error) { try keychain.changeDates(service: "service", accessGroup: nil) }
        #expect(throws: error) { try keychain.items(service: "service", accessGroup: nil) }
        #expect(throws: error) { try keychain.remove(name) }
    }

    @Test func aGroupWithoutEntitlementIsRefused() throws {
        let foreign = KeychainItem.Name(service: "service", account: "account", accessGroup: "group.foreign")
        #expect(throws: KeychainError(status: -34018)) {
            try keychain.add(KeychainItem(foreign, data: Data()))
        }
        #expect(throws: KeychainError(status: -34018)) { try keychain.data(foreign) }
    }

    @Test(arguments: KeychainAccessibility.allCases)
    func theAccessibilityIsStored(_ accessibility: KeychainAccessibility) throws {
        try keychain.add(KeychainItem(name, data: Data(), accessibility: accessibility))
        let stored = StandInKeychain.with { $0.accessibility(service: "service", account: "account") }
        #expect(stored == accessibility.rawValue)
    }

    @Test(arguments: KeychainAccessibility.allCases)
    func anAccessibilityIsReadBackFromItsAttribute(_ accessibility: KeychainAccessibility) {
        #expect("\(accessibility.attribute)" == accessibility.rawValue)
        #expect(KeychainAccessibility(attribute: accessibility.attribute) == accessibility)
    }

    @Test(
        arguments: [
            ("dk", KeychainAccessibility.afterFirstUnlock), ("dku", .afterFirstUnlockThisDeviceOnly),
            ("", .whenUnlockedThisDeviceOnly), ("AKU", .whenUnlockedThisDeviceOnly),
        ]
    )
    func anUnknownAttributeDoesNotWeakenTheProtection(
        _ example: (text: String, accessibility: KeychainAccessibility)
    ) {
        let read = KeychainAccessibility(attribute: NSString(string: example.text))
        #expect(read == example.accessibility)
    }

    @Test func aLockedDeviceRefusesItemsForUnlockedDevices() throws {
        let always = KeychainItem.Name(service: "service", account: "always")
        try keychain.add(KeychainItem(name, data: Data([1]), accessibility: .whenUnlockedThisDeviceOnly))
        try keychain.add(KeychainItem(always, data: Data([2]), accessibility: .afterFirstUnlock))
        StandInKeychain.with { $0.device = .locked }
        #expect(throws: KeychainError(status: -25308)) { try keychain.data(name) }
        #expect(try keychain.data(always) == Data([2]))
        #expect(try keychain.accounts(service: "service", accessGroup: nil) == ["account", "always"])
        #expect(throws: KeychainError(status: -25308)) {
            try keychain.items(service: "service", accessGroup: nil)
        }
    }

    @Test func oneCallReturnsAllItemsOfAServiceWithTheirData() throws {
        let other = KeychainItem.Name(service: "service", account: "another", accessGroup: "group.two")
        try keychain.add(KeychainItem(name, data: Data([1])))
        try keychain.add(KeychainItem(other, data: Data([2])))
        try keychain.add(KeychainItem(.init(service: "other", account: "account"), data: Data([3])))
        let items = try keychain.items(service: "service", accessGroup: nil)
        #expect(items.map(\.name.account) == ["account", "another"])
        #expect(items.map(\.data) == [Data([1]), Data([2])])
        #expect(try keychain.items(service: "service", accessGroup: "group.two").map(\.data) == [Data([2])])
        #expect(try keychain.items(service: "none", accessGroup: nil).isEmpty)
    }
}

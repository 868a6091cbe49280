import Foundation
import PushBridgeCore
import PushBridgeStore
import Testing

/// The behaviour of every keychain.
///
/// Here, the tests run on the in-memory keychain. In the package AppleStandIns, they run on the stand-in for Apple's
/// keychain.
@Suite("Keychain contract")
struct KeychainContract {
    private let bench = KeychainUnderTest()
    private let name = KeychainItem.Name(service: "service", account: "account")
    private var keychain: any Keychain { bench.keychain }

    @Test func anItemIsAddedOnce() throws {
        try keychain.add(KeychainItem(name, data: Data([1])))
        #expect(throws: KeychainError(status: -25299)) {
            try keychain.add(KeychainItem(name, data: Data([2]), accessibility: .whenUnlocked))
        }
        #expect(try keychain.data(name) == Data([1]))
    }

    @Test func missingItemsAreNotFound() throws {
        #expect(try keychain.data(name) == nil)
        #expect(try keychain.remove(name) == false)
        #expect(try keychain.accounts(service: "service", accessGroup: nil) == [])
        #expect(throws: KeychainError(status: -25300)) { try keychain.update(name, data: Data()) }
        #expect(try keychain.data(name) == nil)
    }

    @Test func anUpdateReplacesTheData() throws {
        try keychain.add(KeychainItem(name, data: Data([1])))
        try keychain.update(name, data: Data([2, 3]))
        #expect(try keychain.data(name) == Data([2, 3]))
        #expect(try keychain.accounts(service: "service", accessGroup: nil) == ["account"])
    }

    /// Names that are canonically equivalent identify different items.
    ///
    /// The names of the second pair have the same number of bytes.
    @Test(arguments: [["Caf\u{E9}", "Cafe\u{301}"], ["\u{212B}", "A\u{30A}"]])
    func theBytesOfANameIdentifyAnItem(_ accounts: [String]) throws {
        let names = accounts.map { KeychainItem.Name(service: "service", account: $0) }
        for (number, name) in names.enumerated() {
            try keychain.add(KeychainItem(name, data: Data([UInt8(number)])))
        }
        #expect(names[0] != names[1])
        #expect(try names.map { try keychain.data($0) } == [Data([0]), Data([1])])
        #expect(try keychain.names(of: names[0]).count == 1)
        try keychain.update(names[0], data: Data([2]))
        #expect(try keychain.data(names[1]) == Data([1]))
        try keychain.remove(names[0])
        #expect(try names.map { try keychain.data($0) } == [nil, Data([1])])
    }

    @Test func itemsAreListedAndFoundByTheirLookUpKeys() throws {
        var item = KeychainItem(name, data: Data([1]))
        item.lookUpKey = Data([7, 8])
        try keychain.add(item)
        let other = KeychainItem.Name(service: "service", account: "another")
        try keychain.add(KeychainItem(other, data: Data([2])))
        func keys() throws -> [Data] {
            let keys = try #require(try keychain.lookUpKeys(service: "service", accessGroup: nil))
            #expect(keys.map(\.account) == ["account", "another"])
            return keys.map { $0.key ?? Data() }
        }
        #expect(try keys() == [Data([7, 8]), Data()])
        // This update replaces only the data, so the look-up key stays.
        try keychain.update(name, data: Data([3]))
        #expect(try keys() == [Data([7, 8]), Data()])
        item.lookUpKey = Data([9])
        try keychain.update(item)
        #expect(try keys() == [Data([9]), Data()])
        item.lookUpKey = nil
        try keychain.update(item)
        #expect(try keys() == [Data(), Data()])
        #expect(try keychain.data(name) == Data([1]))
        #expect(throws: KeychainError(status: -25300)) {
            try keychain.update(
                KeychainItem(KeychainItem.Name(service: "service", account: "none"), data: Data())
            )
        }
        item.lookUpKey = Data([9])
        try keychain.update(item)
        func accounts(_ key: Data, _ service: String = "service") throws -> [String]? {
            try keychain.accounts(service: service, accessGroup: nil, lookUpKey: key)
        }
        #expect(try accounts(Data([9])) == ["account"])
        #expect(try accounts(Data([7, 8])) == [])
        #expect(try accounts(Data([9]), "another service") == [])
        #expect(try keychain.names(of: other).map(\.account) == ["another"])
        try keychain.remove(name)
        #expect(try accounts(Data([9])) == [])
        #expect(try keychain.names(of: name) == [])
        bench.lock()
        #expect(throws: KeychainError.self) { try accounts(Data([9])) }
        #expect(throws: KeychainError.self) { try keychain.names(of: other) }
        #expect(throws: KeychainError.self) { try keychain.lookUpKeys(service: "service", accessGroup: nil) }
        bench.unlock()
    }

    @Test func aRemovedItemIsGoneAndCanBeAddedAgain() throws {
        try keychain.add(KeychainItem(name, data: Data([1])))
        #expect(try keychain.remove(name))
        #expect(try keychain.data(name) == nil)
        #expect(try keychain.remove(name) == false)
        try keychain.add(KeychainItem(name, data: Data([2])))
        #expect(try keychain.data(name) == Data([2]))
    }

    @Test(arguments: [Data(), Data([0]), Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })])
    func dataRoundTripsByteForByte(_ data: Data) throws {
        try keychain.add(KeychainItem(name, data: data))
        #expect(try keychain.data(name) == data)
        try keychain.update(name, data: Data([7]))
        try keychain.update(name, data: data)
        #expect(try keychain.data(name) == data)
    }

    @Test(arguments: KeychainAccessibility.allCases)
    func everyAccessibilityIsAccepted(_ accessibility: KeychainAccessibility) throws {
        try keychain.add(KeychainItem(name, data: Data([1]), accessibility: accessibility))
        #expect(try keychain.data(name) == Data([1]))
    }

    @Test func accountsOfAServiceAreSorted() throws {
        for account in ["b", "a", "ö", "", "B b", "a'; --"] {
            try keychain.add(KeychainItem(.init(service: "service", account: account), data: Data([1])))
        }
        try keychain.add(KeychainItem(.init(service: "Service", account: "c"), data: Data([2])))
        #expect(
            try keychain.accounts(service: "service", accessGroup: nil)
                == ["", "B b", "a", "a'; --", "b", "ö"]
        )
        #expect(try keychain.accounts(service: "Service", accessGroup: nil) == ["c"])
        #expect(try keychain.data(.init(service: "service", account: "c")) == nil)
    }

    @Test func aChangeOfAnItemChangesOnlyItsOwnDate() throws {
        let other = KeychainItem.Name(service: "service", account: "other")
        try keychain.add(KeychainItem(name, data: Data([1])))
        try keychain.add(KeychainItem(other, data: Data([1])))
        try keychain.add(KeychainItem(.init(service: "Service", account: "c"), data: Data([1])))
        let added = try dates()
        #expect(added.map(\.account) == ["account", "other"])
        _ = try keychain.data(name)
        #expect(try dates() == added)
        try keychain.update(name, data: Data([1]))
        let updated = try dates()
        #expect(updated[0].date > added[0].date)
        #expect(updated[1] == added[1])
        try keychain.remove(other)
        #expect(try dates() == [updated[0]])
        try keychain.add(KeychainItem(other, data: Data([1])))
        #expect(try dates()[1].date > added[1].date)
        #expect(try keychain.changeDates(service: "none", accessGroup: nil) == [])
    }

    private func dates() throws -> [KeychainItem.ChangeDate] {
        try #require(try keychain.changeDates(service: "service", accessGroup: nil))
    }

    @Test func anItemOfAGroupIsFoundWithAndWithoutTheGroupName() throws {
        let grouped = KeychainItem.Name(service: "service", account: "account", accessGroup: "group.one")
        let elsewhere = KeychainItem.Name(service: "service", account: "account", accessGroup: "group.two")
        try keychain.add(KeychainItem(grouped, data: Data([1])))
        #expect(try keychain.data(grouped) == Data([1]))
        #expect(try keychain.data(name) == Data([1]))
        #expect(try keychain.data(elsewhere) == nil)
        #expect(try keychain.accounts(service: "service", accessGroup: "group.one") == ["account"])
        #expect(try keychain.accounts(service: "service", accessGroup: "group.two") == [])
        #expect(try keychain.changeDates(service: "service", accessGroup: "group.one")?.count == 1)
        #expect(try keychain.changeDates(service: "service", accessGroup: "group.two") == [])
        #expect(try keychain.accounts(service: "service", accessGroup: nil) == ["account"])
        #expect(try keychain.remove(elsewhere) == false)
        try keychain.add(KeychainItem(elsewhere, data: Data([2])))
        #expect(try keychain.data(grouped) == Data([1]))
    }

    @Test func aLockedKeychainRefusesEveryCallAndLosesNoItem() throws {
        let other = KeychainItem.Name(service: "service", account: "other")
        try keychain.add(KeychainItem(name, data: Data([1])))
        bench.lock()
        let locked = KeychainError(status: -25308)
        #expect(locked.code == .locked)
        #expect(throws: locked) { try keychain.data(name) }
        #expect(throws: locked) { try keychain.accounts(service: "service", accessGroup: nil) }
        #expect(throws: locked) { try keychain.changeDates(service: "service", accessGroup: nil) }
        #expect(throws: locked) { try keychain.add(KeychainItem(other, data: Data())) }
        #expect(throws: locked) { try keychain.update(name, data: Data([2])) }
        #expect(throws: locked) { try keychain.remove(name) }
        bench.unlock()
        #expect(try keychain.data(name) == Data([1]))
        #expect(try keychain.data(other) == nil)
    }

    @Test func anUndecryptableItemIsListedAndNotReadUntilItIsReplaced() throws {
        try keychain.add(KeychainItem(name, data: Data([1])))
        bench.makeUndecryptable(name)
        let undecryptable = KeychainError(status: -26275)
        #expect(undecryptable.code == .undecryptable)
        #expect(throws: undecryptable) { try keychain.data(name) }
        #expect(throws: undecryptable) { try keychain.update(name, data: Data([2])) }
        #expect(throws: KeychainError(status: -25299)) { try keychain.add(KeychainItem(name, data: Data())) }
        #expect(try keychain.accounts(service: "service", accessGroup: nil) == ["account"])
        #expect(try keychain.remove(name))
        try keychain.add(KeychainItem(name, data: Data([3])))
        #expect(try keychain.data(name) == Data([3]))
    }
}

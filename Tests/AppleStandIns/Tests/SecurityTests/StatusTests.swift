import Foundation
import Security
import Testing

/// The stand-in rejects the queries that Apple rejects, so that an invalid query fails a test.
@Suite("Statuses of the stand-in")
struct StatusTests {
    init() { StandInKeychain.reset() }

    private func query(_ changes: [(CFString, AnyObject)] = [], without missing: CFString? = nil)
        -> CFDictionary
    {
        let query = NSMutableDictionary()
        query.setObject(kSecClassGenericPassword, forKey: kSecClass)
        query.setObject(NSString(string: "s"), forKey: kSecAttrService)
        query.setObject(NSString(string: "a"), forKey: kSecAttrAccount)
        for (name, value) in changes { query.setObject(value, forKey: name) }
        if let missing { query.removeObject(forKey: missing) }
        return query
    }

    private var yes: NSNumber { NSNumber(value: true) }

    @Test func aQueryWithoutClassIsRefused() {
        let nameless = query(without: kSecClass)
        #expect(SecItemAdd(nameless, nil) == errSecParam)
        #expect(SecItemCopyMatching(nameless, nil) == errSecParam)
        #expect(SecItemUpdate(nameless, nameless) == errSecParam)
        #expect(SecItemDelete(nameless) == errSecParam)
    }

    @Test func anAttributeThatTheCallDoesNotSupportIsRefused() {
        let limited = query([(kSecMatchLimit, kSecMatchLimitOne)])
        #expect(SecItemAdd(limited, nil) == errSecParam)
        #expect(SecItemDelete(limited) == errSecParam)
        #expect(SecItemUpdate(limited, NSDictionary()) == errSecParam)
        #expect(SecItemDelete(query([(kSecReturnData, yes)])) == errSecParam)
        #expect(SecItemCopyMatching(query([(NSString(string: "zzzz"), yes)]), nil) == errSecNoSuchAttr)
    }

    @Test func valuesOfTheWrongKindAreRefused() {
        #expect(SecItemAdd(query([(kSecAttrService, yes)]), nil) == errSecParam)
        #expect(SecItemAdd(query([(kSecValueData, NSString(string: "text"))]), nil) == errSecParam)
        #expect(SecItemAdd(query([(kSecAttrAccessible, NSString(string: "dk?"))]), nil) == errSecParam)
    }

    @Test func anUpdateWithoutValuesOrWithSearchKeysIsRefused() {
        #expect(SecItemAdd(query(), nil) == errSecSuccess)
        #expect(SecItemUpdate(query(), NSDictionary()) == errSecParam)
        #expect(SecItemUpdate(query(), query()) == errSecParam)
        #expect(SecItemUpdate(query(), query(without: kSecClass)) == errSecNoSuchAttr)
    }

    @Test func theTwoKeychainsOfMacOSAreSeparate() {
        #expect(SecItemAdd(query(), nil) == errSecSuccess)
        #expect(SecItemDelete(query([(kSecUseDataProtectionKeychain, yes)])) == errSecItemNotFound)
        #expect(SecItemDelete(query()) == errSecSuccess)
    }

    @Test func onlyRequestedValuesAreReturned() {
        #expect(SecItemAdd(query(), nil) == errSecSuccess)
        var result: CFTypeRef?
        #expect(SecItemCopyMatching(query(), &result) == errSecSuccess)
        #expect(result == nil)
    }
}

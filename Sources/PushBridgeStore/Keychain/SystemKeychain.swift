#if canImport(Security)
public import Foundation
import LocalAuthentication
public import PushBridgeCore
public import Security

/// Apple's keychain; on the Mac the one that iOS has too, which guards items by the app's entitlements.
///
/// An item without an access group goes to the app's first group, and is looked for in all of its groups. Groups
/// that the app is not entitled to have the code `notEntitled`. Items are never synchronised through iCloud.
public struct SystemKeychain: Keychain {
    private let presence: OwnerPresence?
    private let guarded: Set<String>
    /// Shared with the processes that have the same ``StandardStore/folder``.
    private static let transactions = ProcessLock { StandardStore.folder }

    /// Opens nothing yet; every call asks the system again.
    public init() {
        (presence, guarded) = (nil, [])
    }

    /// Creates a keychain that authenticates the owner before new items of some services are read; opens nothing yet.
    package init(asking presence: OwnerPresence, services: Set<String>) {
        (self.presence, guarded) = (presence, services)
    }

    /// Adds an item; the code is `duplicate` if one with the same name exists.
    ///
    /// - Throws: ``KeychainError`` with the code `duplicate` if one with the same name exists, `locked` or
    ///   `notEntitled`.
    public func add(_ item: KeychainItem) throws(KeychainError) {
        let attributes = Query(item.name)
        attributes.set(kSecValueData, NSData(data: item.data))
        if let key = item.lookUpKey { attributes.set(kSecAttrGeneric, NSData(data: key)) }
        if let presence, guarded.contains(item.name.service) {
            let access = SecAccessControlCreateWithFlags(
                nil,
                item.accessibility.attribute,
                presence.way.flags,
                nil
            )
            guard let access else { throw KeychainError(status: errSecParam) }
            attributes.set(kSecAttrAccessControl, access)
        } else {
            attributes.set(kSecAttrAccessible, item.accessibility.attribute)
        }
        let status = SecItemAdd(attributes.dictionary as CFDictionary, nil)
        guard status == errSecSuccess else { throw KeychainError(status: status) }
    }

    /// Replaces the data of an item; the code is `notFound` if there is none.
    ///
    /// - Throws: ``KeychainError`` with the code `notFound` if there is none, and `locked`.
    public func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        try change(name, [(kSecValueData, data)])
    }

    /// Replaces the data and the look-up key of an item; the code is `notFound` if there is none.
    ///
    /// - Throws: ``KeychainError`` with the code `notFound` if there is none, and `locked`.
    public func update(_ item: KeychainItem) throws(KeychainError) {
        // Empty data is the only way to remove a key.
        try change(item.name, [(kSecValueData, item.data), (kSecAttrGeneric, item.lookUpKey ?? Data())])
    }

    private func change(_ name: KeychainItem.Name, _ values: [(CFString, Data)]) throws(KeychainError) {
        let changes = NSMutableDictionary()
        for (attribute, value) in values {
            changes.setObject(NSData(data: value), forKey: attribute as NSString)
        }
        let status = SecItemUpdate(Query(name).dictionary as CFDictionary, changes as CFDictionary)
        guard status == errSecSuccess else { throw KeychainError(status: status) }
    }

    /// The data of an item, or `nil` if there is none.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? {
        let query = reading(Query(name), of: name.service)
        query.set(kSecReturnData, NSNumber(value: true))
        query.set(kSecMatchLimit, kSecMatchLimitOne)
        guard let match = try query.match() else { return nil }
        // An item may have been added without a value.
        guard let value = match.value else { return Data() }
        guard let data = value as? NSData else { throw KeychainError(status: errSecDecode) }
        return Data(referencing: data)
    }

    /// Calls `body` while no other transaction of this process runs.
    ///
    /// Also excludes those of other processes that have set ``StandardStore/folder`` to the same folder.
    ///
    /// - Throws: What `body` throws, and ``StoreError`` if the folder's file `keychain.lock` cannot be opened.
    public func exclusively<Value>(_ body: () throws -> Value) throws -> Value {
        try Self.transactions.withLock(body)
    }

    /// The accessibility of an item; `nil` if there is none.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func accessibility(of name: KeychainItem.Name) throws(KeychainError) -> KeychainAccessibility? {
        let query = Query(name)
        query.set(kSecReturnAttributes, NSNumber(value: true))
        query.set(kSecMatchLimit, kSecMatchLimitOne)
        guard let match = try query.match(), let attributes = match.value as? NSDictionary else { return nil }
        let accessible = attributes.object(forKey: kSecAttrAccessible as NSString) as? String
        return accessible.flatMap(KeychainAccessibility.init(rawValue:))
    }

    /// The accounts of all items of a service, sorted, without reading their data.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String] {
        try Query(service: service, accessGroup: accessGroup).items().map(\.account).sorted()
    }

    /// The names of all items of a service, each with its group, in the order of the system within an account.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func names(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.Name] {
        try names(Query(service: service, accessGroup: accessGroup), service, accessGroup)
    }

    /// The names of the items with a name's service and account, in the order of the system.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func names(of name: KeychainItem.Name) throws(KeychainError) -> [KeychainItem.Name] {
        try names(Query(name), name.service, name.accessGroup)
    }

    private func names(
        _ query: Query,
        _ service: String,
        _ accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.Name] {
        try query.items().map { account, attributes in
            KeychainItem.Name(
                service: service,
                account: account,
                accessGroup: attributes.accessGroup ?? accessGroup
            )
        }
    }

    /// The accounts of the items of a service with a look-up key, sorted, without reading their data.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func accounts(
        service: String,
        accessGroup: String?,
        lookUpKey: Data
    ) throws(KeychainError) -> [String]? {
        let query = Query(service: service, accessGroup: accessGroup)
        query.set(kSecAttrGeneric, NSData(data: lookUpKey))
        return try query.items().map(\.account).sorted()
    }

    /// The last modification date of each item of a service, by account, without reading their data; `nil` if one has no
    /// date.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func changeDates(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.ChangeDate]? {
        var dates: [KeychainItem.ChangeDate] = []
        for (account, attributes) in try Query(service: service, accessGroup: accessGroup).items() {
            guard let date = attributes.object(forKey: kSecAttrModificationDate as NSString) as? Date else {
                return nil
            }
            dates.append(
                KeychainItem.ChangeDate(account: account, date: date, accessGroup: attributes.accessGroup)
            )
        }
        return dates.sorted { ($0.account, $0.date) < ($1.account, $1.date) }
    }

    /// The look-up key of each item of a service, by account, without reading their data.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func lookUpKeys(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.LookUpKey]? {
        let keys = try Query(service: service, accessGroup: accessGroup).items().map { account, attributes in
            let key = attributes.object(forKey: kSecAttrGeneric as NSString) as? NSData
            return KeychainItem.LookUpKey(account: account, key: key.map { Data(referencing: $0) })
        }
        return keys.sorted { $0.account < $1.account }
    }

    /// All items of a service with their data, by account.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func items(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem] {
        let query = reading(Query(service: service, accessGroup: accessGroup), of: service)
        query.set(kSecReturnData, NSNumber(value: true))
        let found = try query.items().map { account, attributes in
            let data = attributes.object(forKey: kSecValueData as NSString) as? NSData
            let group = attributes.accessGroup ?? accessGroup
            let name = KeychainItem.Name(service: service, account: account, accessGroup: group)
            return KeychainItem(name, data: data.map { Data(referencing: $0) } ?? Data())
        }
        return found.sorted { $0.name.account < $1.name.account }
    }

    /// The query, with the reason that the owner is shown if the items of a service are guarded.
    private func reading(_ query: Query, of service: String) -> Query {
        guard let prompt = presence?.prompt, guarded.contains(service) else { return query }
        let context = LAContext()
        context.localizedReason = prompt
        query.set(kSecUseAuthenticationContext, context)
        return query
    }

    /// Removes an item, and returns whether there was one.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    @discardableResult
    public func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool {
        switch SecItemDelete(Query(name).dictionary as CFDictionary) {
        case errSecSuccess: return true
        case errSecItemNotFound: return false
        case let status: throw KeychainError(status: status)
        }
    }
}

extension NSDictionary {
    /// The group of the item that has these attributes.
    fileprivate var accessGroup: String? { object(forKey: kSecAttrAccessGroup as NSString) as? String }
}

extension OwnerPresence.Way {
    fileprivate var flags: SecAccessControlCreateFlags {
        switch self {
        case .biometrics: .biometryCurrentSet
        case .passcode: .devicePasscode
        case .biometricsOrPasscode: .userPresence
        }
    }
}

/// The query attributes that identify the items of a call.
private struct Query {
    /// Of a mutable class, because only explicit objects look the same to Security and to its stand-in elsewhere.
    let dictionary = NSMutableDictionary()

    init(service: String, accessGroup: String?) {
        set(kSecClass, kSecClassGenericPassword)
        set(kSecUseDataProtectionKeychain, NSNumber(value: true))
        set(kSecAttrService, NSString(string: service))
        if let accessGroup { set(kSecAttrAccessGroup, NSString(string: accessGroup)) }
    }

    init(_ name: KeychainItem.Name) {
        self.init(service: name.service, accessGroup: name.accessGroup)
        set(kSecAttrAccount, NSString(string: name.account))
    }

    func set(_ name: CFString, _ value: AnyObject) {
        dictionary.setObject(value, forKey: name as NSString)
    }

    /// The requested values of the items; `nil` if there is none.
    func match() throws(KeychainError) -> Match? {
        var value: CFTypeRef?
        switch SecItemCopyMatching(dictionary as CFDictionary, &value) {
        case errSecSuccess: return Match(value: value)
        case errSecItemNotFound: return nil
        case let status: throw KeychainError(status: status)
        }
    }

    /// All items with their attributes, and what else was asked to be returned of them, in no order.
    func items() throws(KeychainError) -> [(account: String, attributes: NSDictionary)] {
        set(kSecReturnAttributes, NSNumber(value: true))
        set(kSecMatchLimit, kSecMatchLimitAll)
        guard let match = try match() else { return [] }
        guard let items = match.value as? NSArray else { throw KeychainError(status: errSecDecode) }
        var found: [(account: String, attributes: NSDictionary)] = []
        for item in items {
            guard let attributes = item as? NSDictionary else { throw KeychainError(status: errSecDecode) }
            // An item that another program added without an account cannot be named, so it is not of PushBridge.
            guard let account = attributes.object(forKey: kSecAttrAccount as NSString) as? String else {
                continue
            }
            found.append((account, attributes))
        }
        return found
    }

    struct Match {
        let value: CFTypeRef?
    }
}

extension KeychainAccessibility {
    /// The value of `kSecAttrAccessible` that means the same.
    public var attribute: CFString {
        switch self {
        case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
        case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
        case .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly:
            kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
        }
    }

    /// Reads a value of `kSecAttrAccessible`.
    ///
    /// The two that Apple deprecated because they leave items open before the first unlock, `dk` and `dku`, count as
    /// ``afterFirstUnlock`` and ``afterFirstUnlockThisDeviceOnly``; any other text as
    /// ``whenUnlockedThisDeviceOnly``, so that a mistake never opens more than was meant.
    public init(attribute: CFString) {
        let name = attribute as NSString
        if let known = Self.allCases.first(where: { name.isEqual($0.attribute as NSString) }) {
            self = known
        } else if name.isEqual(to: "dk") {
            self = .afterFirstUnlock
        } else if name.isEqual(to: "dku") {
            self = .afterFirstUnlockThisDeviceOnly
        } else {
            self = .whenUnlockedThisDeviceOnly
        }
    }
}
#endif

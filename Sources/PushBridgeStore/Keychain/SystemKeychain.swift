#if canImport(Security)
public import Foundation
import LocalAuthentication
public import PushBridgeCore
public import Security

/// Apple's keychain.
///
/// On the Mac, this is the data protection keychain. It works like the keychain of iOS, and uses the app's
/// entitlements.
///
/// An item without an access group is added to the app's first group. A query without an access group covers
/// all groups of the app. If the app has no entitlement for a group, calls throw an error with the code
/// `notEntitled`. Items are never synchronised through iCloud.
public struct SystemKeychain: Keychain {
    private let presence: OwnerPresence?
    private let guarded: Set<String>
    /// The lock that this process shares with all processes that have the same ``StandardStore/folder``.
    private static let transactions = ProcessLock { StandardStore.folder }

    /// Creates a keychain; reads nothing yet, and caches nothing.
    public init() {
        (presence, guarded) = (nil, [])
    }

    /// Creates a keychain whose new items in the given services can be read only after the owner has authenticated.
    package init(asking presence: OwnerPresence, services: Set<String>) {
        (self.presence, guarded) = (presence, services)
    }

    /// Adds an item.
    ///
    /// - Throws: ``KeychainError`` with the code `duplicate` if an item with the same name exists, `locked` if the
    ///   keychain is locked, or `notEntitled` if the app has no entitlement for the item's group.
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

    /// Replaces the data of an item.
    ///
    /// - Throws: ``KeychainError`` with the code `notFound` if the item does not exist, `locked` if the keychain is
    ///   locked, or `undecryptable` if the keychain can never decrypt the item.
    public func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        try change(name, [(kSecValueData, data)])
    }

    /// Replaces the data and the look-up key of an item.
    ///
    /// - Throws: ``KeychainError`` with the code `notFound` if the item does not exist, `locked` if the keychain is
    ///   locked, or `undecryptable` if the keychain can never decrypt the item.
    public func update(_ item: KeychainItem) throws(KeychainError) {
        // The only way to remove a look-up key is to set empty data.
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

    /// Returns the data of an item; `nil` if the item does not exist.
    ///
    /// - Throws: ``KeychainError`` if an existing item cannot be read: with the code `locked` if the keychain is
    ///   locked, `undecryptable` if the keychain can never decrypt the item, or another code if the keychain refuses
    ///   the call.
    public func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? {
        let query = reading(Query(name), of: name.service)
        query.set(kSecReturnData, NSNumber(value: true))
        query.set(kSecMatchLimit, kSecMatchLimitOne)
        guard let match = try query.match() else { return nil }
        // An item without a value counts as an item with empty data.
        guard let value = match.value else { return Data() }
        guard let data = value as? NSData else { throw KeychainError(status: errSecDecode) }
        return Data(referencing: data)
    }

    /// Calls `body` while no other transaction of this process runs.
    ///
    /// The call also excludes the transactions of other processes that have set ``StandardStore/folder`` to
    /// the same folder.
    ///
    /// - Throws: The errors of `body`, and ``StoreError`` if the file `keychain.lock` cannot be opened or locked.
    public func exclusively<Value>(_ body: () throws -> Value) throws -> Value {
        try Self.transactions.withLock(body)
    }

    /// Returns the accessibility of an item; `nil` if the item does not exist, or has an unknown class.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    public func accessibility(of name: KeychainItem.Name) throws(KeychainError) -> KeychainAccessibility? {
        let query = Query(name)
        query.set(kSecReturnAttributes, NSNumber(value: true))
        query.set(kSecMatchLimit, kSecMatchLimitOne)
        guard let match = try query.match(), let attributes = match.value as? NSDictionary else { return nil }
        let accessible = attributes.object(forKey: kSecAttrAccessible as NSString) as? String
        return accessible.flatMap(KeychainAccessibility.init(rawValue:))
    }

    /// Returns the sorted accounts of all items of a service, without reading the items' data.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    public func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String] {
        try Query(service: service, accessGroup: accessGroup).items().map(\.account).sorted()
    }

    /// Returns the names and groups of all items of a service, in the system's order.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    public func names(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.Name] {
        try names(Query(service: service, accessGroup: accessGroup), service, accessGroup)
    }

    /// Returns the names of all items that have the same service and account as `name`, in the system's
    /// order.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
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

    /// Returns the sorted accounts of those items of a service that have the given look-up key, without reading the
    /// items' data.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    public func accounts(
        service: String,
        accessGroup: String?,
        lookUpKey: Data
    ) throws(KeychainError) -> [String]? {
        let query = Query(service: service, accessGroup: accessGroup)
        query.set(kSecAttrGeneric, NSData(data: lookUpKey))
        return try query.items().map(\.account).sorted()
    }

    /// Returns the date of the last change of each item of a service, without reading the items' data.
    ///
    /// The result is `nil` if an item has no date.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
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

    /// Returns the look-up key of each item of a service, without reading the items' data.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
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

    /// Returns all items of a service with their data, sorted by account.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
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

    /// Returns the query; for a service that requires authentication, adds the reason that the prompt shows.
    private func reading(_ query: Query, of service: String) -> Query {
        guard let prompt = presence?.prompt, guarded.contains(service) else { return query }
        let context = LAContext()
        context.localizedReason = prompt
        query.set(kSecUseAuthenticationContext, context)
        return query
    }

    /// Removes an item, and returns whether it existed.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
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
    /// The access group in an item's attributes.
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

/// The attributes by which the Security framework finds one item, or the items of a service.
private struct Query {
    /// The query; the dictionary and its values are Foundation objects, because the Security framework and its stand-in
    /// may treat bridged Swift values differently.
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

    /// Returns the requested values of the items; `nil` if no item matches.
    func match() throws(KeychainError) -> Match? {
        var value: CFTypeRef?
        switch SecItemCopyMatching(dictionary as CFDictionary, &value) {
        case errSecSuccess: return Match(value: value)
        case errSecItemNotFound: return nil
        case let status: throw KeychainError(status: status)
        }
    }

    /// Returns all items with their attributes and other requested values, in any order.
    func items() throws(KeychainError) -> [(account: String, attributes: NSDictionary)] {
        set(kSecReturnAttributes, NSNumber(value: true))
        set(kSecMatchLimit, kSecMatchLimitAll)
        guard let match = try match() else { return [] }
        guard let items = match.value as? NSArray else { throw KeychainError(status: errSecDecode) }
        var found: [(account: String, attributes: NSDictionary)] = []
        for item in items {
            guard let attributes = item as? NSDictionary else { throw KeychainError(status: errSecDecode) }
            // An item without an account was added by another program, so it is skipped.
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
    /// The value of `kSecAttrAccessible` for this class.
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

    /// Creates the accessibility for a value of `kSecAttrAccessible`.
    ///
    /// Apple deprecated `dk` and `dku`, because items with these values are readable before the first unlock. The two
    /// values become ``afterFirstUnlock`` and ``afterFirstUnlockThisDeviceOnly``. An unknown value becomes
    /// ``whenUnlockedThisDeviceOnly``, so that no item becomes more accessible by mistake.
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

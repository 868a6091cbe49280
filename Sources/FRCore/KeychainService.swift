public import Foundation
public import PushBridgeCore
package import PushBridgeStore

#if canImport(Security)
import Security
#endif

/// Reads and writes an app's own keychain items by their keys.
///
/// On platforms other than Apple's, the items are in memory.
///
/// The type is safe to use from any thread. If the keychain fails, a call returns `false` or `nil` and logs
/// the error.
public struct KeychainService: CustomDebugStringConvertible {
    /// The options that identify the items and determine how new items are stored.
    public var options: KeychainOptions
    let securedKey: SecuredKey?
    private let keychain: any Keychain

    /// Creates a `KeychainService` for the items of a service.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - securedKey: The key that encrypts the values. With `nil`, the values are stored unencrypted.
    public init(service: String, securedKey: SecuredKey? = nil) {
        self.init(options: KeychainOptions(service: service), securedKey: securedKey)
    }

    /// Creates a `KeychainService` for items that a group of apps shares.
    /// - Parameters:
    ///   - service: The service.
    ///   - accessGroup: The access group, with the team's id as its prefix.
    ///   - securedKey: The key that encrypts the values. With `nil`, the values are stored unencrypted.
    public init(service: String, accessGroup: String, securedKey: SecuredKey? = nil) {
        self.init(
            options: KeychainOptions(service: service, accessGroup: accessGroup),
            securedKey: securedKey
        )
    }

    /// Creates a `KeychainService` for the items that options describe.
    /// - Parameters:
    ///   - options: The options that identify the items and determine how new items are stored.
    ///   - securedKey: The key that encrypts the values. With `nil`, the values are stored unencrypted.
    public init(options: KeychainOptions, securedKey: SecuredKey? = nil) {
        self.init(options: options, securedKey: securedKey, keychain: Self.ofProcess)
    }

    package init(options: KeychainOptions, securedKey: SecuredKey? = nil, keychain: any Keychain) {
        (self.options, self.securedKey, self.keychain) = (options, securedKey, keychain)
    }

    #if canImport(Security)
    private static let ofProcess: any Keychain = SystemKeychain()
    #else
    private static let ofProcess: any Keychain = InMemoryKeychain()
    #endif

    /// The service and the access group.
    ///
    /// The description never contains a value.
    public var debugDescription: String {
        "KeychainService(\(options.itemService), \(options.accessGroup ?? "the app's own group"))"
    }

    /// Stores a string as UTF-8.
    /// - Parameters:
    ///   - val: The string. With `nil`, the item is removed.
    ///   - key: The item's name.
    /// - Returns: Whether the string was stored. If `val` is `nil`, whether the item no longer exists.
    @discardableResult
    public func set(_ val: String?, key: String) -> Bool {
        val.map { set(Data($0.utf8), key: key) } ?? delete(key)
    }

    /// Reads a string.
    /// - Parameter key: The item's name.
    /// - Returns: The string, or `nil` if there is no item or if its value is not UTF-8.
    public func getString(_ key: String) -> String? {
        getData(key).flatMap { String(data: $0, encoding: .utf8) }
    }

    /// Stores a Boolean as one byte, 1 or 0.
    /// - Parameters:
    ///   - val: The value.
    ///   - key: The item's name.
    /// - Returns: Whether it was stored.
    @discardableResult
    public func set(_ val: Bool, key: String) -> Bool { set(Data([val ? 1 : 0]), key: key) }

    /// Reads a Boolean.
    /// - Parameter key: The item's name.
    /// - Returns: The value, or `nil` if there is no item or if its value is not the byte 1 or 0.
    public func getBool(_ key: String) -> Bool? {
        switch getData(key) {
        case Data([1]): true
        case Data([0]): false
        default: nil
        }
    }

    /// Stores bytes, which are encrypted if the service has a `securedKey`.
    ///
    /// If an item with the same name exists, its bytes are replaced, but not its accessibility class.
    /// - Parameters:
    ///   - val: The bytes.
    ///   - key: The item's name.
    /// - Returns: Whether the bytes were stored.
    @discardableResult
    public func set(_ val: Data, key: String) -> Bool {
        guard let data = securedKey.map({ $0.encrypt(data: val) }) ?? val else { return false }
        return loggingFailure("Storing", default: false) { () throws(KeychainError) in
            do throws(KeychainError) {
                try keychain.add(KeychainItem(name(key), data: data, accessibility: options.accessibility))
            } catch {
                guard error.code == .duplicate else { throw error }
                try keychain.update(name(key), data: data)
            }
            return true
        }
    }

    /// Reads bytes, and decrypts them if they are encrypted.
    /// - Parameter key: The item's name.
    /// - Returns: The bytes, or `nil` if there is no item. Bytes that the `securedKey` cannot decrypt are returned
    ///   unchanged.
    public func getData(_ key: String) -> Data? {
        loggingFailure("Reading", default: nil) { () throws(KeychainError) in
            try keychain.data(name(key)).map(opened)
        }
    }

    /// Returns the bytes of all items, by the names of the items; `nil` if the items cannot be read.
    ///
    /// The values are untyped, as in the SDK.
    public func allItems() -> [String: Any]? {
        loggingFailure("Reading", default: nil) { () throws(KeychainError) in
            let items = try keychain.items(service: options.itemService, accessGroup: options.accessGroup)
            return Dictionary(items.map { ($0.name.account, opened($0.data)) }) { first, _ in first }
        }
    }

    /// Removes an item.
    /// - Parameter key: The item's name.
    /// - Returns: Whether the item no longer exists. The result is also `true` if the item did not exist
    ///   before.
    @discardableResult
    public func delete(_ key: String) -> Bool {
        loggingFailure("Removing", default: false) { () throws(KeychainError) in
            _ = try keychain.remove(name(key))
            return true
        }
    }

    /// Removes all items that ``options`` identify.
    /// - Returns: Whether all items were removed.
    @discardableResult
    public func deleteAll() -> Bool {
        loggingFailure("Removing", default: false) { () throws(KeychainError) in
            let (service, group) = (options.itemService, options.accessGroup)
            for key in try keychain.accounts(service: service, accessGroup: group) {
                try keychain.remove(name(key))
            }
            return true
        }
    }

    /// Returns whether the app may use an access group.
    ///
    /// To find out, the method stores an item in the group and removes the item again.
    /// - Parameters:
    ///   - service: The service of the test item.
    ///   - accessGroup: The group.
    /// - Returns: Whether the app may use the group.
    public static func validateAccessGroup(service: String, accessGroup: String) -> Bool {
        let probe = KeychainService(service: service, accessGroup: accessGroup)
        let key = "accessGroup.\(UUID().uuidString)"
        return probe.set(Data(), key: key) && probe.delete(key)
    }

    private func name(_ key: String) -> KeychainItem.Name {
        KeychainItem.Name(service: options.itemService, account: key, accessGroup: options.accessGroup)
    }

    /// Decrypts data, or returns it unchanged if the decryption fails.
    ///
    /// The item may have been stored before the app used a key.
    private func opened(_ data: Data) -> Data { securedKey?.decrypt(data: data) ?? data }

    private func loggingFailure<Value>(
        _ operation: String,
        default fallback: Value,
        _ body: () throws(KeychainError) -> Value
    ) -> Value {
        do {
            return try body()
        } catch {
            Log.e("\(operation) an item of \(options.itemService): \(error.localizedDescription)")
            return fallback
        }
    }
}

/// Identifies the keychain items of a ``KeychainService``, and determines how new items are stored.
public struct KeychainOptions {
    /// The service of the items.
    public var service: String = ""
    /// The access group of the apps that share the items.
    ///
    /// With `nil`, new items are stored in the app's own group, and all groups of the app are searched.
    public var accessGroup: String?
    /// A URL that identifies the items.
    ///
    /// If a URL is set, its absolute string replaces the service.
    public var url: URL?
    /// Not used, because items are never synchronised.
    public var synchronizable: Bool = false
    /// The accessibility class of new items.
    public var accessibility: KeychainAccessibility = .afterFirstUnlock
    /// Not used.
    ///
    /// ``KeychainService/allItems()`` always returns all items, and a method with a key uses one item.
    public var matchLimit: String = "m_LimitOne"

    /// Creates options for the items of a service.
    /// - Parameter service: The service.
    public init(service: String) {
        self.service = service
    }

    /// Creates options for items that a group of apps shares.
    /// - Parameters:
    ///   - service: The service.
    ///   - accessGroup: The access group, with the team's id as its prefix.
    public init(service: String, accessGroup: String) {
        (self.service, self.accessGroup) = (service, accessGroup)
    }

    /// Creates options for the items that a URL identifies.
    /// - Parameter url: The URL. Its absolute string replaces the service.
    public init(url: URL) {
        self.url = url
    }

    var itemService: String { url?.absoluteString ?? service }
}

extension KeychainAccessibility: CustomStringConvertible {
    /// The name of the case.
    public var description: String {
        switch self {
        case .whenUnlocked: "whenUnlocked"
        case .whenUnlockedThisDeviceOnly: "whenUnlockedThisDeviceOnly"
        case .afterFirstUnlock: "afterFirstUnlock"
        case .afterFirstUnlockThisDeviceOnly: "afterFirstUnlockThisDeviceOnly"
        case .whenPasscodeSetThisDeviceOnly: "whenPasscodeSetThisDeviceOnly"
        case .alwaysThisDeviceOnly: "alwaysThisDeviceOnly"
        }
    }
}

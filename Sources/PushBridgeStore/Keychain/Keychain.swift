public import Foundation
public import PushBridgeCore

/// The interface to a keychain: generic passwords, each found by its service and account.
///
/// Safe to call from any thread. ``SystemKeychain`` is Apple's; ``InMemoryKeychain`` keeps the same contract elsewhere.
public protocol Keychain: Sendable {
    /// Adds an item; the code is `duplicate` if one with the same name exists.
    ///
    /// - Throws: ``KeychainError`` with the code `duplicate` if one with the same name exists, `locked` or
    ///   `notEntitled`.
    func add(_ item: KeychainItem) throws(KeychainError)

    /// Replaces the data of an item; the code is `notFound` if there is none.
    ///
    /// - Throws: ``KeychainError`` with the code `notFound` if there is none, and `locked`.
    func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError)

    /// Replaces the data and the look-up key of an item; the code is `notFound` if there is none.
    ///
    /// - Throws: ``KeychainError`` with the code `notFound` if there is none, and `locked`.
    func update(_ item: KeychainItem) throws(KeychainError)

    /// The data of an item, or `nil` if there is none.
    ///
    /// An item that exists and cannot be read is never `nil`: the code is `locked` or `undecryptable`.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data?

    /// The accessibility of an item; `nil` if there is none, or if the keychain does not provide it.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    func accessibility(of name: KeychainItem.Name) throws(KeychainError) -> KeychainAccessibility?

    /// The accounts of all items of a service, sorted, without reading their data.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String]

    /// The names of all items of a service, each with the group that it is in, without reading their data.
    ///
    /// Several groups may have an item with the same account. With `accessGroup`, returns only the items of that group.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    func names(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem.Name]

    /// The names of the items with the service and the account of a name: one for each group, or that of the name's group.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    func names(of name: KeychainItem.Name) throws(KeychainError) -> [KeychainItem.Name]

    /// The last modification date of each item of a service, by account, without reading their data; `nil` if the
    /// keychain does not provide it.
    ///
    /// An item that was removed and added again has another date.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    func changeDates(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.ChangeDate]?

    /// The look-up key of each item of a service, without reading their data; `nil` if the keychain keeps none.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    func lookUpKeys(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem.LookUpKey]?

    /// The accounts of the items of a service with a look-up key, without reading their data; `nil` if the keychain keeps
    /// none.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    func accounts(
        service: String,
        accessGroup: String?,
        lookUpKey: Data
    ) throws(KeychainError) -> [String]?

    /// All items of a service with their data, by account.
    ///
    /// The code is `undecryptable` or `failed` if one of them cannot be read; ask for them one by one then.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    func items(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem]

    /// Removes an item, and returns whether there was one.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    @discardableResult
    func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool

    /// Calls `body`, a transaction of a store, while no other one runs on this keychain.
    ///
    /// Blocks until then. Calls can be nested. A keychain that wraps another one calls the other's method.
    ///
    /// - Throws: What `body` throws, and an error if the other transactions cannot be excluded.
    func exclusively<Value>(_ body: () throws -> Value) throws -> Value
}

/// Excludes the transactions on keychains without a separate lock.
private let otherKeychains = ProcessLock()

extension Keychain {
    /// Excludes all transactions of this process on keychains without this method.
    ///
    /// - Throws: What `body` throws.
    public func exclusively<Value>(_ body: () throws -> Value) throws -> Value {
        try otherKeychains.withLock(body)
    }

    /// The names from the other queries: those of the items if an account occurs twice, else the accounts with the group of
    /// the query.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func names(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.Name] {
        let accounts = try accounts(service: service, accessGroup: accessGroup)
        if Set(accounts).count < accounts.count {
            // Several groups contain the account; only the items have the groups.
            return try items(service: service, accessGroup: accessGroup).map(\.name)
        }
        return accounts.map {
            KeychainItem.Name(service: service, account: $0, accessGroup: accessGroup)
        }
    }

    /// The names from the query for all items of the service.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func names(of name: KeychainItem.Name) throws(KeychainError) -> [KeychainItem.Name] {
        try names(service: name.service, accessGroup: name.accessGroup).filter { $0.account == name.account }
    }

    /// The accounts from the query for all look-up keys.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func accounts(
        service: String,
        accessGroup: String?,
        lookUpKey: Data
    ) throws(KeychainError) -> [String]? {
        try lookUpKeys(service: service, accessGroup: accessGroup)?
            .filter { $0.key == lookUpKey }.map(\.account)
    }

    /// The default: not provided.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func accessibility(of name: KeychainItem.Name) throws(KeychainError) -> KeychainAccessibility? {
        nil
    }

    /// The default: not provided.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func changeDates(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.ChangeDate]? {
        nil
    }

    /// A keychain that keeps no look-up keys.
    ///
    /// - Throws: ``KeychainError`` with the code `notFound` if there is none, and `locked`.
    public func update(_ item: KeychainItem) throws(KeychainError) {
        try update(item.name, data: item.data)
    }

    /// A keychain that keeps no look-up keys.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func lookUpKeys(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.LookUpKey]? {
        nil
    }

    /// All items of a service, read one by one.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses.
    public func items(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem] {
        var items: [KeychainItem] = []
        for account in try accounts(service: service, accessGroup: accessGroup) {
            let name = KeychainItem.Name(service: service, account: account, accessGroup: accessGroup)
            if let data = try data(name) { items.append(KeychainItem(name, data: data)) }
        }
        return items
    }
}

/// The authentication of the device's owner before an item is read.
package struct OwnerPresence: Sendable {
    /// The proof by the owner.
    package enum Way: Sendable {
        case biometrics, passcode, biometricsOrPasscode
    }

    /// The proof by the owner.
    package let way: Way
    /// The reason that the prompt shows; `nil` means the system's text.
    package let prompt: String?

    package init(way: Way, prompt: String?) {
        self.way = way
        self.prompt = prompt
    }
}

/// A generic password.
public struct KeychainItem: Equatable, Sendable {
    /// What identifies an item.
    public struct Name: Hashable, Sendable {
        /// The service the item belongs to.
        public let service: String
        /// The item's key within the service.
        public let account: String
        /// The group of apps that share the item; `nil` is the app's own.
        public let accessGroup: String?

        /// Names an item.
        /// - Parameters:
        ///   - service: The service, `kSecAttrService`.
        ///   - account: The account, `kSecAttrAccount`.
        ///   - accessGroup: The keychain group; `nil` for the app's own.
        public init(service: String, account: String, accessGroup: String? = nil) {
            self.service = service
            self.account = account
            self.accessGroup = accessGroup
        }

        /// Compares bytes, as the keychain does: two canonically equivalent keys name two items.
        public static func == (one: Name, other: Name) -> Bool {
            one.account.utf8.elementsEqual(other.account.utf8)
                && one.service.utf8.elementsEqual(other.service.utf8) && one.accessGroup == other.accessGroup
        }
    }

    /// When an item of a service was changed last.
    public struct ChangeDate: Hashable, Sendable {
        /// The item's key within the service.
        public let account: String
        /// When it was added, or last updated.
        public let date: Date
        /// The access group of the item; `nil` if the keychain does not provide it.
        public let accessGroup: String?

        /// Creates a date of an item.
        /// - Parameters:
        ///   - account: The account of the item.
        ///   - date: When the item was last changed.
        ///   - accessGroup: The group that the item is in, if it is known.
        public init(account: String, date: Date, accessGroup: String? = nil) {
            self.account = account
            self.date = date
            self.accessGroup = accessGroup
        }
    }

    /// The look-up key of an item of a service.
    public struct LookUpKey: Equatable, Sendable {
        /// The item's key within the service.
        public let account: String
        /// The item's ``KeychainItem/lookUpKey``; `nil` if it has none.
        public let key: Data?

        /// Creates the key of an item.
        /// - Parameters:
        ///   - account: The account of the item.
        ///   - key: The key, if the item has one.
        public init(account: String, key: Data?) {
            self.account = account
            self.key = key
        }
    }

    /// What identifies the item.
    public let name: Name
    /// Hashes of what the item is looked up by, `kSecAttrGeneric`; `nil` if it has none.
    ///
    /// Readable while the data is not: it contains no secret.
    public var lookUpKey: Data?
    /// The item's value.
    public var data: Data
    /// When the item can be read; `alwaysThisDeviceOnly`, which systems give no more, is after the first unlock.
    public var accessibility: KeychainAccessibility {
        get { given }
        set { given = newValue == .alwaysThisDeviceOnly ? .afterFirstUnlockThisDeviceOnly : newValue }
    }
    private var given = KeychainAccessibility.afterFirstUnlock

    /// Creates an item.
    /// - Parameters:
    ///   - name: Where the item is.
    ///   - data: Its data.
    ///   - accessibility: When it can be read, if it is new.
    public init(
        _ name: Name,
        data: Data,
        accessibility: KeychainAccessibility = .afterFirstUnlock
    ) {
        self.name = name
        self.data = data
        self.accessibility = accessibility
    }
}

extension KeychainItem: CustomStringConvertible, CustomReflectable {
    /// The service and the size, never the value.
    public var description: String { "KeychainItem(\(name.service), \(data.count) bytes)" }
    /// An empty mirror, so that `dump` finds nothing to show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a keychain refused.
public struct KeychainError: Error, Equatable, Sendable {
    /// The possible reaction of a caller.
    public enum Code: String, CaseIterable, Sendable {
        /// An item with this name exists already (−25299).
        case duplicate
        /// There is no such item (−25300).
        case notFound
        /// The device was not unlocked, or its owner did not agree; try again later (−25308, −25291, −25293, −128).
        case locked
        /// The item can never be opened here (−26275).
        case undecryptable
        /// The app is not entitled to the item (−34018).
        case notEntitled
        /// Any other error, with its status.
        case failed
    }

    /// The possible reaction of a caller.
    public let code: Code
    /// The status that Security reported.
    public let status: Int32

    /// Creates an error from a status of Security.
    public init(status: Int32) {
        self.status = status
        code =
            switch status {
            case -25299: .duplicate
            case -25300: .notFound
            case -25308, -25291, -25293, -128: .locked
            case -26275: .undecryptable
            case -34018: .notEntitled
            default: .failed
            }
    }
}

extension KeychainError: LocalizedError {
    /// One sentence for a human.
    public var errorDescription: String? {
        switch code {
        case .duplicate: "The keychain has this item already."
        case .notFound: "The keychain has no such item."
        case .locked: "The keychain cannot be read before the device is unlocked."
        case .undecryptable: "The keychain item cannot be opened on this device."
        case .notEntitled: "The app may not use this keychain item."
        case .failed: "The keychain refused with the status \(status)."
        }
    }
}

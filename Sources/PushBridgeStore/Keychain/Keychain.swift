public import Foundation
public import PushBridgeCore

/// A keychain of generic passwords, each identified by a service, an account and an access group.
///
/// A keychain can be called from any thread. ``SystemKeychain`` is Apple's keychain; ``InMemoryKeychain``
/// behaves in the same way on all platforms.
public protocol Keychain: Sendable {
    /// Adds an item.
    ///
    /// - Throws: ``KeychainError`` with the code `duplicate` if an item with the same name exists, `locked` if the
    ///   keychain is locked, or `notEntitled` if the app has no entitlement for the item's group.
    func add(_ item: KeychainItem) throws(KeychainError)

    /// Replaces the data of an item.
    ///
    /// - Throws: ``KeychainError`` with the code `notFound` if the item does not exist, `locked` if the keychain is
    ///   locked, or `undecryptable` if the keychain can never decrypt the item.
    func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError)

    /// Replaces the data and the look-up key of an item.
    ///
    /// - Throws: ``KeychainError`` with the code `notFound` if the item does not exist, `locked` if the keychain is
    ///   locked, or `undecryptable` if the keychain can never decrypt the item.
    func update(_ item: KeychainItem) throws(KeychainError)

    /// Returns the data of an item; `nil` if the item does not exist.
    ///
    /// - Throws: ``KeychainError`` if an existing item cannot be read: with the code `locked` if the keychain is
    ///   locked, `undecryptable` if the keychain can never decrypt the item, or another code if the keychain refuses
    ///   the call.
    func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data?

    /// Returns the accessibility of an item; `nil` if there is no such item, or if the keychain provides none.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    func accessibility(of name: KeychainItem.Name) throws(KeychainError) -> KeychainAccessibility?

    /// Returns the sorted accounts of all items of a service, without reading the items' data.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String]

    /// Returns the names and groups of all items of a service, without reading the items' data.
    ///
    /// Several groups may contain an item with the same account. With `accessGroup`, returns only the items of that
    /// group.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    func names(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem.Name]

    /// Returns the names of all items that have the same service and account as `name`.
    ///
    /// If `name` has a group, the result contains only the item in this group; otherwise, the items in all groups.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    func names(of name: KeychainItem.Name) throws(KeychainError) -> [KeychainItem.Name]

    /// Returns the date of the last change of each item of a service, without reading the items' data.
    ///
    /// `nil` if the keychain does not provide dates.
    ///
    /// If an item is removed and added again, its date changes.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    func changeDates(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.ChangeDate]?

    /// Returns the look-up key of each item of a service, without reading the items' data.
    ///
    /// `nil` if the keychain stores no look-up keys.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    func lookUpKeys(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem.LookUpKey]?

    /// Returns the accounts of those items of a service that have the given look-up key, without reading the
    /// items' data.
    ///
    /// `nil` if the keychain stores no look-up keys.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    func accounts(
        service: String,
        accessGroup: String?,
        lookUpKey: Data
    ) throws(KeychainError) -> [String]?

    /// Returns all items of a service with their data, sorted by account.
    ///
    /// If one of the items cannot be read, the method throws an error. If the error's code is not `locked`, read the
    /// items one by one.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    func items(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem]

    /// Removes an item, and returns whether it existed.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    @discardableResult
    func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool

    /// Calls `body`, a transaction of a store, while no other transaction runs on this keychain.
    ///
    /// The call blocks until other transactions have ended. Calls can be nested. A keychain that wraps
    /// another keychain forwards the call to the wrapped keychain.
    ///
    /// - Throws: The errors of `body`, and an error if other transactions cannot be excluded.
    func exclusively<Value>(_ body: () throws -> Value) throws -> Value
}

/// The lock for keychains without their own implementation of `exclusively(_:)`.
private let otherKeychains = ProcessLock()

extension Keychain {
    /// Calls `body` while no other transaction of this process runs on a keychain with this default implementation.
    ///
    /// - Throws: The errors of `body`.
    public func exclusively<Value>(_ body: () throws -> Value) throws -> Value {
        try otherKeychains.withLock(body)
    }

    /// Returns the names of all items of a service.
    ///
    /// This default implementation lists the accounts, and makes each name from `service`, the account and
    /// `accessGroup`. If an account occurs twice, because several access groups contain it, the method reads the
    /// items: only items show their group.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    public func names(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.Name] {
        let accounts = try accounts(service: service, accessGroup: accessGroup)
        if Set(accounts).count < accounts.count {
            return try items(service: service, accessGroup: accessGroup).map(\.name)
        }
        return accounts.map {
            KeychainItem.Name(service: service, account: $0, accessGroup: accessGroup)
        }
    }

    /// Queries the names of all items of the service, and returns the names whose account is the account of `name`.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    public func names(of name: KeychainItem.Name) throws(KeychainError) -> [KeychainItem.Name] {
        try names(service: name.service, accessGroup: name.accessGroup).filter { $0.hasSameKey(as: name) }
    }

    /// Queries the look-up keys of all items of the service, and returns the accounts with this look-up key.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    public func accounts(
        service: String,
        accessGroup: String?,
        lookUpKey: Data
    ) throws(KeychainError) -> [String]? {
        try lookUpKeys(service: service, accessGroup: accessGroup)?
            .filter { $0.key == lookUpKey }.map(\.account)
    }

    /// Returns `nil`: by default, the keychain provides no accessibility.
    ///
    /// - Throws: Never, although the protocol permits it.
    public func accessibility(of name: KeychainItem.Name) throws(KeychainError) -> KeychainAccessibility? {
        nil
    }

    /// Returns `nil`: by default, the keychain provides no dates.
    ///
    /// - Throws: Never, although the protocol permits it.
    public func changeDates(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.ChangeDate]? {
        nil
    }

    /// Replaces only the data: by default, the keychain stores no look-up keys.
    ///
    /// - Throws: ``KeychainError`` with the code `notFound` if the item does not exist, `locked` if the keychain is
    ///   locked, or `undecryptable` if the keychain can never decrypt the item.
    public func update(_ item: KeychainItem) throws(KeychainError) {
        try update(item.name, data: item.data)
    }

    /// Returns `nil`: by default, the keychain stores no look-up keys.
    ///
    /// - Throws: Never, although the protocol permits it.
    public func lookUpKeys(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.LookUpKey]? {
        nil
    }

    /// Returns all items of a service, read one by one.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
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
    /// The possible ways to authenticate.
    package enum Way: Sendable {
        case biometrics, passcode, biometricsOrPasscode
    }

    /// The way in which the owner authenticates.
    package let way: Way
    /// The reason that the prompt shows; `nil` means the system's text.
    package let prompt: String?

    package init(way: Way, prompt: String?) {
        self.way = way
        self.prompt = prompt
    }
}

/// A keychain item of the generic-password class.
public struct KeychainItem: Equatable, Sendable {
    /// The identity of an item.
    public struct Name: Hashable, Sendable {
        /// The service of the item.
        public let service: String
        /// The item's key within the service.
        public let account: String
        /// The group of apps that share the item; `nil` means the app's own group for a new item, and all
        /// groups in a query.
        public let accessGroup: String?

        /// Creates a name.
        /// - Parameters:
        ///   - service: The service, `kSecAttrService`.
        ///   - account: The account, `kSecAttrAccount`.
        ///   - accessGroup: The keychain group, or `nil`; see ``accessGroup``.
        public init(service: String, account: String, accessGroup: String? = nil) {
            self.service = service
            self.account = account
            self.accessGroup = accessGroup
        }

        /// Returns whether both names identify the same item.
        ///
        /// Accounts and services are compared by their bytes, as in the keychain: names that are only canonically
        /// equivalent identify two items.
        public static func == (one: Name, other: Name) -> Bool {
            one.hasSameKey(as: other) && one.accessGroup == other.accessGroup
        }

        /// Returns whether both names have the same service and account; their groups may differ.
        func hasSameKey(as other: Name) -> Bool {
            account.hasSameBytes(as: other.account) && service.hasSameBytes(as: other.service)
        }
    }

    /// The date of an item's last change.
    public struct ChangeDate: Hashable, Sendable {
        /// The item's key within the service.
        public let account: String
        /// The date when the item was added or last updated.
        public let date: Date
        /// The access group of the item; `nil` if the keychain does not provide it.
        public let accessGroup: String?

        /// Creates the date of an item's last change.
        /// - Parameters:
        ///   - account: The account of the item.
        ///   - date: The date of the item's last change.
        ///   - accessGroup: The access group of the item; `nil` if it is unknown.
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
        /// The item's ``KeychainItem/lookUpKey``; `nil` if the item has no look-up key.
        public let key: Data?

        /// Creates the look-up key of an item.
        /// - Parameters:
        ///   - account: The account of the item.
        ///   - key: The key, if the item has one.
        public init(account: String, key: Data?) {
            self.account = account
            self.key = key
        }
    }

    /// The identity of the item.
    public let name: Name
    /// Hashes for look-ups of the item, `kSecAttrGeneric`; `nil` if there are none.
    ///
    /// The hashes can be read even if the data cannot be read. They contain no secret.
    public var lookUpKey: Data?
    /// The item's value.
    public var data: Data
    /// The accessibility class, which determines when the item can be read.
    ///
    /// `alwaysThisDeviceOnly` becomes `afterFirstUnlockThisDeviceOnly`, because Apple deprecated access before the
    /// first unlock.
    public var accessibility: KeychainAccessibility {
        get { given }
        set { given = newValue == .alwaysThisDeviceOnly ? .afterFirstUnlockThisDeviceOnly : newValue }
    }
    private var given = KeychainAccessibility.afterFirstUnlock

    /// Creates an item.
    /// - Parameters:
    ///   - name: The identity of the item.
    ///   - data: The data of the item.
    ///   - accessibility: The accessibility, if the item is new.
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
    /// The service and the size, without the value.
    public var description: String { "KeychainItem(\(name.service), \(data.count) bytes)" }
    /// An empty mirror, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An error of a keychain.
public struct KeychainError: Error, Equatable, Sendable {
    /// The kind of error.
    public enum Code: String, CaseIterable, Sendable {
        /// An item with this name exists (−25299).
        case duplicate
        /// The item does not exist (−25300).
        case notFound
        /// The device has to be unlocked, or the user declined the authentication; try again later (−25308, −25291,
        /// −25293, −128).
        case locked
        /// The item cannot be decrypted on this device, now or later (−26275).
        case undecryptable
        /// The app has no entitlement for the item (−34018).
        case notEntitled
        /// Any other error, with its status.
        case failed
    }

    /// The kind of error.
    public let code: Code
    /// The status from the Security framework.
    public let status: Int32

    /// Creates an error from a status of the Security framework.
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
    /// One sentence for a person.
    public var errorDescription: String? {
        switch code {
        case .duplicate: "The keychain already contains this item."
        case .notFound: "The keychain does not contain this item."
        case .locked: "The keychain is locked, or the device's owner did not authenticate."
        case .undecryptable: "The keychain item cannot be opened on this device."
        case .notEntitled: "The app has no entitlement for this keychain item."
        case .failed: "The keychain refused the call with the status \(status)."
        }
    }
}

extension String {
    fileprivate func hasSameBytes(as other: String) -> Bool {
        var (one, other) = (self, other)
        return one.withUTF8 { one in
            other.withUTF8 { $0.count == one.count && $0.elementsEqual(one) }
        }
    }
}

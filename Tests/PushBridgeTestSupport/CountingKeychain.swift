public import Foundation
public import PushBridgeStore

/// An in-memory keychain that counts its calls.
public final class CountingKeychain: Keychain {
    /// The numbers of reads and changes of items.
    public struct Calls: Equatable, Sendable {
        /// The number of queries.
        public var reads: Int
        /// The number of additions, changes and removals.
        public var writes: Int

        /// Creates counts.
        public init(reads: Int = 0, writes: Int = 0) {
            (self.reads, self.writes) = (reads, writes)
        }
    }

    private let keychain = InMemoryKeychain()
    private let counted = Guarded(Calls())
    private let openedItems = Guarded(0)

    /// Creates an empty keychain.
    public init() {}

    /// The number of items whose data was read since the last call of ``calls(_:)`` began.
    public var opened: Int { openedItems.withValue { $0 } }

    /// Returns how many reads and changes `body` made.
    public func calls(_ body: () async throws -> Void) async throws -> Calls {
        counted.withValue { $0 = Calls() }
        openedItems.withValue { $0 = 0 }
        try await body()
        return counted.withValue { $0 }
    }

    private func read(_ items: Int = 0) {
        counted.withValue { $0.reads += 1 }
        openedItems.withValue { $0 += items }
    }

    private func write() { counted.withValue { $0.writes += 1 } }

    /// Adds an item.
    public func add(_ item: KeychainItem) throws(KeychainError) {
        write()
        try keychain.add(item)
    }

    /// Replaces the data of an item.
    public func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        write()
        try keychain.update(name, data: data)
    }

    /// Replaces the data and the look-up key of an item.
    public func update(_ item: KeychainItem) throws(KeychainError) {
        write()
        try keychain.update(item)
    }

    /// Returns the look-up keys of a service's items.
    public func lookUpKeys(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.LookUpKey]? {
        read()
        return try keychain.lookUpKeys(service: service, accessGroup: accessGroup)
    }

    /// Returns the account names of the items that have this look-up key.
    public func accounts(
        service: String,
        accessGroup: String?,
        lookUpKey: Data
    ) throws(KeychainError) -> [String]? {
        read()
        return try keychain.accounts(service: service, accessGroup: accessGroup, lookUpKey: lookUpKey)
    }

    /// Returns the names of the items that have the same service and account as `name`.
    public func names(of name: KeychainItem.Name) throws(KeychainError) -> [KeychainItem.Name] {
        read()
        return try keychain.names(of: name)
    }

    /// Returns the data of an item.
    public func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? {
        let data = try keychain.data(name)
        read(data == nil ? 0 : 1)
        return data
    }

    /// Returns the account names of a service's items.
    public func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String] {
        read()
        return try keychain.accounts(service: service, accessGroup: accessGroup)
    }

    /// Returns the items of a service.
    public func items(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem] {
        let items = try keychain.items(service: service, accessGroup: accessGroup)
        read(items.count)
        return items
    }

    /// Removes an item.
    public func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool {
        write()
        return try keychain.remove(name)
    }
}

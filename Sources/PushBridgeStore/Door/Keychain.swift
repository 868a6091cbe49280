public import Foundation

/// The one door to a keychain: generic passwords, each found by its service and account.
///
/// Safe to call from any thread. ``SystemKeychain`` is Apple's; ``InMemoryKeychain`` keeps the same contract elsewhere.
public protocol Keychain: Sendable {
    /// Adds an item; the code is `duplicate` if one with the same name is there.
    func add(_ item: KeychainItem) throws(KeychainError)

    /// Replaces the data of an item; the code is `notFound` if there is none.
    func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError)

    /// The data of an item, or `nil` if there is none.
    ///
    /// An item that exists and cannot be read is never `nil`: the code is `locked` or `undecryptable`.
    func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data?

    /// The accounts of all items of a service, sorted, without reading their data.
    func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String]

    /// All items of a service with their data, by account.
    ///
    /// The code is `undecryptable` or `failed` if one of them cannot be read; ask for them one by one then.
    func items(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem]

    /// Removes an item; answers whether there was one.
    @discardableResult
    func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool
}

extension Keychain {
    /// All items of a service, read one by one.
    public func items(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem] {
        var items: [KeychainItem] = []
        for account in try accounts(service: service, accessGroup: accessGroup) {
            let name = KeychainItem.Name(service: service, account: account, accessGroup: accessGroup)
            if let data = try data(name) { items.append(KeychainItem(name, data: data)) }
        }
        return items
    }
}

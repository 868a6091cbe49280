import AuthenticatorCore
public import Foundation

/// A keychain that lives as long as the process, for tests and rehearsals; it keeps Apple's contract.
public final class InMemoryKeychain: Keychain {
    private let state = Lock(State())

    /// Creates an empty, unlocked keychain.
    public init() {}

    /// Whether the device counts as locked; items are refused then as Apple's are before the first unlock.
    public var isLocked: Bool {
        get { state.withValue(\.isLocked) }
        set { state.withValue { $0.isLocked = newValue } }
    }

    /// Makes an item one that can never be opened, as after a restore to another device.
    public func makeUndecryptable(_ name: KeychainItem.Name) {
        state.withValue { _ = $0.undecryptable.insert(name) }
    }

    /// Adds an item; the code is `duplicate` if one with the same name is there.
    public func add(_ item: KeychainItem) throws(KeychainError) {
        let isAdded = try unlocked { state in
            guard state.items[item.name] == nil else { return false }
            state.items[item.name] = item
            return true
        }
        guard isAdded else { throw KeychainError(status: -25299) }
    }

    /// Replaces the data of an item; the code is `notFound` if there is none.
    public func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        let isUpdated = try unlocked { state in
            guard state.items[name] != nil else { return false }
            state.items[name]?.data = data
            return true
        }
        guard isUpdated else { throw KeychainError(status: -25300) }
    }

    /// The data of an item, or `nil` if there is none.
    public func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? {
        let (data, isUndecryptable) = try unlocked { state in
            (state.items[name]?.data, state.undecryptable.contains(name))
        }
        guard data == nil || !isUndecryptable else { throw KeychainError(status: -26275) }
        return data
    }

    /// The accounts of all items of a service, sorted, without reading their data.
    public func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String] {
        try unlocked { state in
            state.items.keys.filter { name in
                name.service == service && (accessGroup == nil || name.accessGroup == accessGroup)
            }.map(\.account).sorted()
        }
    }

    /// Removes an item; answers whether there was one.
    @discardableResult
    public func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool {
        try unlocked { state in
            state.undecryptable.remove(name)
            return state.items.removeValue(forKey: name) != nil
        }
    }

    private func unlocked<Value>(_ body: (inout State) -> Value) throws(KeychainError) -> Value {
        let value = state.withValue { state in state.isLocked ? nil : body(&state) }
        guard let value else { throw KeychainError(status: -25308) }
        return value
    }

    private struct State {
        var items: [KeychainItem.Name: KeychainItem] = [:]
        var undecryptable: Set<KeychainItem.Name> = []
        var isLocked = false
    }
}

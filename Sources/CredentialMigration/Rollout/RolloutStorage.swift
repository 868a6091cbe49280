public import Foundation
import PushBridgeCore
import PushBridgeFiles
public import PushBridgeStore

/// Durable storage for the state of a roll-out: answers, attempts, undelivered events.
///
/// Called on any thread, by one at a time. Losing the state loses no account: a new share is drawn, and the guard counts
/// from nothing.
public protocol RolloutStorage: Sendable {
    /// The last value that was written; `nil` if there is none.
    /// - Returns: The state.
    /// - Throws: An error if there may be a state that cannot be read now; nothing is migrated then.
    func read() throws -> Data?
    /// Replaces the state, durably and as a whole, before it returns.
    /// - Parameter state: The state.
    /// - Throws: An error if it was not written; nothing is migrated then.
    func write(_ state: Data) throws
}

/// A roll-out's state in a keychain item, which stays on this phone and is readable from the first unlock on.
public struct KeychainRolloutStorage: RolloutStorage {
    private let items: KeychainItems
    private static let service = "\(KeychainServices().credentials).rollout"
    private static let account = "state"

    /// Names the item; reads nothing yet.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - accessGroup: The group of apps that share the item; `nil` is the app's own.
    public init(_ keychain: any Keychain, accessGroup: String? = nil) {
        items = KeychainItems(
            keychain: keychain,
            accessGroup: accessGroup,
            accessibility: .afterFirstUnlockThisDeviceOnly
        )
    }

    /// The item's value.
    /// - Throws: `StoreError` if the keychain refuses.
    public func read() throws -> Data? { try items.data(Self.account, of: Self.service) }

    /// Replaces what the item holds.
    /// - Throws: `StoreError` if the keychain refuses.
    public func write(_ state: Data) throws {
        try items.carryOut(KeychainStep(service: Self.service, account: Self.account, data: state))
    }
}

/// A roll-out's state in a file of mode 0600, which is in no backup of the phone.
public struct FileRolloutStorage: RolloutStorage {
    private let url: URL

    /// Names the file, whose folder exists; reads nothing yet.
    /// - Parameter url: The file.
    public init(_ url: URL) {
        self.url = url
    }

    /// The file's content; `nil` if there is no file.
    /// - Throws: `StoreError` if the system refuses.
    public func read() throws -> Data? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try refusing("read") { try Data(contentsOf: url) }
    }

    /// Replaces the file in one step.
    /// - Throws: `StoreError` if the system refuses.
    public func write(_ state: Data) throws {
        try refusing("written") {
            let file = try NewFile(for: url.path)
            try file.write(state)
            try file.replace()
        }
    }

    private func refusing<Value>(_ operation: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            let name = url.lastPathComponent
            let reason = "The state of the roll-out, \(name), cannot be \(operation): \(error)"
            throw StoreError(.failed, reason: reason)
        }
    }
}

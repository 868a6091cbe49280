public import Foundation
import PushBridgeCore
import PushBridgeFiles
public import PushBridgeStore

/// Durable storage for the state of a roll-out: its answers, attempts and undelivered events.
///
/// The methods are called on any thread. One process makes one call to ``write(_:)`` at a time, but it may call
/// ``read()`` during that call. If the state is lost, no account is lost; the phone draws a new random number for
/// shares, and the guard starts counting again.
public protocol RolloutStorage: Sendable {
    /// Reads the stored state.
    /// - Returns: The state that was written last; `nil` if no state has been written.
    /// - Throws: An error if a state may exist but cannot be read now; the migration then does not run.
    func read() throws -> Data?
    /// Replaces the whole state; when the method returns, the new state must be stored durably.
    /// - Parameter state: The state.
    /// - Throws: An error if the state was not written; if this happens at the start of an attempt, the migration does
    ///   not run.
    func write(_ state: Data) throws
}

/// Stores a roll-out's state in a keychain item.
///
/// The item stays on this phone and is readable after the first unlock.
public struct KeychainRolloutStorage: RolloutStorage {
    private let items: KeychainItems
    private static let service = "\(KeychainServices().credentials).rollout"
    private static let account = "state"

    /// Creates a storage without reading the item.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - accessGroup: The access group of the item; `nil` for the app's own access group.
    public init(_ keychain: any Keychain, accessGroup: String? = nil) {
        items = KeychainItems(
            keychain: keychain,
            accessGroup: accessGroup,
            accessibility: .afterFirstUnlockThisDeviceOnly
        )
    }

    /// Reads the item's value; returns `nil` if the item does not exist.
    /// - Throws: `StoreError` if the keychain fails.
    public func read() throws -> Data? { try items.data(Self.account, of: Self.service) }

    /// Replaces the item's value.
    /// - Throws: `StoreError` if the keychain fails.
    public func write(_ state: Data) throws {
        try items.perform(KeychainStep(service: Self.service, account: Self.account, data: state))
    }
}

/// Stores a roll-out's state in a file with mode 0600.
///
/// Backups of the phone do not contain the file.
public struct FileRolloutStorage: RolloutStorage {
    private let url: URL

    /// Creates a storage without reading the file; the folder must exist.
    /// - Parameter url: The file.
    public init(_ url: URL) {
        self.url = url
    }

    /// Reads the file's content; returns `nil` if the file does not exist.
    /// - Throws: `StoreError` if the system reports an error.
    public func read() throws -> Data? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try refusing("read") { try Data(contentsOf: url) }
    }

    /// Replaces the file atomically.
    /// - Throws: `StoreError` if the system reports an error.
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

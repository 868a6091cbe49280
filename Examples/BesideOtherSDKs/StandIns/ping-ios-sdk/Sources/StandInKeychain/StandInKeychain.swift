import Foundation

/// A stand-in for the part of the keychain that the SDK's storages use: generic passwords by service and account.
public enum StandInKeychain {
    private static let lock = NSLock()
    private static var items: [String: [String: Data]] = [:]

    /// The items of a service, by account.
    public static func items(_ service: String) -> [String: Data] {
        lock.withLock { items[service] ?? [:] }
    }

    /// Stores an item; `nil` removes it.
    public static func set(_ service: String, _ account: String, _ data: Data?) {
        lock.withLock { items[service, default: [:]][account] = data }
    }
}

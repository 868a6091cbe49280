import Foundation

/// A stand-in for the part of the keychain that the SDK's storages use.
///
/// The stand-in stores generic passwords, which are identified by service and account.
public enum StandInKeychain {
    private static let lock = NSLock()
    private static var items: [String: [String: Data]] = [:]

    /// Returns the data of a service's items, with the items' accounts as the keys.
    public static func items(_ service: String) -> [String: Data] {
        lock.withLock { items[service] ?? [:] }
    }

    /// Stores an item, or removes it if `data` is `nil`.
    public static func set(_ service: String, _ account: String, _ data: Data?) {
        lock.withLock { items[service, default: [:]][account] = data }
    }
}

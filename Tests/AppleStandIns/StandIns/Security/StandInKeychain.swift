import Foundation
import Synchronization

/// The keychain behind `SecItem…`, which a test can inspect and change.
public struct StandInKeychain: Sendable {
    /// The state of a device, which determines the items that can be read.
    public enum DeviceState: Sendable {
        /// All items can be read.
        case unlocked
        /// The keychain refuses items that require an unlocked device.
        case locked
        /// The keychain refuses all items.
        case beforeFirstUnlock
    }

    /// The state of the device.
    public var device = DeviceState.unlocked
    /// Whether the owner agrees to the reading of an item that requires consent.
    public var ownerAgrees = true
    /// The groups that the app is entitled to use.
    ///
    /// A new item is stored in the first group unless the item names another group.
    public var groups = ["app", "group.one", "group.two"]
    /// The statuses that the next calls return, one status for each call.
    ///
    /// A call that returns one of them has no other effect.
    public var nextStatuses: [OSStatus] = []

    /// The number of times that the data of a service's items was read, by service.
    public var openedItems: [String: Int] = [:]

    var items: [Place: Item] = [:]
    private var lastChange = Date.distantPast

    /// Returns a date that is later than all dates that were returned earlier.
    mutating func nextDate() -> Date {
        let next = lastChange.timeIntervalSinceReferenceDate.nextUp
        lastChange = max(Date(), Date(timeIntervalSinceReferenceDate: next))
        return lastChange
    }

    /// Makes an item undecryptable, in every group.
    public mutating func makeUndecryptable(service: String, account: String) {
        for place in items.keys where place.service == service && place.account == account {
            items[place]?.isUndecryptable = true
        }
    }

    /// Returns the accessibility of an item; `nil` if the item does not exist.
    public func accessibility(service: String, account: String) -> String? {
        items.first { $0.key.service == service && $0.key.account == account }?.value.accessibility
    }

    /// Reads or changes the keychain.
    @discardableResult
    public static func with<Value>(_ body: (inout sending StandInKeychain) -> sending Value) -> sending Value
    {
        shared.withLock(body)
    }

    /// Restores the initial state: an empty keychain on an unlocked device.
    public static func reset() {
        shared.withLock { $0 = StandInKeychain() }
    }

    static func perform(_ body: (inout StandInKeychain) throws -> Void) -> OSStatus {
        shared.withLock { keychain in
            guard keychain.nextStatuses.isEmpty else { return keychain.nextStatuses.removeFirst() }
            guard keychain.device != .beforeFirstUnlock else { return errSecInteractionNotAllowed }
            do {
                try body(&keychain)
                return errSecSuccess
            } catch {
                return (error as? Refusal)?.status ?? errSecParam
            }
        }
    }

    private static let shared = Mutex(StandInKeychain())
}

/// A status other than success.
struct Refusal: Error {
    let status: OSStatus

    init(_ status: OSStatus) {
        self.status = status
    }
}

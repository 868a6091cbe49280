import Foundation
import Synchronization

/// The keychain behind `SecItem…`, which a test can inspect and change.
public struct StandInKeychain: Sendable {
    /// Whether the device is unlocked.
    public enum DeviceState: Sendable {
        /// Everything can be read.
        case unlocked
        /// Items that require an unlocked device are refused.
        case locked
        /// Everything is refused.
        case beforeFirstUnlock
    }

    /// Whether the device is unlocked.
    public var device = DeviceState.unlocked
    /// Whether the owner agrees when asked before an item is read.
    public var ownerAgrees = true
    /// The groups that the app is entitled to; items go to the first one unless they name another.
    public var groups = ["app", "group.one", "group.two"]
    /// The statuses that the next calls return without doing anything.
    public var nextStatuses: [OSStatus] = []

    /// How often the data of a service's items was read.
    public var openedItems: [String: Int] = [:]

    var items: [Place: Item] = [:]
    private var lastChange = Date.distantPast

    /// A date later than all before.
    mutating func nextDate() -> Date {
        let next = lastChange.timeIntervalSinceReferenceDate.nextUp
        lastChange = max(Date(), Date(timeIntervalSinceReferenceDate: next))
        return lastChange
    }

    /// Makes an item impossible to decrypt.
    public mutating func makeUndecryptable(service: String, account: String) {
        for place in items.keys where place.service == service && place.account == account {
            items[place]?.isUndecryptable = true
        }
    }

    /// The accessibility of an item; `nil` if there is none.
    public func accessibility(service: String, account: String) -> String? {
        items.first { $0.key.service == service && $0.key.account == account }?.value.accessibility
    }

    /// Reads or changes the keychain.
    @discardableResult
    public static func with<Value>(_ body: (inout sending StandInKeychain) -> sending Value) -> sending Value
    {
        shared.withLock(body)
    }

    /// Empties and unlocks the keychain.
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

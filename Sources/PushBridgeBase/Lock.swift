import Foundation

/// Guards a value with a lock; every `Sendable` class of the package keeps its mutable state in one.
///
/// The lock is `NSLock` because `Mutex` needs iOS 18. A lock that guards no value uses a number as the value: a value
/// of size zero would have the address of the lock itself, which Thread Sanitizer reports as a race.
package final class Lock<Value>: @unchecked Sendable {
    // Every access to `value` happens while `lock` is held.
    private var value: Value
    private let lock = NSLock()

    package init(_ value: Value) {
        self.value = value
    }

    /// Calls `body` with the value while no other thread can.
    package func withValue<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

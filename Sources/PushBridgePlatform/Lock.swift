import Foundation

/// Guards a value with a lock; what changes in any `Sendable` class of the package is held by one.
///
/// The lock is `NSLock` because `Mutex` needs iOS 18. A lock that guards no value of its own holds a number: one
/// without a size has the address of the lock itself, which Thread Sanitizer takes for a race.
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

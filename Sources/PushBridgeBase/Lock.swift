import Foundation

/// Protects a value with a lock.
///
/// Most `Sendable` classes of the package store their mutable state in a `Lock`.
///
/// The lock is `NSLock` because `Mutex` requires iOS 18. A lock that protects no value has a number as its
/// value, because a value of size zero would have the address of the lock itself, which Thread Sanitizer reports as
/// a race.
package final class Lock<Value>: @unchecked Sendable {
    // Every access to `value` happens while `lock` is held.
    private var value: Value
    private let lock = NSLock()

    package init(_ value: Value) {
        self.value = value
    }

    /// Calls `body` with the value while no other thread has access to it.
    package func withValue<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

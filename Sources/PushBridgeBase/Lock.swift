import Foundation

/// Protects a value with an `NSLock`, because `Mutex` requires iOS 18.
///
/// If there is no value to protect, use a number, not `Void`: a value of size zero has the address of the lock,
/// which Thread Sanitizer reports as a race.
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

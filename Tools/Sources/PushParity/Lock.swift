import Foundation
// The values that scenarios and results are made of.
@_exported public import PushBridgeCore

/// Guards a value with a lock; what changes in any `Sendable` class of the tools is held by one.
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

import Foundation

/// Guards a value with a lock, for tests.
public final class Guarded<Value>: @unchecked Sendable {
    // Every access to `value` happens while `lock` is held.
    private var value: Value
    private let lock = NSLock()

    /// Guards a value.
    public init(_ value: Value) {
        self.value = value
    }

    /// Calls `body` with the value, to which no other thread has access during the call.
    public func withValue<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

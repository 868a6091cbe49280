import Foundation
package import PushBridgeCore
package import PushBridgeTestSupport

/// A barrier that blocks callers while it is shut.
package final class Gate: @unchecked Sendable {
    // Every access to `isShut` happens while `condition` is locked.
    private var isShut = false
    private let condition = NSCondition()

    package func shut() { condition.withLock { isShut = true } }

    package func open() {
        condition.withLock {
            isShut = false
            condition.broadcast()
        }
    }

    package func pass() {
        condition.withLock {
            let limit = Date() + TimeInterval(WaitedInVain.seconds)
            while isShut, condition.wait(until: limit) {}
        }
    }
}

/// A store that a test can make slow, or lock as if the device had not been unlocked yet.
package final class GatedLockableStore: CredentialStore, RecordStore {
    private let records: any RecordStore
    package let isLocked = Guarded(false)
    package let gate = Gate()

    package init(_ store: any CredentialStore) {
        records = store.backing.records
    }

    package var backing: StoreBacking { StoreBacking(self) }
    package var changes: AsyncStream<Void> { records.changes }

    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try check()
        return try records.read(body)
    }

    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try check()
        return try records.write(body)
    }

    private func check() throws {
        gate.pass()
        if isLocked.withValue({ $0 }) {
            throw StoreError(.locked, reason: "The device was not unlocked yet.")
        }
    }
}

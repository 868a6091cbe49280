import Foundation
@_spi(PushBridgeTools) import LegacyStore
import PushBridgeCore
import PushBridgePlatform

/// A key that fails to open items for some time, as the Secure Enclave may do.
final class FailingItemKey: LegacyItemKey {
    private let key = SoftwareItemKey()
    private let failuresLeft = Lock(0)

    /// Makes the next attempts to open an item fail.
    func failNext(_ attempts: Int) { failuresLeft.withValue { $0 = attempts } }

    func open(_ sealed: Data) throws(LegacyRecordError) -> Data {
        let fails = failuresLeft.withValue { left -> Bool in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
        if fails { throw LegacyRecordError(.undecryptable, reason: "The key does not open the item.") }
        return try key.open(sealed)
    }

    func seal(_ value: Data) throws(LegacyRecordError) -> Data { try key.seal(value) }
}

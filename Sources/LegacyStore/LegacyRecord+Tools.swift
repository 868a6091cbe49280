public import Foundation
public import PushBridgeCore

extension LegacyRecord {
    /// The record as the last legacy SDK would archive it; holds secrets in the clear.
    @_spi(PushBridgeTools) public var keyedArchive: Data { archive }
}

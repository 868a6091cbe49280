public import Foundation
public import PushBridgeCore

@_spi(PushBridgeTools) extension LegacyRecord {
    /// The record as the last legacy SDK would archive it; holds secrets in the clear.
    public var keyedArchive: Data { archive }
}

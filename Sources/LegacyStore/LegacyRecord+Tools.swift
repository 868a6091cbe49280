public import Foundation
public import PushBridgeCore

extension LegacyRecord {
    /// The record as the last legacy SDK would archive it; holds secrets in the clear.
    @_spi(PushBridgeTools) public var keyedArchive: Data { archive }

    /// Reads a keyed archive of the legacy SDK.
    ///
    /// - Parameters:
    ///   - keyedArchive: The bytes of the archive.
    ///   - service: The service that it lay in.
    /// - Throws: ``LegacyRecordError`` if the bytes are anything else, or of a kind that is not supported.
    @_spi(PushBridgeTools) public init(keyedArchive: Data, service: LegacyService) throws(LegacyRecordError) {
        try self.init(archive: keyedArchive, service: service)
    }
}

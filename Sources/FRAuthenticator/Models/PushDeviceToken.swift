public import Foundation
import LegacyStore
import PushBridgeCore

/// The APNs token of this device.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class PushDeviceToken: NSObject, NSSecureCoding, Codable, Sendable {
    let value: PushBridgeCore.PushDeviceToken

    init(_ token: PushBridgeCore.PushDeviceToken) {
        value = token
    }

    /// Reads the JSON that ``toJson()`` writes.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` for text that is not JSON, `LegacyRecordError` for a field that is missing or invalid.
    public init(from decoder: any Decoder) throws {
        value = try PushBridgeCore.PushDeviceToken(legacyJSON: decoder)
    }

    /// Reads an archive; `nil` if a required field is missing.
    /// - Parameter coder: The archive.
    public init?(coder: NSCoder) {
        let read = coder.legacyValue { fields throws(LegacyRecordError) in
            try PushBridgeCore.PushDeviceToken(fields: fields)
        }
        guard let token = read else { return nil }
        value = token
    }

    /// The token in hexadecimal: in upper case, unless the object was decoded from another spelling.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "token")
    #endif
    public var tokenId: String { value.tokenId }
    /// The date when the token was stored.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "createdAt")
    #endif
    public var timeAdded: Date { value.createdAt }

    /// `true`.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the archive of the legacy SDK.
    public func encode(with coder: NSCoder) {
        var fields = CoderFieldWriter(coder)
        value.write(to: &fields)
    }

    /// Writes the JSON of ``toJson()``.
    /// - Parameter encoder: The encoder.
    /// - Throws: The encoder's error, and `LegacyRecordError` for a date that JSON cannot express.
    public func encode(to encoder: any Encoder) throws {
        try value.encodeLegacyJSON(to: encoder)
    }

    /// Returns the token as JSON text, with its date in seconds since 1970.
    /// - Returns: The text; `nil` for a date that JSON cannot express.
    public func toJson() -> String? {
        LegacyRecord.deviceToken(value).legacyText
    }
}

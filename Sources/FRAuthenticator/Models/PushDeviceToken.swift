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
    /// - Throws: `DecodingError` if the text is not JSON, and `LegacyRecordError` if a field is missing or
    ///   invalid.
    public init(from decoder: any Decoder) throws {
        value = try PushBridgeCore.PushDeviceToken(legacyJSON: decoder)
    }

    /// Reads an archive.
    ///
    /// The result is `nil` if a required field is missing or invalid.
    /// - Parameter coder: The archive.
    public init?(coder: NSCoder) {
        let read = coder.legacyValue { fields throws(LegacyRecordError) in
            try PushBridgeCore.PushDeviceToken(fields: fields)
        }
        guard let token = read else { return nil }
        value = token
    }

    /// The token, usually in upper-case hexadecimal.
    ///
    /// In a decoded object, the token has the same spelling as in the archive or JSON text.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "token")
    #endif
    public var tokenId: String { value.tokenId }
    /// The date when the token was stored.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "createdAt")
    #endif
    public var timeAdded: Date { value.createdAt }

    /// Always `true`, because the class conforms to `NSSecureCoding`.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the archive in the legacy SDK's form.
    public func encode(with coder: NSCoder) {
        var fields = CoderFieldWriter(coder)
        value.write(to: &fields)
    }

    /// Writes the same JSON as ``toJson()``.
    /// - Parameter encoder: The encoder.
    /// - Throws: The encoder's error, and `LegacyRecordError` if JSON cannot express the date.
    public func encode(to encoder: any Encoder) throws {
        try value.encodeLegacyJSON(to: encoder)
    }

    /// Returns the token as JSON text, with its date in seconds since 1970.
    /// - Returns: The text, or `nil` if JSON cannot express the date.
    public func toJson() -> String? {
        LegacyRecord.deviceToken(value).legacyText
    }
}

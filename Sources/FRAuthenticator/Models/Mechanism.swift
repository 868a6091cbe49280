public import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform

// `@unchecked`, because the compiler checks only final classes. This class and its subclasses store only constants, and
// `Lock` holds their mutable state. Apps cannot subclass it.

/// A credential of an account; the subclass determines its kind.
///
/// Safe to use from any thread.
#if canImport(ObjectiveC)
@objcMembers
#endif
public class Mechanism: NSObject, NSSecureCoding, Codable, @unchecked Sendable {
    let content: Lock<LegacyMechanism>
    /// The client that created the mechanism; `nil` if the mechanism was decoded.
    let origin: Authenticator?

    /// The kind of mechanism that the class represents; `nil` means any kind.
    class var kind: LegacyRecordKind? { nil }

    init(_ mechanism: LegacyMechanism, origin: Authenticator? = nil) {
        content = Lock(mechanism)
        self.origin = origin
    }

    /// Reads the JSON that `toJson()` writes; an absent optional key and `null` have the same meaning.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` for text that is not JSON. `LegacyRecordError` for a required field that is missing or
    ///   invalid, and for a mechanism of another kind than the class.
    public required init(from decoder: any Decoder) throws {
        content = Lock(try LegacyMechanism(legacyJSON: decoder))
        origin = nil
        super.init()
        guard let kind = Swift.type(of: self).kind, kind != content.withValue(\.kind) else { return }
        throw LegacyRecordError(.damaged, reason: "The mechanism is not of the kind \(kind.rawValue).")
    }

    /// Reads an archive; `nil` if a required field is missing.
    /// - Parameter coder: The archive.
    public required init?(coder: NSCoder) {
        let known = Self.kind
        let read = coder.legacyValue { fields throws(LegacyRecordError) in
            let kind = known ?? fields.text(.type).flatMap { LegacyRecordKind(rawValue: $0) } ?? .unknown
            return try LegacyMechanism(archived: fields, kind: kind)
        }
        guard let mechanism = read else { return nil }
        content = Lock(mechanism)
        origin = nil
    }

    /// `true`.
    public class var supportsSecureCoding: Bool { true }

    /// The mechanism's id; for push, it also identifies the device at the server.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "id")
    #endif
    public var mechanismUUID: String { value.mechanismUUID }
    /// `push`, `totp` or `hotp`.
    public var type: String { value.kind.rawValue }
    /// The organisation that issued the mechanism.
    public var issuer: String { value.account.issuer }
    /// The user's name at the issuer.
    public var accountName: String { value.account.accountName }
    /// The date when the mechanism was added.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "createdAt")
    #endif
    public var timeAdded: Date { value.timeAdded }
    /// The user's id at the server, if the server sent it.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "userId")
    #endif
    public var uid: String? { value.uid }
    /// The device profile's id at the server, if the server sent it.
    public var resourceId: String? { value.resourceId }
    /// The key under which the mechanism is stored, `{issuer}-{accountName}-{type}`; not unique.
    public var identifier: String { value.identifier }
    /// The key under which the mechanism's account is stored, `{issuer}-{accountName}`; not unique.
    public var accountIdentifier: String { value.account.legacyIdentifier }

    var value: LegacyMechanism { content.withValue { $0 } }

    /// Writes the archive of the legacy SDK, with the unencrypted secret, as the SDK does.
    public func encode(with coder: NSCoder) {
        var fields = CoderFieldWriter(coder)
        value.write(to: &fields)
    }

    /// Writes the JSON of `toJson()`, with the unencrypted secret, as the legacy SDK does.
    /// - Parameter encoder: The encoder.
    /// - Throws: The encoder's error, and `LegacyRecordError` for a date that JSON cannot express.
    public func encode(to encoder: any Encoder) throws {
        try value.encodeLegacyJSON(to: encoder)
    }

    /// Returns the mechanism as JSON text, with dates in milliseconds since 1970 and the unencrypted secret, as in the
    /// SDK.
    /// - Returns: The text; `nil` for a date that JSON cannot express.
    public func toJson() -> String? {
        LegacyRecord.mechanism(value).legacyText
    }
}

extension Mechanism {
    /// Creates an object of the class for a mechanism's kind.
    static func make(
        _ mechanism: LegacyMechanism,
        notifications: [PushBridgeCore.PushNotification]? = nil,
        origin: Authenticator? = nil
    ) -> Mechanism {
        switch mechanism.factor {
        case .push: PushMechanism(mechanism, notifications: notifications, origin: origin)
        case .totp: TOTPMechanism(mechanism, origin: origin)
        case .hotp: HOTPMechanism(mechanism, origin: origin)
        }
    }
}

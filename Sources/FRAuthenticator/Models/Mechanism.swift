public import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform

// The conformance to `Sendable` is `@unchecked`, because the compiler checks only final classes. The stored
// properties of this class and of its subclasses are constants, and their mutable state is inside a `Lock`.
// Apps cannot subclass this class.

/// A credential of an account; the subclass determines its kind.
///
/// The class is safe to use from any thread.
#if canImport(ObjectiveC)
@objcMembers
#endif
public class Mechanism: NSObject, NSSecureCoding, Codable, @unchecked Sendable {
    let content: Lock<LegacyMechanism>
    /// The client that created the mechanism; `nil` if no client created it, for example because it was decoded.
    let origin: Authenticator?

    /// The kind of mechanism that the class represents; `nil` if it represents any kind.
    class var kind: LegacyRecordKind? { nil }

    init(_ mechanism: LegacyMechanism, origin: Authenticator? = nil) {
        content = Lock(mechanism)
        self.origin = origin
    }

    /// Reads the JSON that `toJson()` writes.
    ///
    /// For optional values, an absent key and `null` have the same meaning.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the text is not JSON. `LegacyRecordError` if a required field is missing
    ///   or invalid, or if the mechanism is not of the kind that the class represents.
    public required init(from decoder: any Decoder) throws {
        content = Lock(try LegacyMechanism(legacyJSON: decoder))
        origin = nil
        super.init()
        guard let kind = Swift.type(of: self).kind, kind != content.withValue(\.kind) else { return }
        throw LegacyRecordError(.damaged, reason: "The mechanism is not of the kind \(kind.rawValue).")
    }

    /// Reads an archive.
    ///
    /// The result is `nil` if a required field is missing or invalid.
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

    /// Always `true`, because the class conforms to `NSSecureCoding`.
    public class var supportsSecureCoding: Bool { true }

    /// The mechanism's id.
    ///
    /// The id of a push mechanism also identifies the device at the server.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "id")
    #endif
    public var mechanismUUID: String { value.mechanismUUID }
    /// The kind of the mechanism: `push`, `totp` or `hotp`.
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
    /// The key under which the mechanism is stored, `{issuer}-{accountName}-{type}`.
    ///
    /// Several mechanisms can have the same key.
    public var identifier: String { value.identifier }
    /// The key under which the mechanism's account is stored, `{issuer}-{accountName}`.
    ///
    /// Several accounts can have the same key.
    public var accountIdentifier: String { value.account.legacyIdentifier }

    var value: LegacyMechanism { content.withValue { $0 } }

    /// Writes the archive in the legacy SDK's form.
    ///
    /// As in the SDK, the archive contains the unencrypted secret.
    public func encode(with coder: NSCoder) {
        var fields = CoderFieldWriter(coder)
        value.write(to: &fields)
    }

    /// Writes the same JSON as `toJson()`.
    ///
    /// As in the legacy SDK, the JSON contains the unencrypted secret.
    /// - Parameter encoder: The encoder.
    /// - Throws: The encoder's error, and `LegacyRecordError` if JSON cannot express one of the dates.
    public func encode(to encoder: any Encoder) throws {
        try value.encodeLegacyJSON(to: encoder)
    }

    /// Returns the mechanism as JSON text, with dates in milliseconds since 1970.
    ///
    /// As in the SDK, the text contains the unencrypted secret.
    /// - Returns: The text, or `nil` if JSON cannot express one of the dates.
    public func toJson() -> String? {
        LegacyRecord.mechanism(value).legacyText
    }
}

extension Mechanism {
    /// Creates an object of the class that represents the mechanism's kind.
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

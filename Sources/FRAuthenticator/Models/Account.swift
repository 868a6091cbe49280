public import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform

/// An account with its mechanisms, as they were when the account was read.
///
/// To store changes to the object, call ``FRAClient/updateAccount(account:)``. The class is safe to use from
/// any thread.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class Account: NSObject, NSSecureCoding, Codable, Sendable {
    let content: Lock<LegacyAccount>
    private let members: Lock<[Mechanism]>

    init(_ account: LegacyAccount, mechanisms: [Mechanism] = []) {
        content = Lock(account)
        members = Lock(mechanisms)
    }

    /// Reads the JSON that ``toJson()`` writes.
    ///
    /// For optional values, an absent key and `null` have the same meaning.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the text is not JSON, and `LegacyRecordError` if a required field is
    ///   missing or invalid.
    public init(from decoder: any Decoder) throws {
        content = Lock(try LegacyAccount(legacyJSON: decoder))
        members = Lock([])
    }

    /// Reads an archive.
    ///
    /// The result is `nil` if a required field is missing or invalid.
    /// - Parameter coder: The archive.
    public init?(coder: NSCoder) {
        let read = coder.legacyValue { fields throws(LegacyRecordError) in try LegacyAccount(fields: fields) }
        guard let account = read else { return nil }
        content = Lock(account)
        members = Lock([])
    }

    /// The organisation that issued the credentials.
    public var issuer: String { profile.issuer }
    /// The user's name at the issuer.
    public var accountName: String { profile.accountName }
    // The two display names are optional, as in the SDK, because call sites set them to `nil`. Their getters
    // never return `nil`.
    /// The name of the issuer to show: the name that the user chose or, by default, ``issuer``.
    public var displayIssuer: String? {
        get { profile.customDisplayIssuer ?? issuer }
        set { content.withValue { $0.profile.customDisplayIssuer = newValue } }
    }
    /// The name of the account to show: the name that the user chose or, by default, ``accountName``.
    public var displayAccountName: String? {
        get { profile.customDisplayAccountName ?? accountName }
        set { content.withValue { $0.profile.customDisplayAccountName = newValue } }
    }
    /// The URL of the issuer's logo.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "imageURL")
    #endif
    public var imageUrl: String? { profile.imageURL }
    /// The background colour, as the server sent it.
    public var backgroundColor: String? { profile.backgroundColor }
    /// The date when the account was added.
    public var timeAdded: Date { content.withValue(\.timeAdded) }
    /// The policies that the server attached to the account, as JSON.
    public var policies: String? { profile.policies }
    /// The name of the policy that locked the account, or `AccountProfile.unreadableRecord`; `nil` if neither applies.
    public var lockingPolicy: String? { profile.lockingPolicy }
    /// Whether the account is locked.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "isLocked")
    #endif
    public var lock: Bool { profile.isLocked }
    /// The account's mechanisms.
    ///
    /// The oldest mechanism is first. If the mechanisms are in an app's own storage, they are in the order of
    /// that storage instead.
    public var mechanisms: [Mechanism] { members.withValue { $0 } }
    /// The key under which the account is stored, `{issuer}-{accountName}`.
    ///
    /// Several accounts can have the same key.
    public var identifier: String { content.withValue(\.identifier) }

    /// Locks only this object; ``FRAClient/lockAccount(account:policy:)`` also checks the policy and stores
    /// the lock.
    /// - Parameter policy: The policy; only its name is used.
    public func lock(policy: any FRAPolicy) {
        setLock(by: policy.name)
    }

    /// Unlocks only this object.
    ///
    /// ``FRAClient/unlockAccount(account:)`` also checks that the account is locked, and stores the change.
    public func unlock() {
        setLock(by: nil)
    }

    func setLock(by policy: String?) {
        content.withValue { content in
            content.profile.lockingPolicy = policy
            content.profile.isLocked = policy != nil
        }
    }

    var profile: AccountProfile { content.withValue(\.profile) }
}

extension Account {
    /// Always `true`, because the class conforms to `NSSecureCoding`.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the archive in the legacy SDK's form.
    public func encode(with coder: NSCoder) {
        var fields = CoderFieldWriter(coder)
        content.withValue { $0 }.write(to: &fields)
    }

    /// Writes the same JSON as ``toJson()``.
    /// - Parameter encoder: The encoder.
    /// - Throws: The encoder's error, and `LegacyRecordError` if JSON cannot express one of the dates.
    public func encode(to encoder: any Encoder) throws {
        try content.withValue { $0 }.encodeLegacyJSON(to: encoder)
    }

    /// Returns the account as JSON text, with dates in milliseconds since 1970.
    /// - Returns: The text, or `nil` if JSON cannot express one of the dates.
    public func toJson() -> String? {
        LegacyRecord.account(content.withValue { $0 }).legacyText
    }
}

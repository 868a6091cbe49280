public import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform

/// An account with its mechanisms, as read at one moment.
///
/// Changes to the object are stored by ``FRAClient/updateAccount(account:)``. Safe to use from any thread.
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

    /// Reads the JSON that ``toJson()`` writes; an absent optional key and `null` have the same meaning.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` for text that is not JSON, `LegacyRecordError` for a required field that is missing or
    ///   invalid.
    public init(from decoder: any Decoder) throws {
        content = Lock(try LegacyAccount(legacyJSON: decoder))
        members = Lock([])
    }

    /// Reads an archive; `nil` if a required field is missing.
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
    // Optional as in the SDK, because call sites set these names to `nil`; reading them never returns `nil`.
    /// The issuer's name to show: the user's choice, otherwise ``issuer``.
    public var displayIssuer: String? {
        get { profile.customDisplayIssuer ?? issuer }
        set { content.withValue { $0.profile.customDisplayIssuer = newValue } }
    }
    /// The account's name to show: the user's choice, otherwise ``accountName``.
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
    /// The policy that locked the account.
    public var lockingPolicy: String? { profile.lockingPolicy }
    /// Whether the account is locked.
    #if MigrationFixIts
    @available(*, deprecated, renamed: "isLocked")
    #endif
    public var lock: Bool { profile.isLocked }
    /// The account's mechanisms, oldest first.
    public var mechanisms: [Mechanism] { members.withValue { $0 } }
    /// The key under which the account is stored, `{issuer}-{accountName}`; not unique.
    public var identifier: String { content.withValue(\.identifier) }

    /// Locks this object only; ``FRAClient/lockAccount(account:policy:)`` also checks the policy and stores the lock.
    /// - Parameter policy: The policy; only its name is used.
    public func lock(policy: any FRAPolicy) {
        setLock(by: policy.name)
    }

    /// Unlocks this object only; ``FRAClient/unlockAccount(account:)`` also checks and stores the change.
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
    /// `true`.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the archive of the legacy SDK.
    public func encode(with coder: NSCoder) {
        var fields = CoderFieldWriter(coder)
        content.withValue { $0 }.write(to: &fields)
    }

    /// Writes the JSON of ``toJson()``.
    /// - Parameter encoder: The encoder.
    /// - Throws: The encoder's error, and `LegacyRecordError` for a date that JSON cannot express.
    public func encode(to encoder: any Encoder) throws {
        try content.withValue { $0 }.encodeLegacyJSON(to: encoder)
    }

    /// Returns the account as JSON text, with dates in milliseconds since 1970.
    /// - Returns: The text; `nil` for a date that JSON cannot express.
    public func toJson() -> String? {
        LegacyRecord.account(content.withValue { $0 }).legacyText
    }
}

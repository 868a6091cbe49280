public import Foundation

/// The visible details of an account, and its policies and lock; shared by all credentials of the account.
///
/// It has its own record, to which credentials refer by its ``key``.
public struct AccountProfile: Equatable, Sendable {
    /// The organisation that issued the credential; may be empty.
    public let issuer: String
    /// The user's name at the issuer.
    public let accountName: String
    /// The issuer's name as the user renamed it, or `nil`.
    public var customDisplayIssuer: String?
    /// The account's name as the user renamed it, or `nil`.
    public var customDisplayAccountName: String?
    /// Where the issuer's logo is.
    public var imageURL: String?
    /// The background colour as the server spelled it, with or without `#`.
    public var backgroundColor: String?
    /// The policies the server attached, as JSON.
    public var policies: String?
    /// The policy that locked the account.
    public var lockingPolicy: String?
    /// Whether the account is locked.
    public var isLocked = false
    /// When the account was added; `nil` for one that is known only from a credential that came without it.
    public var addedAt: Date?

    /// Creates a profile with nothing but its identity.
    /// - Parameters:
    ///   - issuer: The issuer as it was registered.
    ///   - accountName: The account's name as it was registered.
    public init(issuer: String, accountName: String) {
        self.issuer = issuer
        self.accountName = accountName
    }

    package init(_ key: AccountKey) {
        self.init(issuer: key.issuer, accountName: key.accountName)
    }

    /// The ``lockingPolicy`` of an account whose legacy record could not be read in a migration: whether it was locked, and
    /// under which policies, is not known.
    ///
    /// Unlock it once you have checked the user in another way. A record that can be read later replaces it.
    public static let unreadableRecord = "unreadableAccountRecord"

    /// Whether the account is locked only because its record could not be read.
    package var isLockedAsUnreadable: Bool { isLocked && lockingPolicy == Self.unreadableRecord }

    /// Locks the account because its record cannot be read, unless it is locked.
    package mutating func lockAsUnreadable() {
        guard !isLocked else { return }
        (isLocked, lockingPolicy) = (true, Self.unreadableRecord)
    }

    /// Sets the names to show; names that equal the account's own do not count as the user's choice.
    package mutating func name(_ issuer: String?, _ accountName: String?) {
        customDisplayIssuer = issuer == self.issuer ? nil : issuer
        customDisplayAccountName = accountName == self.accountName ? nil : accountName
    }

    /// Takes over what another credential's copy of the account says beyond this one; a lock on either holds.
    package mutating func complete(from other: AccountProfile) {
        customDisplayIssuer = customDisplayIssuer ?? other.customDisplayIssuer
        customDisplayAccountName = customDisplayAccountName ?? other.customDisplayAccountName
        imageURL = imageURL ?? other.imageURL
        backgroundColor = backgroundColor ?? other.backgroundColor
        policies = policies ?? other.policies
        if other.isLocked, !isLocked { (isLocked, lockingPolicy) = (true, other.lockingPolicy) }
    }

    /// The lock and the policies.
    package var lock: AccountLock {
        get { AccountLock(policies: policies, lockingPolicy: lockingPolicy, isLocked: isLocked) }
        set {
            (policies, lockingPolicy, isLocked) = (
                newValue.policies, newValue.lockingPolicy, newValue.isLocked
            )
        }
    }

    /// Spells the colour as another profile does if it is the same: `#` before it makes no difference.
    package mutating func spellColor(as other: AccountProfile?) {
        if let other, bareColor == other.bareColor { backgroundColor = other.backgroundColor }
    }

    /// What joins the account to its credentials.
    public var key: AccountKey { AccountKey(issuer: issuer, accountName: accountName) }

    /// Whether the profile contains nothing but the key of the account.
    package var isBare: Bool { self == AccountProfile(key) }
}

/// The lock of an account or a credential, and the policies that decide about it.
package struct AccountLock: Codable, Equatable, Sendable {
    fileprivate let policies: String?
    fileprivate let lockingPolicy: String?
    fileprivate let isLocked: Bool

    /// Whether replacing `other` with this lock opens it or drops or changes its policies.
    func weakens(_ other: AccountLock) -> Bool {
        (other.isLocked && !isLocked) || (other.policies != nil && other.policies != policies)
    }

    /// The members of the form; names and numbers are stored, so neither ever changes.
    private enum CodingKeys: Int, CodingKey {
        case policies = 1
        case lockingPolicy, isLocked
    }
}

extension AccountProfile: StoredRecord {
    package static var recordKind: RecordKind { .account }
    package var recordIndex: RecordIndex {
        RecordIndex(id: key.recordID, date: addedAt ?? .distantPast)
    }

    /// The members of the record; names and numbers are stored, so neither ever changes.
    private enum CodingKeys: Int, CodingKey {
        case issuer = 1
        case accountName, customDisplayIssuer, customDisplayAccountName, imageURL, backgroundColor, policies
        case lockingPolicy, isLocked, addedAt
    }
}

/// The identity of an account.
///
/// Not a joined string: `A-B` + `C` is not `A` + `B-C`.
public struct AccountKey: Hashable, Sendable {
    /// The organisation that issued the credentials; may be empty.
    public let issuer: String
    /// The user's name at the issuer.
    public let accountName: String

    /// Creates a key.
    public init(issuer: String, accountName: String) {
        self.issuer = issuer
        self.accountName = accountName
    }

    /// The legacy key, `{issuer}-{accountName}`.
    ///
    /// Not unique, because nothing is escaped.
    public var legacyIdentifier: String { "\(issuer)-\(accountName)" }

    /// The id of the account's record: no two accounts have the same.
    ///
    /// Canonically equivalent names, which the legacy SDK takes for equal, have one id.
    package var recordID: String {
        let (issuer, accountName) = (issuer.composed, accountName.composed)
        return "\(issuer.utf8.count):\(issuer)\(accountName)"
    }

    /// Reads the id of an account's record.
    package init?(recordID: String) {
        let parts = recordID.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), let issuer = String(parts[1].utf8.prefix(count)),
            let accountName = String(parts[1].utf8.dropFirst(count))
        else { return nil }
        self.init(issuer: issuer, accountName: accountName)
    }
}

extension String {
    /// The string in Unicode's normalization form C.
    fileprivate var composed: String {
        utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping
    }
}

/// An account as the legacy SDK stores it: one that has a date.
package struct LegacyAccount: Equatable, Sendable {
    /// The account.
    package var profile: AccountProfile

    /// Creates an account.
    package init(profile: AccountProfile, timeAdded: Date) {
        self.profile = profile
        self.profile.addedAt = timeAdded
    }

    /// When the account was added.
    package var timeAdded: Date {
        get { profile.addedAt ?? .distantPast }
        set { profile.addedAt = newValue }
    }

    /// The legacy key, `{issuer}-{accountName}`.
    ///
    /// Not unique; join by ``AccountProfile/key`` instead.
    package var identifier: String { profile.key.legacyIdentifier }
}

/// A credential that belongs to an account; gives it the account's properties under the API's names.
public protocol AccountBound {
    /// The account the credential belongs to.
    var account: AccountProfile { get set }
    /// When the credential was enrolled.
    var createdAt: Date { get }
}

extension AccountBound {
    /// The organisation that issued the credential.
    public var issuer: String { account.issuer }
    /// The user's name at the issuer.
    public var accountName: String { account.accountName }
    /// The issuer's name to show: the user's own choice, else ``issuer``.
    public var displayIssuer: String {
        get { account.customDisplayIssuer ?? issuer }
        set { account.customDisplayIssuer = newValue }
    }
    /// The account's name to show: the user's own choice, else ``accountName``.
    public var displayAccountName: String {
        get { account.customDisplayAccountName ?? accountName }
        set { account.customDisplayAccountName = newValue }
    }
    /// Where the issuer's logo is.
    public var imageURL: String? {
        get { account.imageURL }
        set { account.imageURL = newValue }
    }
    /// The background colour as the server spelled it.
    public var backgroundColor: String? {
        get { account.backgroundColor }
        set { account.backgroundColor = newValue }
    }
    /// The policies the server attached, as JSON.
    public var policies: String? {
        get { account.policies }
        set { account.policies = newValue }
    }
    /// The policy that locked the credential.
    public var lockingPolicy: String? {
        get { account.lockingPolicy }
        set { account.lockingPolicy = newValue }
    }
    /// Whether the credential is locked.
    public var isLocked: Bool {
        get { account.isLocked }
        set { account.isLocked = newValue }
    }

    /// Locks the credential in the name of a policy; storing it is the caller's.
    public mutating func lockCredential(policyName: String) {
        account.lockingPolicy = policyName
        account.isLocked = true
    }

    /// Unlocks the credential; storing it is the caller's.
    public mutating func unlockCredential() {
        account.lockingPolicy = nil
        account.isLocked = false
    }

    /// Locks the credential; see ``lockCredential(policyName:)``.
    public mutating func lock(policy: String) { lockCredential(policyName: policy) }

    /// Unlocks the credential; see ``unlockCredential()``.
    public mutating func unlock() { unlockCredential() }

    /// The credential's account as the legacy SDK would store it.
    ///
    /// `nil` if the credential came from a mechanism without an account record.
    package var legacyAccount: LegacyAccount? {
        account.addedAt.map { LegacyAccount(profile: account, timeAdded: $0) }
    }
}

extension AccountBound where Self: Identifiable, ID == String {
    /// Which credential it is, and whether it is locked; never its secret.
    public var description: String {
        "\(Self.self)(id: \(id), issuer: \(issuer), accountName: \(accountName), isLocked: \(isLocked))"
    }

    /// A mirror of ``description``, so that `dump` shows nothing else.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["id": id, "issuer": issuer, "accountName": accountName, "isLocked": isLocked]
                as KeyValuePairs<String, Any>
        )
    }
}

/// The members that a credential of the successor SDK repeats of its account.
struct AccountMembers: Codable {
    private let issuer: String
    private let displayIssuer: String?
    private let accountName: String
    private let displayAccountName: String?
    private let imageURL: String?
    private let backgroundColor: String?
    private let policies: String?
    private let lockingPolicy: String?
    private let isLocked: Bool?

    init(_ account: AccountProfile) {
        issuer = account.issuer
        displayIssuer = account.customDisplayIssuer ?? account.issuer
        accountName = account.accountName
        displayAccountName = account.customDisplayAccountName ?? account.accountName
        imageURL = account.imageURL
        backgroundColor = account.backgroundColor
        policies = account.policies
        lockingPolicy = account.lockingPolicy
        isLocked = account.isLocked
    }

    /// The account; a name to show that equals the account's own was not chosen by the user.
    var account: AccountProfile {
        var account = AccountProfile(issuer: issuer, accountName: accountName)
        account.name(displayIssuer, displayAccountName)
        account.imageURL = imageURL
        account.backgroundColor = backgroundColor
        account.policies = policies
        account.lockingPolicy = lockingPolicy
        account.isLocked = isLocked ?? false
        return account
    }

    /// The members of the form; names and numbers are stored, so neither ever changes.
    ///
    /// Numbers 1 to 39 are those of the credential.
    private enum CodingKeys: Int, CodingKey {
        case issuer = 41
        case displayIssuer, accountName, displayAccountName, imageURL, backgroundColor, policies
        case lockingPolicy, isLocked
    }
}

public import Foundation

/// The displayed details of an account, with its policies and lock.
///
/// All credentials of the account share the profile, except that the app can give a credential a different lock or
/// different policies. The profile has its own record, to which credentials refer by the ``key``.
public struct AccountProfile: Equatable, Sendable {
    /// The organisation that issued the account's credentials; may be empty.
    public let issuer: String
    /// The user's name at the issuer.
    public let accountName: String
    /// The name that the user chose for the issuer; `nil` if the user chose none.
    public var customDisplayIssuer: String?
    /// The name that the user chose for the account; `nil` if the user chose none.
    public var customDisplayAccountName: String?
    /// The address of the issuer's logo.
    public var imageURL: String?
    /// The background colour as the server spelled it, with or without `#`.
    public var backgroundColor: String?
    /// The policies that the server attached, as JSON.
    public var policies: String?
    /// The name of the policy that locked the account, or ``unreadableRecord``; `nil` if neither applies.
    public var lockingPolicy: String?
    /// Whether the account is locked.
    public var isLocked = false
    /// The date when the account was added; `nil` if the date is unknown, for example because the account was read
    /// from a credential that does not contain the date.
    public var addedAt: Date?

    /// Creates a profile with only its identity.
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

    /// The ``lockingPolicy`` of an account whose legacy record could not be read in a migration.
    ///
    /// It is unknown whether the account was locked, and by which policy. Unlock the account after you have
    /// verified the user in another way. If the record can be read later, the record replaces this lock.
    public static let unreadableRecord = "unreadableAccountRecord"

    /// Whether the account is locked only because its record could not be read.
    package var isLockedAsUnreadable: Bool { isLocked && lockingPolicy == Self.unreadableRecord }

    /// Locks the account because its record cannot be read, unless the account is locked already.
    package mutating func lockAsUnreadable() {
        guard !isLocked else { return }
        (isLocked, lockingPolicy) = (true, Self.unreadableRecord)
    }

    /// Sets the displayed names; a name that equals the account's own name does not count as changed by the
    /// user.
    package mutating func name(_ issuer: String?, _ accountName: String?) {
        customDisplayIssuer = issuer == self.issuer ? nil : issuer
        customDisplayAccountName = accountName == self.accountName ? nil : accountName
    }

    /// Fills in the displayed details and policies that this account lacks, from another record of the account.
    ///
    /// If the other record is locked and this account is not, the lock is copied too.
    package mutating func complete(from other: AccountProfile) {
        customDisplayIssuer = customDisplayIssuer ?? other.customDisplayIssuer
        customDisplayAccountName = customDisplayAccountName ?? other.customDisplayAccountName
        imageURL = imageURL ?? other.imageURL
        backgroundColor = backgroundColor ?? other.backgroundColor
        policies = policies ?? other.policies
        if other.isLocked, !isLocked { (isLocked, lockingPolicy) = (true, other.lockingPolicy) }
    }

    /// The account's lock and policies.
    package var lock: AccountLock {
        get { AccountLock(policies: policies, lockingPolicy: lockingPolicy, isLocked: isLocked) }
        set {
            (policies, lockingPolicy, isLocked) = (
                newValue.policies, newValue.lockingPolicy, newValue.isLocked
            )
        }
    }

    /// Copies the spelling (with or without `#`) of another profile's colour, if both profiles have the same
    /// colour.
    package mutating func keepColorSpelling(of other: AccountProfile?) {
        if let other, bareColor == other.bareColor { backgroundColor = other.backgroundColor }
    }

    /// The key by which credentials refer to the account.
    public var key: AccountKey { AccountKey(issuer: issuer, accountName: accountName) }

    /// Whether the profile contains only the account's key.
    package var isBare: Bool { self == AccountProfile(key) }
}

/// The lock and the policies of an account or a credential.
package struct AccountLock: Codable, Equatable, Sendable {
    fileprivate let policies: String?
    fileprivate let lockingPolicy: String?
    fileprivate let isLocked: Bool

    /// Returns whether replacing `other` with this value ends a lock, or removes or changes policies.
    func weakens(_ other: AccountLock) -> Bool {
        (other.isLocked && !isLocked) || (other.policies != nil && other.policies != policies)
    }

    /// The members of the stored form; names and numbers must not change.
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

    /// The members of the record; names and numbers must not change.
    private enum CodingKeys: Int, CodingKey {
        case issuer = 1
        case accountName, customDisplayIssuer, customDisplayAccountName, imageURL, backgroundColor, policies
        case lockingPolicy, isLocked, addedAt
    }
}

/// The identity of an account.
///
/// The key is a pair, not a joined string, because the account `C` of the issuer `A-B` is not the account
/// `B-C` of the issuer `A`.
public struct AccountKey: Hashable, Sendable {
    /// The organisation that issued the credentials; may be empty.
    public let issuer: String
    /// The user's name at the issuer.
    public let accountName: String

    /// Creates a key; the names are neither validated nor normalised.
    public init(issuer: String, accountName: String) {
        self.issuer = issuer
        self.accountName = accountName
    }

    /// The legacy key, `{issuer}-{accountName}`.
    ///
    /// The legacy key is not unique, because a `-` in the names is not escaped.
    public var legacyIdentifier: String { "\(issuer)-\(accountName)" }

    /// The id of the account's record, unique for each account.
    ///
    /// Canonically equivalent names, which the legacy SDK treats as equal, have the same id.
    package var recordID: String {
        let (issuer, accountName) = (issuer.composed, accountName.composed)
        return "\(issuer.utf8.count):\(issuer)\(accountName)"
    }

    /// Parses the id of an account's record; `nil` for any other text.
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

/// An account as the legacy SDK stores it: always with the date when it was added.
package struct LegacyAccount: Equatable, Sendable {
    /// The account.
    package var profile: AccountProfile

    /// Creates an account; `timeAdded` replaces the date of `profile`.
    package init(profile: AccountProfile, timeAdded: Date) {
        self.profile = profile
        self.profile.addedAt = timeAdded
    }

    /// The date when the account was added.
    package var timeAdded: Date {
        get { profile.addedAt ?? .distantPast }
        set { profile.addedAt = newValue }
    }

    /// The legacy key, `{issuer}-{accountName}`.
    ///
    /// The legacy key is not unique, but ``AccountProfile/key`` is unique.
    package var identifier: String { profile.key.legacyIdentifier }
}

/// A credential that belongs to an account.
///
/// The protocol gives the credential its account's properties, under the names that the API uses.
public protocol AccountBound {
    /// The account of the credential.
    var account: AccountProfile { get set }
    /// The date when the credential was enrolled.
    var createdAt: Date { get }
}

extension AccountBound {
    /// The organisation that issued the credential.
    public var issuer: String { account.issuer }
    /// The user's name at the issuer.
    public var accountName: String { account.accountName }
    /// The displayed name of the issuer: the name that the user chose or, if there is none, ``issuer``.
    public var displayIssuer: String {
        get { account.customDisplayIssuer ?? issuer }
        set { account.customDisplayIssuer = newValue }
    }
    /// The displayed name of the account: the name that the user chose or, if there is none, ``accountName``.
    public var displayAccountName: String {
        get { account.customDisplayAccountName ?? accountName }
        set { account.customDisplayAccountName = newValue }
    }
    /// The address of the issuer's logo.
    public var imageURL: String? {
        get { account.imageURL }
        set { account.imageURL = newValue }
    }
    /// The background colour as the server spelled it.
    public var backgroundColor: String? {
        get { account.backgroundColor }
        set { account.backgroundColor = newValue }
    }
    /// The policies that the server attached, as JSON.
    public var policies: String? {
        get { account.policies }
        set { account.policies = newValue }
    }
    /// The name of the policy that locked the credential, or ``AccountProfile/unreadableRecord``; `nil` if neither
    /// applies.
    public var lockingPolicy: String? {
        get { account.lockingPolicy }
        set { account.lockingPolicy = newValue }
    }
    /// Whether the credential is locked.
    public var isLocked: Bool {
        get { account.isLocked }
        set { account.isLocked = newValue }
    }

    /// Locks the credential because of a policy; the caller has to store the credential.
    public mutating func lockCredential(policyName: String) {
        account.lockingPolicy = policyName
        account.isLocked = true
    }

    /// Unlocks the credential; the caller has to store the credential.
    public mutating func unlockCredential() {
        account.lockingPolicy = nil
        account.isLocked = false
    }

    /// Locks the credential; see ``lockCredential(policyName:)``.
    public mutating func lock(policy: String) { lockCredential(policyName: policy) }

    /// Unlocks the credential; see ``unlockCredential()``.
    public mutating func unlock() { unlockCredential() }

    /// The credential's account as the legacy SDK stores it.
    ///
    /// `nil` if the account's date is unknown, for example after the conversion of a mechanism without an account
    /// record.
    package var legacyAccount: LegacyAccount? {
        account.addedAt.map { LegacyAccount(profile: account, timeAdded: $0) }
    }
}

extension AccountBound where Self: Identifiable, ID == String {
    /// The credential's id, account and lock, but not its secret.
    public var description: String {
        "\(Self.self)(id: \(id), issuer: \(issuer), accountName: \(accountName), isLocked: \(isLocked))"
    }

    /// A mirror of the values in ``description``, so that `dump` shows only these values.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["id": id, "issuer": issuer, "accountName": accountName, "isLocked": isLocked]
                as KeyValuePairs<String, Any>
        )
    }
}

/// The members in which a credential of the successor SDK stores the details of its account.
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

    /// The account; a displayed name that equals the account's own name counts as unchanged.
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

    /// The members of the stored form; names and numbers must not change.
    ///
    /// Numbers 1 to 39 belong to the credential.
    private enum CodingKeys: Int, CodingKey {
        case issuer = 41
        case displayIssuer, accountName, displayAccountName, imageURL, backgroundColor, policies
        case lockingPolicy, isLocked
    }
}

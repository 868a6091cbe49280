import Foundation
import PushBridgeCore

/// An account as the legacy SDK's `toJson()` writes it.
struct AccountJSON: Codable {
    @Nullable var id: String?
    let issuer: String
    @Nullable var displayIssuer: String?
    let accountName: String
    @Nullable var displayAccountName: String?
    @Nullable var imageURL: String?
    @Nullable var backgroundColor: String?
    @Nullable var timeAdded: JSONDate?
    @Nullable var policies: String?
    @Nullable var lockingPolicy: String?
    @Nullable var lock: Bool?

    init(_ account: LegacyAccount) {
        let profile = account.profile
        id = account.identifier
        issuer = profile.issuer
        displayIssuer = profile.customDisplayIssuer
        accountName = profile.accountName
        displayAccountName = profile.customDisplayAccountName
        imageURL = profile.imageURL
        backgroundColor = profile.backgroundColor
        timeAdded = JSONDate(account.timeAdded)
        policies = profile.policies
        lockingPolicy = profile.lockingPolicy
        lock = profile.isLocked
    }

    /// The account; `timeAdded` is required unless there is a `fallback`.
    func account(addedAt fallback: Date? = nil) throws(LegacyRecordError) -> LegacyAccount {
        guard let date = timeAdded?.date ?? fallback else { throw .missing("timeAdded") }
        return LegacyAccount(profile: profile, timeAdded: date)
    }

    private var profile: AccountProfile {
        var profile = AccountProfile(issuer: issuer, accountName: accountName)
        profile.customDisplayIssuer = displayIssuer
        profile.customDisplayAccountName = displayAccountName
        profile.imageURL = imageURL
        profile.backgroundColor = backgroundColor
        profile.policies = policies
        profile.lockingPolicy = lockingPolicy
        profile.isLocked = lock ?? false
        return profile
    }
}

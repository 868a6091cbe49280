import PushBridgeCore

/// What every credential of the new SDK has, the account it repeats included.
struct NewCredentialJSON: Decodable {
    let id: String
    let issuer: String
    let accountName: String
    let createdAt: ISODate
    @Nullable var userId: String?
    @Nullable var resourceId: String?
    @Nullable var displayIssuer: String?
    @Nullable var displayAccountName: String?
    @Nullable var imageURL: String?
    @Nullable var backgroundColor: String?
    @Nullable var policies: String?
    @Nullable var lockingPolicy: String?
    @Nullable var isLocked: Bool?

    /// The mechanism that the credential is.
    func mechanism(_ factor: LegacyFactor, secret: JSONSecret) throws(LegacyRecordError) -> LegacyMechanism {
        guard !id.isEmpty else { throw .empty("id") }
        guard let secret = SharedSecret(utf8: secret.text) else { throw .empty("sharedSecret") }
        var mechanism = LegacyMechanism(
            mechanismUUID: id,
            account: AccountKey(issuer: issuer, accountName: accountName),
            secret: secret,
            timeAdded: createdAt.date,
            factor: factor
        )
        mechanism.uid = userId
        mechanism.resourceId = resourceId
        try mechanism.requireSecretApart()
        return mechanism
    }

    /// The account that the credential repeats.
    ///
    /// The new SDK fills in the display names; one that says nothing new was not chosen by anybody.
    var account: LegacyAccount {
        var profile = AccountProfile(issuer: issuer, accountName: accountName)
        profile.customDisplayIssuer = displayIssuer == issuer ? nil : displayIssuer
        profile.customDisplayAccountName = displayAccountName == accountName ? nil : displayAccountName
        profile.imageURL = imageURL
        profile.backgroundColor = backgroundColor
        profile.policies = policies
        profile.lockingPolicy = lockingPolicy
        profile.isLocked = isLocked ?? false
        return LegacyAccount(profile: profile, timeAdded: createdAt.date)
    }
}

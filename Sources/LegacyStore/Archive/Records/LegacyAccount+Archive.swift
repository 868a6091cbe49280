import PushBridgeCore

extension LegacyAccount {
    /// Reads an archived account.
    init(_ object: ArchivedObject) throws(LegacyRecordError) {
        var profile = AccountProfile(
            issuer: try object.text(.issuer),
            accountName: try object.text(.accountName)
        )
        profile.customDisplayIssuer = try object.optionalText(.displayIssuer)
        profile.customDisplayAccountName = try object.optionalText(.displayAccountName)
        profile.imageURL = try object.optionalText(.imageURL)
        profile.backgroundColor = try object.optionalText(.backgroundColor)
        profile.policies = try object.optionalText(.policies)
        profile.lockingPolicy = try object.optionalText(.lockingPolicy)
        profile.isLocked = try object.flag(.lock)
        self.init(profile: profile, timeAdded: try object.date(.timeAdded))
    }

    /// The account as the fields of an archive.
    var archiveFields: KeyedArchiveBuilder {
        var archive = KeyedArchiveBuilder()
        archive.add(profile.issuer, for: .issuer)
        archive.add(profile.accountName, for: .accountName)
        archive.add(profile.customDisplayIssuer, for: .displayIssuer)
        archive.add(profile.customDisplayAccountName, for: .displayAccountName)
        archive.add(profile.imageURL, for: .imageURL)
        archive.add(profile.backgroundColor, for: .backgroundColor)
        archive.add(profile.policies, for: .policies)
        archive.add(profile.lockingPolicy, for: .lockingPolicy)
        archive.add(profile.isLocked, for: .lock)
        archive.add(timeAdded, for: .timeAdded)
        return archive
    }
}

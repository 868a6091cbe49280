import Foundation
import LegacyStore
import PushBridgeCore

extension LegacyAccount {
    /// Reads an archived account; `nil` if a field it cannot do without is not there.
    init?(_ archive: ArchiveReader) {
        guard
            let issuer = archive.text(.issuer),
            let accountName = archive.text(.accountName),
            let timeAdded = archive.date(.timeAdded)
        else { return nil }
        var profile = AccountProfile(issuer: issuer, accountName: accountName)
        profile.customDisplayIssuer = archive.text(.displayIssuer)
        profile.customDisplayAccountName = archive.text(.displayAccountName)
        profile.imageURL = archive.text(.imageURL)
        profile.backgroundColor = archive.text(.backgroundColor)
        profile.policies = archive.text(.policies)
        profile.lockingPolicy = archive.text(.lockingPolicy)
        profile.isLocked = archive.flag(.lock)
        self.init(profile: profile, timeAdded: timeAdded)
    }

    func write(to archive: ArchiveWriter) {
        archive.write(profile.issuer, for: .issuer)
        archive.write(profile.customDisplayIssuer, for: .displayIssuer)
        archive.write(profile.accountName, for: .accountName)
        archive.write(profile.customDisplayAccountName, for: .displayAccountName)
        archive.write(profile.imageURL, for: .imageURL)
        archive.write(profile.backgroundColor, for: .backgroundColor)
        archive.write(timeAdded, for: .timeAdded)
        archive.write(profile.policies, for: .policies)
        archive.write(profile.lockingPolicy, for: .lockingPolicy)
        archive.write(profile.isLocked, for: .lock)
    }
}

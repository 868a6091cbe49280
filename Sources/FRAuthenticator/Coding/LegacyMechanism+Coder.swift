import Foundation
import LegacyStore
import PushBridgeCore

extension LegacyMechanism {
    /// Reads an archived mechanism of a kind; `nil` if a field it cannot do without is not there.
    init?(_ archive: ArchiveReader, kind: LegacyRecordKind) {
        guard
            let uuid = archive.text(.mechanismUUID), !uuid.isEmpty,
            let issuer = archive.text(.issuer),
            let accountName = archive.text(.accountName),
            let secret = archive.secret(.secret),
            let timeAdded = archive.date(.timeAdded),
            archive.text(.type) ?? kind.rawValue == kind.rawValue,
            let factor = LegacyFactor(archive, kind: kind)
        else { return nil }
        self.init(
            mechanismUUID: uuid,
            account: AccountKey(issuer: issuer, accountName: accountName),
            secret: secret,
            timeAdded: timeAdded,
            factor: factor
        )
        version = archive.integer(.version)
        uid = archive.text(.uid)
        resourceId = archive.text(.resourceId)
    }

    func write(to archive: ArchiveWriter) {
        archive.write(mechanismUUID, for: .mechanismUUID)
        archive.write(kind.rawValue, for: .type)
        archive.write(version, for: .version)
        archive.write(secret, for: .secret)
        archive.write(account.issuer, for: .issuer)
        archive.write(account.accountName, for: .accountName)
        archive.write(uid, for: .uid)
        archive.write(resourceId, for: .resourceId)
        archive.write(timeAdded, for: .timeAdded)
        factor.write(to: archive)
    }
}

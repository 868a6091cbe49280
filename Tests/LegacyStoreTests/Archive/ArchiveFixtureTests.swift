import Foundation
import PushBridgeCore
import Testing

@testable import LegacyStore

/// Archives that the legacy SDK's own classes wrote.
struct ArchiveFixtureTests {
    @Test(arguments: ["everyday", "edges"])
    func everyRecordEqualsWhatTheLegacySDKReads(_ store: String) throws {
        let expected = try ExpectedRecord.all(for: store)
        let fixtures = try ArchiveFixture.all(in: store).filter { $0.service != .deviceToken }
        #expect(fixtures.count == expected.count)
        for fixture in fixtures {
            let record = try LegacyRecord(archive: fixture.archive, service: fixture.service)
            let match = try #require(expected.first { $0.key == fixture.key && $0.kind == record.kind })
            #expect(try record == match.record())
        }
    }

    @Test func theDeviceTokenIsRead() throws {
        let fixture = try #require(
            try ArchiveFixture.all(in: "everyday").first { $0.service == .deviceToken }
        )
        let token = PushDeviceToken(
            tokenId: "F79BB71BBD93D14094E7CF9AFD4612A707C6EDC50D841AE7C709662546504EA7",
            createdAt: Date(timeIntervalSince1970: 1_700_005_000)
        )
        #expect(try LegacyRecord(archive: fixture.archive, service: fixture.service) == .deviceToken(token))
    }

    @Test(arguments: ArchiveFixture.soundStores)
    func aRecordIsUnchangedAfterItIsWrittenAndRead(_ store: String) throws {
        for fixture in try ArchiveFixture.all(in: store) {
            let record = try LegacyRecord(archive: fixture.archive, service: fixture.service)
            #expect(try LegacyRecord(archive: record.archive, service: fixture.service) == record)
        }
    }

    @Test(arguments: ArchiveFixture.soundStores)
    func eachRecordIsStoredUnderItsIdentifier(_ store: String) throws {
        for fixture in try ArchiveFixture.all(in: store) {
            let record = try LegacyRecord(archive: fixture.archive, service: fixture.service)
            #expect(record.identifier == fixture.key)
        }
    }

    @Test(arguments: ["2.0", "3.1", "3.3", "4.0"])
    func olderArchivesLackOnlyLaterFields(_ version: String) throws {
        for old in try ArchiveFixture.all(in: "everyday-sdk-\(version)") {
            let fixtures = try ArchiveFixture.all(in: "everyday")
            let new = try #require(fixtures.first { $0.key == old.key && $0.service == old.service })
            let record = try LegacyRecord(archive: new.archive, service: new.service)
            let older = try LegacyRecord(archive: old.archive, service: old.service)
            #expect(older == record.asKnown(to: version))
        }
    }

    @Test func damagedRecordsAreDistinguishedFromSoundOnes() throws {
        let notes = try JSONDecoder().decode(
            [DamageNote].self,
            from: ArchiveFixture.file("damaged.notes.json")
        )
        for fixture in try ArchiveFixture.all(in: "damaged") {
            let note = try #require(
                notes.first { $0.svce == fixture.service.rawValue && $0.acct == fixture.key }
            )
            let result = Result { try LegacyRecord(archive: fixture.archive, service: fixture.service) }
            switch note.damage {
            case "bitflip": continue
            // This damage removes the secret. A notification has no secret, so its archive stays intact.
            case "nosecret" where fixture.service == .notification: fallthrough
            case "ok": #expect(throws: Never.self) { try result.get() }
            default:
                let error = #expect(throws: LegacyRecordError.self) { try result.get() }
                #expect(error?.code == .damaged)
            }
        }
    }

    private struct DamageNote: Decodable {
        let svce, acct, damage: String
    }
}

extension LegacyRecord {
    /// Returns the record without the fields that an older SDK did not write.
    fileprivate func asKnown(to version: String) -> LegacyRecord {
        switch self {
        case .account(var account):
            if version < "3.1" {
                account.profile.customDisplayIssuer = nil
                account.profile.customDisplayAccountName = nil
            }
            if version < "4.0" {
                account.profile.policies = nil
                account.profile.lockingPolicy = nil
                account.profile.isLocked = false
            }
            return .account(account)
        case .mechanism(var mechanism):
            mechanism.uid = nil
            mechanism.resourceId = nil
            return .mechanism(mechanism)
        case .notification(var notification):
            if version < "3.3" {
                notification.customPayload = nil
                notification.messageText = nil
                notification.legacyPushType = nil
                notification.numbersChallenge = nil
                notification.contextInfo = nil
            }
            return .notification(notification)
        case .deviceToken: return self
        }
    }
}

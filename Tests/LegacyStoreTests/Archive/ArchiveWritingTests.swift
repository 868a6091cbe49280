import Foundation
import PushBridgeCore
import Testing

@testable import LegacyStore

/// The archives that PushBridge writes, as PushBridge and Foundation read them.
struct ArchiveWritingTests {
    @Test func aRandomRecordIsUnchangedAfterItIsWrittenAndRead() throws {
        var records = RandomRecord(seed: 1)
        for _ in 0..<2_000 {
            let record = records.next()
            #expect(try LegacyRecord(archive: record.archive, service: record.service) == record)
        }
    }

    /// Compares, field by field, what Foundation reads from the legacy SDK's archive and from PushBridge's
    /// archive.
    @Test(arguments: ["everyday", "edges"])
    func foundationReadsOurArchivesAsItReadsTheSDKs(_ store: String) throws {
        for fixture in try ArchiveFixture.all(in: store) {
            let record = try LegacyRecord(archive: fixture.archive, service: fixture.service)
            let name = record.className
            let theirs = try #require(try LegacyClassStandIn.decode(fixture.archive, as: name))
            let ours = try #require(try LegacyClassStandIn.decode(record.archive, as: name))
            #expect(ours.texts == theirs.texts)
            #expect(ours.integers == theirs.integers)
            #expect(ours.numbers == theirs.numbers)
            #expect(ours.flags == theirs.flags)
            #expect(ours.present == theirs.present)
        }
    }

    /// The archive of a push mechanism contains the fields without which the SDK cannot decode it.
    @Test func archivesContainTheFieldsThatTheSDKRequires() throws {
        let record = try HandmadeArchive.push.record(in: .mechanism)
        let decoded = try #require(try LegacyClassStandIn.decode(record.archive, as: record.className))
        for field in ["messageId", "challenge"] { #expect(decoded.texts[field] == "") }
        for field in ["mechanismUUID", "secret", "issuer", "accountName", "authEndpoint", "regEndpoint"] {
            #expect(decoded.texts[field]?.isEmpty == false)
        }
        // The handmade archive has no version. PushBridge writes version 1, as in all archives of the legacy SDK.
        #expect(decoded.integers["version"] == 1)
        let again = try LegacyRecord(archive: record.archive, service: .mechanism)
        #expect(try LegacyRecord(archive: again.archive, service: .mechanism) == again)
        #expect(again.archive == record.archive)
    }

    @Test func classesAreDescribedAsTheSDKDescribesThem() throws {
        for fixture in try ArchiveFixture.all(in: "everyday") {
            let record = try LegacyRecord(archive: fixture.archive, service: fixture.service)
            #expect(try classDescription(in: record.archive) == classDescription(in: fixture.archive))
        }
    }

    private func classDescription(in archive: Data) throws -> NSDictionary? {
        let list = try PropertyListSerialization.propertyList(from: archive, format: nil) as? NSDictionary
        let objects = list?["$objects"] as? NSArray
        return objects?.compactMap { $0 as? NSDictionary }.first { $0["$classname"] != nil }
    }
}

extension LegacyRecord {
    /// The service whose items contain records of this kind.
    var service: LegacyService {
        switch self {
        case .account: .account
        case .mechanism: .mechanism
        case .notification: .notification
        case .deviceToken: .deviceToken
        }
    }

    /// The legacy class of the record.
    var className: String {
        switch kind {
        case .account: "FRAuthenticator.Account"
        case .push: "FRAuthenticator.PushMechanism"
        case .totp: "FRAuthenticator.TOTPMechanism"
        case .hotp: "FRAuthenticator.HOTPMechanism"
        case .notification: "FRAuthenticator.PushNotification"
        case .deviceToken: "FRAuthenticator.PushDeviceToken"
        case .unknown: ""
        }
    }
}

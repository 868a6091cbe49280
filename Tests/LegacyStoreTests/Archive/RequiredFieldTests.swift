import PushBridgeCore
import Testing

@testable import LegacyStore

/// The fields without which a record is damaged.
struct RequiredFieldTests {
    @Test func everyFieldOfTheSmallestArchivesIsRequired() throws {
        let optional: Set = ["algorithm", "type"]
        for (archive, service) in HandmadeArchive.all {
            #expect(throws: Never.self) { try archive.record(in: service) }
            for field in archive.fields.keys where !optional.contains(field) {
                let expected = LegacyRecordError(
                    .damaged,
                    reason: "The field \(field) is missing or empty."
                )
                #expect(throws: expected) { try archive.with(field, nil).record(in: service) }
                #expect(throws: expected) { try archive.with(field, .uid(0)).record(in: service) }
            }
        }
    }

    @Test(arguments: ["mechanismUUID", "secret"])
    func aMechanismWithAnEmptyIdOrSecretIsDamaged(_ field: String) {
        for archive in [HandmadeArchive.totp, .hotp, .push] {
            #expect(throws: LegacyRecordError.damaged("The field \(field) is missing or empty.")) {
                try archive.with(field, .string("")).record(in: .mechanism)
            }
        }
    }

    @Test func anEmptyDeviceTokenIsDamaged() {
        #expect(throws: LegacyRecordError.damaged("The field tokenId is missing or empty.")) {
            try HandmadeArchive.deviceToken.with("tokenId", .string("")).record(in: .deviceToken)
        }
    }

    @Test func anAccountMayHaveAnEmptyIssuer() throws {
        let record = try HandmadeArchive.account.with("issuer", .string("")).record(in: .account)
        #expect(record.identifier == "-A")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func aDateThatIsNotFiniteIsDamaged(_ date: Double) {
        for (archive, service) in HandmadeArchive.all {
            #expect(throws: LegacyRecordError.damaged("The field timeAdded holds a value of the wrong type."))
            {
                try archive.with("timeAdded", .real(date)).record(in: service)
            }
        }
    }

    @Test(arguments: ["mechanismUUID", "uid", "resourceId"])
    func anIdentifierThatEqualsTheSecretIsDamaged(_ field: String) {
        for archive in [HandmadeArchive.totp, .hotp, .push] {
            #expect(throws: LegacyRecordError.damaged("An identifier in the record equals the secret.")) {
                try archive.with(field, .string("S")).record(in: .mechanism)
            }
        }
    }

    @Test func anAbsentAlgorithmIsSHA1() throws {
        let named = HandmadeArchive.totp.with("algorithm", .string("sha1"))
        let unnamed = HandmadeArchive.totp.with("algorithm", nil)
        #expect(try unnamed.record(in: .mechanism) == named.record(in: .mechanism))
    }

    @Test(arguments: ["push", "hotp", "", "other"])
    func aMechanismWhoseTypeDiffersFromItsClassIsDamaged(_ type: String) {
        #expect(
            throws: LegacyRecordError.damaged(
                "The class and the field “type” state different kinds of mechanism."
            )
        ) {
            try HandmadeArchive.totp.with("type", .string(type)).record(in: .mechanism)
        }
    }

    @Test func theTypeOfAMechanismMayBeAbsent() throws {
        let archive = HandmadeArchive.push
        #expect(try archive.with("type", nil).record(in: .mechanism) == archive.record(in: .mechanism))
    }

    @Test func absentFlagsAreFalse() throws {
        let archive = HandmadeArchive.notification
        let explicit = archive.with("pending", .bool(false)).with("approved", .bool(false))
        #expect(try archive.record(in: .notification) == explicit.record(in: .notification))
    }
}

import PushBridgeCore
import Testing

@testable import LegacyStore

/// The types that are accepted for a stored field, and the types that are rejected.
struct FieldToleranceTests {
    @Test func textsMayBeSeparateObjects() throws {
        let expected = try HandmadeArchive.totp.record(in: .mechanism)
        for field in ["issuer", "secret", "mechanismUUID", "algorithm"] {
            let archive = HandmadeArchive.totp
            let text = try #require(archive.fields[field])
            #expect(try archive.with(field, object: text).record(in: .mechanism) == expected)
            let mutable = PropertyListValue.dictionary([("$class", .uid(2)), ("NS.string", text)])
            #expect(try archive.with(field, object: mutable).record(in: .mechanism) == expected)
        }
    }

    @Test func numbersMayBeSeparateObjects() throws {
        let expected = try HandmadeArchive.totp.record(in: .mechanism)
        for field in ["digits", "period", "timeAdded"] {
            let archive = HandmadeArchive.totp
            let number = try #require(archive.fields[field])
            #expect(try archive.with(field, object: number).record(in: .mechanism) == expected)
        }
    }

    @Test func integersAndRealsAreInterchangeableIfTheyAreExact() throws {
        let expected = try HandmadeArchive.totp.record(in: .mechanism)
        let archive = HandmadeArchive.totp.with("digits", .real(6)).with("timeAdded", .integer(1_700_000_000))
        #expect(try archive.record(in: .mechanism) == expected)
    }

    @Test func flagsMayBeNumbers() throws {
        let flags = HandmadeArchive.notification.with("pending", .bool(true)).with("approved", .bool(false))
        let numbers = HandmadeArchive.notification.with("pending", .integer(1)).with("approved", .integer(0))
        #expect(try flags.record(in: .notification) == numbers.record(in: .notification))
    }

    @Test func anOptionalTextThatIsNullDiffersFromAnEmptyText() throws {
        let absent = HandmadeArchive.push.with("loadBalancer", .uid(0))
        let empty = HandmadeArchive.push.with("loadBalancer", .string(""))
        #expect(try absent.record(in: .mechanism) == HandmadeArchive.push.record(in: .mechanism))
        #expect(try empty.record(in: .mechanism) != HandmadeArchive.push.record(in: .mechanism))
    }

    @Test(
        arguments: [
            ("issuer", .integer(5)), ("secret", .bool(true)), ("digits", .string("6")),
            ("digits", .real(6.5)),
            ("digits", .bool(true)), ("period", .real(1e300)), ("timeAdded", .string("now")),
            ("timeAdded", .integer(.max)), ("uid", .array([])), ("resourceId", .dictionary([])),
        ] as [(String, PropertyListValue)]
    )
    func valuesOfTheWrongTypeAreRefused(_ field: String, _ value: PropertyListValue) {
        let expected = LegacyRecordError.damaged("The field \(field) holds a value of the wrong type.")
        #expect(throws: expected) { try HandmadeArchive.totp.with(field, value).record(in: .mechanism) }
        #expect(throws: expected) {
            try HandmadeArchive.totp.with(field, object: value).record(in: .mechanism)
        }
    }

    @Test(arguments: ["issuer", "secret", "period", "uid", "timeAdded"], [4, 9999, Int.max])
    func fieldsThatReferToAMissingObjectAreRefused(_ field: String, _ number: Int) {
        let expected = LegacyRecordError.damaged("The field \(field) refers to a missing object.")
        #expect(throws: expected) {
            try HandmadeArchive.totp.with(field, .uid(number)).record(in: .mechanism)
        }
    }

    @Test func referencesToReferencesAreRefused() {
        #expect(throws: LegacyRecordError.damaged("The field uid holds a value of the wrong type.")) {
            try HandmadeArchive.totp.with("uid", object: .uid(0)).record(in: .mechanism)
        }
    }
}

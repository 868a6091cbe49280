import Foundation
import PushBridgeCore
import Testing

@testable import LegacyStore

/// Invalid archives, and the reasons with which they are reported as damaged.
struct HostileArchiveTests {
    @Test func anEmptyRecordIsDamaged() {
        #expect(throws: LegacyRecordError.damaged("The record is empty.")) {
            try LegacyRecord(archive: Data(), service: .account)
        }
    }

    @Test(arguments: [
        ("bplist0", "The trailer of the property list is invalid."),
        ("not one", "The bytes are not a binary property list."),
        (
            "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>",
            "The bytes are not a binary property list."
        ),
    ])
    func bytesThatAreNotAPropertyListAreDamaged(_ text: String, _ reason: String) {
        #expect(throws: LegacyRecordError.damaged(reason)) {
            try LegacyRecord(archive: Data(text.utf8), service: .account)
        }
    }

    @Test func propertyListsThatAreNotArchivesAreDamaged() {
        let root = HandmadeArchive.account
        var archives = [root, root, root, root, root]
        archives[0].archiver = .string("NSOtherArchiver")
        archives[1].version = .integer(100_001)
        archives[2].top = nil
        archives[3].top = .dictionary([])
        archives[4].top = .dictionary([("root", .integer(1))])
        for archive in archives {
            #expect(throws: LegacyRecordError.damaged("The property list is not a keyed archive.")) {
                try archive.record(in: .account)
            }
        }
    }

    @Test(arguments: [0, 3] as [Int])
    func archivesWhoseRootIsNotAnObjectAreDamaged(_ number: Int) {
        var archive = HandmadeArchive.account
        archive.top = .dictionary([("root", .uid(number))])
        archive.objects = [.string("text")]
        #expect(throws: LegacyRecordError.damaged("The archive contains no object with a class.")) {
            try archive.record(in: .account)
        }
    }

    @Test func archivesWithoutARootAreDamaged() {
        var archive = HandmadeArchive.account
        archive.top = .dictionary([("root", .uid(9999))])
        #expect(throws: LegacyRecordError.damaged("A reference in the property list points to no object.")) {
            try archive.record(in: .account)
        }
    }

    @Test(arguments: [.uid(1), .integer(1), .array([])] as [PropertyListValue])
    func archivesWhoseClassHasNoNameAreDamaged(_ name: PropertyListValue) {
        var archive = HandmadeArchive.account
        archive.className = name
        #expect(throws: LegacyRecordError.damaged("The archive contains no object with a class.")) {
            try archive.record(in: .account)
        }
    }

    @Test func anObjectThatIsItsOwnClassIsDamaged() {
        var archive = HandmadeArchive.account
        archive.classID = .uid(1)
        #expect(throws: LegacyRecordError.damaged("The archive contains no object with a class.")) {
            try archive.record(in: .account)
        }
    }

    @Test func aStringObjectThatContainsItselfIsDamaged() {
        let itself = PropertyListValue.dictionary([("NS.string", .uid(HandmadeArchive.firstObject))])
        #expect(throws: LegacyRecordError.damaged("The field issuer holds a value of the wrong type.")) {
            try HandmadeArchive.account.with("issuer", object: itself).record(in: .account)
        }
    }

    @Test func aDeeplyNestedFieldIsDamaged() {
        let deep = (0..<2_000).reduce(PropertyListValue.string("I")) { inner, _ in .array([inner]) }
        #expect(throws: LegacyRecordError.damaged("The field issuer holds a value of the wrong type.")) {
            try HandmadeArchive.account.with("issuer", object: deep).record(in: .account)
        }
    }

    @Test func aDictionaryThatIsItsOwnKeyIsDamaged() {
        let handmade = HandmadeList([0xD1, 0x00, 0x00])
        #expect(throws: LegacyRecordError.damaged("The property list is not a keyed archive.")) {
            try LegacyRecord(archive: handmade.bytes, service: .account)
        }
    }

    @Test func theFirstOfRepeatedFieldsIsUsed() throws {
        let twice = PropertyListValue.dictionary([
            ("NS.string", .string("first")), ("NS.string", .string("second")),
        ])
        let record = try HandmadeArchive.account.with("issuer", object: twice).record(in: .account)
        #expect(record.identifier == "first-A")
    }
}

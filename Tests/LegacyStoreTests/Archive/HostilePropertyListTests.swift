import Foundation
import Testing

@testable import LegacyStore

/// Property lists with false sizes, offsets or references.
///
/// Each list is either rejected or read only as far as requested.
struct HostilePropertyListTests {
    @Test(arguments: [0, 1, 6])
    func dataTooShortForAHeaderIsRejected(_ count: Int) {
        #expect(throws: PropertyListError.notBinary) {
            try ReadPropertyList(Data("bplist00".utf8).prefix(count))
        }
    }

    @Test func dataTooShortForATrailerIsRejected() {
        for count in 7..<42 {
            let bytes = HandmadeList([0x09]).bytes.prefix(count)
            #expect(throws: PropertyListError.damagedTrailer) { try ReadPropertyList(bytes) }
        }
    }

    @Test func anXMLPropertyListIsRejected() {
        let bytes = Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist><dict/></plist>".utf8)
        #expect(throws: PropertyListError.notBinary) { try ReadPropertyList(bytes) }
    }

    @Test(arguments: [0, 9, 255] as [UInt8])
    func invalidOffsetAndReferenceSizesAreRejected(_ width: UInt8) {
        var bytes = HandmadeList([0x09]).bytes
        bytes[bytes.count - 26] = width
        #expect(throws: PropertyListError.damagedTrailer) { try ReadPropertyList(bytes) }
        bytes = HandmadeList([0x09]).bytes
        bytes[bytes.count - 25] = width
        #expect(throws: PropertyListError.damagedTrailer) { try ReadPropertyList(bytes) }
    }

    @Test(arguments: [0, 2, 1 << 31, 1 << 60, 1 << 61, .max / 2, .max] as [UInt64])
    func impossibleObjectCountsAreRefused(_ count: UInt64) {
        var handmade = HandmadeList([0x09])
        handmade.objectCount = count
        #expect(throws: PropertyListError.damagedTrailer) { try ReadPropertyList(handmade.bytes) }
    }

    @Test(arguments: [0, 8, 10, 43, 1 << 32, .max] as [UInt64])
    func tablesOutsideTheFileAreRefused(_ start: UInt64) {
        var handmade = HandmadeList([0x09])
        handmade.tableStart = start
        #expect(throws: PropertyListError.damagedTrailer) { try ReadPropertyList(handmade.bytes) }
    }

    @Test(arguments: [1, .max] as [UInt64])
    func propertyListsWithoutARootAreRefused(_ root: UInt64) {
        var handmade = HandmadeList([0x09])
        handmade.root = root
        #expect(throws: PropertyListError.damagedTrailer) { try ReadPropertyList(handmade.bytes) }
    }

    @Test(arguments: [0, 7, 9, 1 << 40, .max] as [UInt64])
    func offsetsOutsideTheObjectsAreRefused(_ offset: UInt64) throws {
        var handmade = HandmadeList([0x09])
        handmade.offsets = [offset]
        handmade.offsetSize = 8
        #expect(throws: PropertyListError.danglingReference) { try ReadPropertyList.root(of: handmade) }
    }

    @Test(
        arguments: [
            [0x13], [0x23, 0, 0], [0x33, 0], [0x42, 1], [0x53, 0x41], [0x61, 0], [0x87], [0xA1], [0xD1, 0],
            [0x4F], [0x4F, 0x13, 0, 0], [0x4F, 0x33], [0x4F, 0x14] + bigEndian(0) + bigEndian(0),
        ] as [[UInt8]]
    )
    func truncatedObjectsAreRefused(_ object: [UInt8]) {
        #expect(throws: PropertyListError.truncatedObject) {
            try ReadPropertyList.root(of: HandmadeList(object))
        }
    }

    @Test(arguments: [0x4F, 0x5F, 0x6F, 0xAF, 0xDF] as [UInt8], [1 << 60, 1 << 63, .max] as [UInt64])
    func hugeCountsAreRefused(_ marker: UInt8, _ count: UInt64) {
        let handmade = HandmadeList([marker, 0x13] + bigEndian(count) + [0, 0])
        #expect(throws: PropertyListError.truncatedObject) { try ReadPropertyList.root(of: handmade) }
    }

    @Test(arguments: [0x01, 0x0F, 0x15, 0x20, 0x24, 0x32, 0x70, 0x90, 0xB0, 0xC0, 0xE0, 0xF0] as [UInt8])
    func unknownTypesAreRefused(_ marker: UInt8) {
        let handmade = HandmadeList([marker] + Array(repeating: 0, count: 32))
        #expect(throws: PropertyListError.unknownObject) { try ReadPropertyList.root(of: handmade) }
    }

    @Test(
        arguments: [[0xD8, 0x00], [0xDC, 0x00], [0xD8, 0x00, 0xD8, 0x00], [0x00, 0x41, 0xDC, 0x00]]
            as [[UInt8]]
    )
    func loneSurrogatesAreRefused(_ units: [UInt8]) {
        let handmade = HandmadeList([0x60 | UInt8(units.count / 2)] + units)
        #expect(throws: PropertyListError.damagedText) { try ReadPropertyList.root(of: handmade) }
    }

    @Test func asciiWithTheEighthBitIsRefused() {
        #expect(throws: PropertyListError.damagedText) {
            try ReadPropertyList.root(of: HandmadeList([0x51, 0xC1]))
        }
    }

    @Test func uidsBeyond64BitsAreRefused() {
        let handmade = HandmadeList([0x88] + Array(repeating: 0, count: 9))
        #expect(throws: PropertyListError.numberTooLarge) { try ReadPropertyList.root(of: handmade) }
    }

    @Test func anArrayThatContainsItselfIsReadOneLevelAtATime() throws {
        let list = try ReadPropertyList(HandmadeList([0xA1, 0x00]).bytes)
        let elements = try #require(try list.object(at: list.root).array)
        #expect(Array(elements) == [list.root])
    }

    @Test func referencesToMissingObjectsFailWhenTheyAreFollowed() throws {
        let list = try ReadPropertyList(HandmadeList([0xA1, 0x77]).bytes)
        let elements = try #require(try list.object(at: list.root).array)
        #expect(throws: PropertyListError.danglingReference) { try list.object(at: elements[0]) }
    }

    @Test func anOverlappingObjectOfAnUnknownTypeIsRejected() throws {
        var handmade = HandmadeList([0xA1, 0x01], ascii("ab"))
        handmade.offsets = [8, 9]
        let list = try ReadPropertyList(handmade.bytes)
        #expect(throws: PropertyListError.unknownObject) { try list.object(at: .init(index: 1)) }
    }
}

import Foundation
import Testing

@testable import LegacyStore

struct BinaryPropertyListTests {
    @Test func propertyListsWrittenByFoundationAreRead() throws {
        let long = String(repeating: "long ", count: 70_000)
        let original: NSDictionary = [
            "short": "text", "long": long, "other script": "日本銀行 👩‍🚀", "empty": "",
            "bytes": Data([1, 2, 3]), "yes": true, "no": false, "real": 1_700_000_000.125,
            "small": 7, "byte": 200, "short int": 40_000, "int": 3_000_000_000, "negative": -5,
            "most": Int64.max, "least": Int64.min, "date": Date(timeIntervalSinceReferenceDate: 12.5),
            "array": (0..<300).map { "element \($0)" } as NSArray, "none": [] as NSArray,
            "nested": ["a": ["b": ["c"]]] as NSDictionary,
        ]
        let bytes = try PropertyListSerialization.data(
            fromPropertyList: original,
            format: .binary,
            options: 0
        )
        let list = try ReadPropertyList(bytes)
        #expect(try list.value(at: list.root) as? NSDictionary == original)
    }

    @Test func aPropertyListInASliceIsRead() throws {
        let whole = Data([9, 9]) + HandmadeList([0x42, 0xAB, 0xCD]).bytes
        let list = try ReadPropertyList(whole.dropFirst(2))
        #expect(try list.object(at: list.root).data == Data([0xAB, 0xCD]))
    }

    @Test(arguments: 1...8)
    func referencesOfEveryWidthAreRead(_ width: UInt8) throws {
        let reference = Array(bigEndian(1).suffix(Int(width)))
        var handmade = HandmadeList([0xA2] + reference + reference, ascii("x"))
        handmade.referenceSize = width
        handmade.offsetSize = width
        #expect(try strings(handmade) == ["x", "x"])
    }

    @Test func sixteenByteIntegersThatFitAreRead() throws {
        #expect(try integer([0x14] + bigEndian(0) + bigEndian(5)) == 5)
        #expect(try integer([0x14] + bigEndian(.max) + bigEndian(.max)) == -1)
        #expect(throws: PropertyListError.numberTooLarge) {
            try integer([0x14] + bigEndian(0) + bigEndian(.max))
        }
    }

    @Test func floatsAreRead() throws {
        #expect(try ReadPropertyList.root(of: HandmadeList([0x22, 0x3F, 0xC0, 0, 0])).real == 1.5)
    }

    @Test func aDictionaryOfManyEntriesIsReadCompletely() throws {
        let entries = (0..<60_000).map { ("key \($0)", Data("value \($0)".utf8)) }
        let original = Dictionary(uniqueKeysWithValues: entries)
        let bytes = try PropertyListSerialization.data(
            fromPropertyList: original,
            format: .binary,
            options: 0
        )
        let list = try ReadPropertyList(bytes)
        let found = try #require(try list.object(at: list.root).dictionary)
        #expect(found.count == 60_000)
        var matches = 0
        for (key, value) in found {
            let key = try #require(try list.object(at: key).string)
            matches += try list.object(at: value).data == original[key] ? 1 : 0
        }
        #expect(matches == 60_000)
    }

    private func integer(_ object: [UInt8]) throws -> Int64? {
        try ReadPropertyList.root(of: HandmadeList(object)).integer
    }

    private func strings(_ handmade: HandmadeList) throws -> [String] {
        let list = try ReadPropertyList(handmade.bytes)
        let elements = try #require(try list.object(at: list.root).array)
        return try elements.compactMap { try list.object(at: $0).string }
    }
}

extension ReadPropertyList {
    /// Returns the object as Foundation creates it.
    ///
    /// The list must have no cycles.
    fileprivate func value(at reference: Reference) throws -> Any {
        switch try object(at: reference) {
        case .null: NSNull()
        case .bool(let value): value as NSNumber
        case .integer(let value): value as NSNumber
        case .real(let value): value as NSNumber
        case .date(let date): date as NSDate
        case .data(let data): data as NSData
        case .string(let text): text as NSString
        case .uid(let value): value as NSNumber
        case .array(let elements): try elements.map { try value(at: $0) } as NSArray
        case .dictionary(let entries):
            try entries.reduce(into: NSMutableDictionary()) { result, entry in
                guard case .string(let key) = try object(at: entry.key) else { return }
                result[key as NSString] = try value(at: entry.value)
            }
        }
    }
}

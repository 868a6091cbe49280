import Foundation

/// Writes a binary property list, each object after those it refers to.
struct PropertyListWriter {
    private var bytes = [UInt8]("bplist00".utf8)
    private var offsets: [Int] = []
    private let referenceSize: Int

    /// The property list that holds a tree of values.
    static func bytes(of value: PropertyListValue) -> Data {
        var writer = PropertyListWriter(referenceSize: size(of: value.objectCount))
        let root = writer.append(value)
        return writer.finish(root: root)
    }

    private init(referenceSize: Int) {
        self.referenceSize = referenceSize
    }

    /// Writes a value after those it holds, and answers its number.
    private mutating func append(_ value: PropertyListValue) -> Int {
        switch value {
        case .bool(let flag): return append { $0.append(flag ? 0x09 : 0x08) }
        case .integer(let integer): return append { $0.appendInteger(integer) }
        case .real(let real): return append { $0.appendNumber(0x23, real.bitPattern, size: 8) }
        case .uid(let uid):
            let size = Self.size(of: uid)
            return append { $0.appendNumber(0x80 | UInt8(size - 1), UInt64(uid), size: size) }
        case .string(let text): return append { $0.appendText(text) }
        case .array(let elements):
            let references = elements.map { append($0) }
            return append(0xA0, count: elements.count, references)
        case .dictionary(let entries):
            let keys = entries.map { append(.string($0.key)) }
            let values = entries.map { append($0.value) }
            return append(0xD0, count: entries.count, keys + values)
        }
    }

    private mutating func append(_ marker: UInt8, count: Int, _ references: [Int]) -> Int {
        let size = referenceSize
        return append { bytes in
            bytes.appendMarker(marker, count: count)
            for reference in references { bytes.appendBigEndian(UInt64(reference), size: size) }
        }
    }

    private mutating func append(_ write: (inout [UInt8]) -> Void) -> Int {
        offsets.append(bytes.count)
        write(&bytes)
        return offsets.count - 1
    }

    private mutating func finish(root: Int) -> Data {
        let tableStart = bytes.count
        let offsetSize = Self.size(of: tableStart)
        for offset in offsets { bytes.appendBigEndian(UInt64(offset), size: offsetSize) }
        bytes.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
        for number in [offsets.count, root, tableStart] { bytes.appendBigEndian(UInt64(number), size: 8) }
        return Data(bytes)
    }

    /// The least of 1, 2, 4 and 8 bytes that holds a number, which is not negative.
    private static func size(of number: Int) -> Int {
        switch number {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }
}

package import Foundation

/// Writes a binary property list; each object follows the objects to which it refers.
package struct PropertyListWriter {
    private var bytes = [UInt8]("bplist00".utf8)
    private var taken = 0
    private var offsets: [Int] = []
    private let referenceSize: Int

    static func bytes(of value: PropertyListValue) -> Data {
        var writer = PropertyListWriter(referenceSize: size(of: value.objectCount))
        writer.finish(root: writer.append(value))
        return Data(writer.bytes)
    }

    /// Begins a list.
    ///
    /// The default reference size of four bytes is enough for any list, so a caller does not need to know the
    /// number of objects.
    package init(referenceSize: Int = 4) {
        self.referenceSize = referenceSize
    }

    package var length: Int { taken + bytes.count }

    /// Returns the bytes that were written since the last call, and discards them.
    ///
    /// The caller can write the bytes to a file, so a long list does not have to fit into memory.
    package mutating func take() -> [UInt8] {
        defer { bytes = [] }
        taken += bytes.count
        return bytes
    }

    /// Writes a value after the values that it contains.
    ///
    /// Like the other overloads, this method returns the object number of the value.
    package mutating func append(_ value: PropertyListValue) -> Int {
        switch value {
        case .bool(let flag): return append { $0.append(flag ? 0x09 : 0x08) }
        case .integer(let integer): return append { $0.appendInteger(integer) }
        case .real(let real): return append { $0.appendNumber(0x23, real.bitPattern, size: 8) }
        case .uid(let uid):
            let size = Self.size(of: uid)
            return append { $0.appendNumber(0x80 | UInt8(size - 1), UInt64(uid), size: size) }
        case .string(let text): return append { $0.appendText(text) }
        case .array(let elements): return append(array: elements.map { append($0) })
        case .dictionary(let entries):
            let keys = entries.map { append(.string($0.key)) }
            return append(dictionary: Array(zip(keys, entries.map { append($0.value) })))
        }
    }

    package mutating func append(_ data: Data) -> Int {
        append { bytes in
            bytes.appendMarker(0x40, count: data.count)
            bytes.append(contentsOf: data)
        }
    }

    package mutating func append(array elements: [Int]) -> Int {
        append(0xA0, count: elements.count, elements)
    }

    package mutating func append(dictionary entries: [(key: Int, value: Int)]) -> Int {
        append(0xD0, count: entries.count, entries.map(\.key) + entries.map(\.value))
    }

    /// Writes an object that contains no references.
    package mutating func append(_ write: (inout [UInt8]) -> Void) -> Int {
        offsets.append(length)
        write(&bytes)
        return offsets.count - 1
    }

    /// Writes the offset table and the trailer.
    package mutating func finish(root: Int) {
        let tableStart = length
        let offsetSize = Self.size(of: tableStart)
        for offset in offsets { bytes.appendBigEndian(UInt64(offset), size: offsetSize) }
        bytes.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
        for number in [offsets.count, root, tableStart] { bytes.appendBigEndian(UInt64(number), size: 8) }
    }

    private mutating func append(_ marker: UInt8, count: Int, _ references: [Int]) -> Int {
        let size = referenceSize
        return append { bytes in
            bytes.appendMarker(marker, count: count)
            for reference in references { bytes.appendBigEndian(UInt64(reference), size: size) }
        }
    }

    /// Returns the smallest of 1, 2, 4 and 8 bytes that can contain a non-negative number.
    private static func size(of number: Int) -> Int {
        switch number {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }
}

/// A tree of values to write as a property list.
package enum PropertyListValue: Sendable {
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    /// The number of an object in a keyed archive, not negative.
    case uid(Int)
    case array([PropertyListValue])
    case dictionary([(key: String, value: PropertyListValue)])

    /// The number of objects in a property list that contains this tree.
    var objectCount: Int {
        switch self {
        case .bool, .integer, .real, .string, .uid: 1
        case .array(let elements): elements.reduce(1) { $0 + $1.objectCount }
        case .dictionary(let entries): entries.reduce(1) { $0 + 1 + $1.value.objectCount }
        }
    }
}

extension [UInt8] {
    /// Appends the low `size` bytes of a number, in big-endian order.
    mutating func appendBigEndian(_ value: UInt64, size: Int) {
        for position in (0..<size).reversed() {
            append(UInt8(truncatingIfNeeded: value >> (8 * position)))
        }
    }

    /// Appends a marker and a number of `size` bytes.
    package mutating func appendNumber(_ marker: UInt8, _ value: UInt64, size: Int) {
        append(marker)
        appendBigEndian(value, size: size)
    }

    /// Appends an integer in as few bytes as the format allows; a negative integer uses eight bytes.
    package mutating func appendInteger(_ integer: Int64) {
        let bits = UInt64(bitPattern: integer)
        switch bits {
        case ...0xFF: appendNumber(0x10, bits, size: 1)
        case ...0xFFFF: appendNumber(0x11, bits, size: 2)
        case ...0xFFFF_FFFF: appendNumber(0x12, bits, size: 4)
        default: appendNumber(0x13, bits, size: 8)
        }
    }

    /// Appends a marker with a count.
    ///
    /// If the count is less than 15, the marker contains the count; otherwise, the count follows as an
    /// integer.
    package mutating func appendMarker(_ marker: UInt8, count: Int) {
        guard count >= 0x0F else { return append(marker | UInt8(count)) }
        append(marker | 0x0F)
        appendInteger(Int64(count))
    }

    /// Appends a string in ASCII or, if it has other characters, in UTF-16.
    mutating func appendText(_ text: String) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            appendMarker(0x50, count: text.utf8.count)
            append(contentsOf: text.utf8)
        } else {
            appendMarker(0x60, count: text.utf16.count)
            for unit in text.utf16 { appendBigEndian(UInt64(unit), size: 2) }
        }
    }
}

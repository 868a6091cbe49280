import Foundation

/// Gives checked access to the objects of a binary property list.
///
/// The access is valid only as long as the bytes of the list are valid.
///
/// Each call reads one object and follows no references, so a cycle or a huge count cannot make a call run
/// for a long time.
package struct PropertyListBytes {
    package let bytes: UnsafeRawBufferPointer
    package let layout: PropertyListLayout

    init(_ bytes: UnsafeRawBufferPointer) throws(PropertyListError) {
        self.bytes = bytes
        layout = try PropertyListLayout(bytes)
    }

    init(_ bytes: UnsafeRawBufferPointer, layout: PropertyListLayout) {
        self.bytes = bytes
        self.layout = layout
    }

    package func token(at reference: PropertyListReference) throws(PropertyListError) -> PropertyListToken {
        var position = try offset(of: reference)
        let marker = bytes[position]
        position += 1
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0: return try simple(marker)
        case 0x1: return .integer(try integer(at: position, exponent: low))
        case 0x2: return .real(try real(at: position, exponent: low))
        case 0x3:
            guard low == 3 else { throw .unknownObject }
            return .date(try real(at: position, exponent: low))
        case 0x4:
            let count = try count(low, at: &position)
            return .data(try extent(at: position, count: count, width: 1))
        case 0x5:
            let count = try count(low, at: &position)
            return .text(.init(encoding: .ascii, range: try extent(at: position, count: count, width: 1)))
        case 0x6:
            let count = try count(low, at: &position)
            return .text(.init(encoding: .utf16, range: try extent(at: position, count: count, width: 2)))
        case 0x8: return .uid(try unsigned(at: position, size: low + 1))
        case 0xA:
            let count = try count(low, at: &position)
            _ = try extent(at: position, count: count, width: layout.referenceSize)
            return .array(.init(start: position, count: count))
        case 0xD:
            let count = try count(low, at: &position)
            _ = try extent(at: position, count: count, width: 2 * layout.referenceSize)
            let keys = PropertyListReferences(start: position, count: count)
            let values = PropertyListReferences(start: position + count * layout.referenceSize, count: count)
            return .dictionary(keys: keys, values: values)
        default: throw .unknownObject
        }
    }

    /// Returns the reference at `position`, which must be less than `references.count`.
    package func reference(_ position: Int, of references: PropertyListReferences) -> PropertyListReference {
        let offset = references.start + position * layout.referenceSize
        return PropertyListReference(index: bytes.bigEndian(at: offset, size: layout.referenceSize))
    }

    package func offset(of reference: PropertyListReference) throws(PropertyListError) -> Int {
        guard reference.index < layout.objectCount else { throw .danglingReference }
        let entry = layout.tableStart + Int(reference.index) * layout.offsetSize
        let offset = bytes.bigEndian(at: entry, size: layout.offsetSize)
        guard offset >= PropertyListLayout.headerSize, offset < layout.tableStart else {
            throw .danglingReference
        }
        return Int(offset)
    }

    private func simple(_ marker: UInt8) throws(PropertyListError) -> PropertyListToken {
        switch marker {
        case 0x00: .null
        case 0x08: .bool(false)
        case 0x09: .bool(true)
        default: throw .unknownObject
        }
    }

    /// Reads an integer: integers of up to four bytes are unsigned, and longer integers are signed.
    private func integer(at position: Int, exponent: Int) throws(PropertyListError) -> Int64 {
        guard exponent <= 4 else { throw .unknownObject }
        guard exponent == 4 else {
            return Int64(bitPattern: try unsigned(at: position, size: 1 << exponent))
        }
        _ = try extent(at: position, count: 16, width: 1)
        let high = Int64(bitPattern: bytes.bigEndian(at: position, size: 8))
        let low = Int64(bitPattern: bytes.bigEndian(at: position + 8, size: 8))
        guard high == low >> 63 else { throw .numberTooLarge }
        return low
    }

    private func real(at position: Int, exponent: Int) throws(PropertyListError) -> Double {
        switch exponent {
        case 2: Double(Float(bitPattern: UInt32(truncatingIfNeeded: try unsigned(at: position, size: 4))))
        case 3: Double(bitPattern: try unsigned(at: position, size: 8))
        default: throw .unknownObject
        }
    }

    /// Reads a count from the marker, or from the integer object after it; then moves `position` past that object.
    private func count(_ low: Int, at position: inout Int) throws(PropertyListError) -> Int {
        guard low == 0x0F else { return low }
        _ = try extent(at: position, count: 1, width: 1)
        let marker = bytes[position]
        guard marker & 0xFC == 0x10 else { throw .truncatedObject }
        let size = 1 << Int(marker & 0x03)
        let count = try unsigned(at: position + 1, size: size)
        guard count < layout.tableStart else { throw .truncatedObject }
        position += 1 + size
        return Int(count)
    }

    private func unsigned(at position: Int, size: Int) throws(PropertyListError) -> UInt64 {
        guard size <= 8 else { throw .numberTooLarge }
        return bytes.bigEndian(at: try extent(at: position, count: size, width: 1).lowerBound, size: size)
    }

    private func extent(at position: Int, count: Int, width: Int) throws(PropertyListError) -> Range<Int> {
        let (size, isTooLarge) = count.multipliedReportingOverflow(by: width)
        guard !isTooLarge, size <= layout.tableStart - position else { throw .truncatedObject }
        return position..<position + size
    }
}

extension PropertyListBytes {
    /// Reads a string.
    ///
    /// - Throws: ``PropertyListError`` if a byte is not ASCII or a surrogate has no partner.
    package func string(_ text: PropertyListText) throws(PropertyListError) -> String {
        switch text.encoding {
        case .ascii: String(decoding: try ascii(text), as: UTF8.self)
        case .utf16: String(decoding: try utf16(text), as: UTF16.self)
        }
    }

    /// Returns the bytes of an ASCII string; they are also its UTF-8 encoding.
    func ascii(_ text: PropertyListText) throws(PropertyListError) -> UnsafeRawBufferPointer {
        let characters = UnsafeRawBufferPointer(rebasing: bytes[text.range])
        var union: UInt8 = 0
        for character in characters { union |= character }
        guard union < 0x80 else { throw .damagedText }
        return characters
    }

    func matches(_ spelling: String, _ text: PropertyListText) -> Bool {
        guard text.encoding == .ascii else { return false }
        var spelling = spelling
        return spelling.withUTF8 { bytes.holds($0, at: text.range) }
    }

    private func utf16(_ text: PropertyListText) throws(PropertyListError) -> [UInt16] {
        var units: [UInt16] = []
        units.reserveCapacity(text.range.count / 2)
        var expectsTrail = false
        for position in stride(from: text.range.lowerBound, to: text.range.upperBound, by: 2) {
            let unit = UInt16(truncatingIfNeeded: bytes.bigEndian(at: position, size: 2))
            guard UTF16.isTrailSurrogate(unit) == expectsTrail else { throw .damagedText }
            expectsTrail = UTF16.isLeadSurrogate(unit)
            units.append(unit)
        }
        guard !expectsTrail else { throw .damagedText }
        return units
    }
}

extension UnsafeRawBufferPointer {
    /// Reads an unsigned big-endian number of `size` bytes (0 to 8) at `offset`; the caller has checked that
    /// the bytes exist.
    @inline(__always)
    func bigEndian(at offset: Int, size: Int) -> UInt64 {
        var value: UInt64 = 0
        for position in offset..<offset + size {
            value = value << 8 | UInt64(self[position])
        }
        return value
    }

    /// Returns whether the bytes in `range` equal `expected`; the caller has checked the range.
    @inline(__always)
    func holds(_ expected: UnsafeBufferPointer<UInt8>, at range: Range<Int>) -> Bool {
        guard range.count == expected.count else { return false }
        guard let start = baseAddress, let expected = expected.baseAddress else { return range.isEmpty }
        return memcmp(start + range.lowerBound, expected, range.count) == 0
    }
}

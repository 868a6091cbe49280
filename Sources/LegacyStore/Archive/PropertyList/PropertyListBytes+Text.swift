import Foundation

extension PropertyListBytes {
    /// Reads a string; every byte and every surrogate must be in order.
    func string(_ text: PropertyListText) throws(PropertyListError) -> String {
        switch text.encoding {
        case .ascii: String(decoding: try ascii(text), as: UTF8.self)
        case .utf16: String(decoding: try utf16(text), as: UTF16.self)
        }
    }

    /// The bytes of an ASCII string, which are its UTF-8 as well.
    func ascii(_ text: PropertyListText) throws(PropertyListError) -> UnsafeRawBufferPointer {
        let characters = UnsafeRawBufferPointer(rebasing: bytes[text.range])
        var union: UInt8 = 0
        for character in characters { union |= character }
        guard union < 0x80 else { throw .damagedText }
        return characters
    }

    /// Whether the text is ASCII and says `spelling`.
    func says(_ spelling: String, _ text: PropertyListText) -> Bool {
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
    /// Whether the bytes in `range`, which the caller has checked, are these.
    @inline(__always)
    func holds(_ expected: UnsafeBufferPointer<UInt8>, at range: Range<Int>) -> Bool {
        guard range.count == expected.count else { return false }
        guard let start = baseAddress, let expected = expected.baseAddress else { return range.isEmpty }
        return memcmp(start + range.lowerBound, expected, range.count) == 0
    }
}

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
    func says(_ spelling: StaticString, _ text: PropertyListText) -> Bool {
        guard text.encoding == .ascii, text.range.count == spelling.utf8CodeUnitCount else { return false }
        let characters = UnsafeRawBufferPointer(rebasing: bytes[text.range])
        return spelling.withUTF8Buffer { characters.elementsEqual($0) }
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

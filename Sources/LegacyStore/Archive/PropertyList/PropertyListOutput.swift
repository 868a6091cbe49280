/// Appends the parts of a binary property list.
extension [UInt8] {
    /// Appends the low `size` bytes of a number, big end first.
    mutating func appendBigEndian(_ value: UInt64, size: Int) {
        for position in (0..<size).reversed() {
            append(UInt8(truncatingIfNeeded: value >> (8 * position)))
        }
    }

    /// Appends a marker and a number of `size` bytes.
    mutating func appendNumber(_ marker: UInt8, _ value: UInt64, size: Int) {
        append(marker)
        appendBigEndian(value, size: size)
    }

    /// Appends an integer in as few bytes as the format allows; negative ones take eight.
    mutating func appendInteger(_ integer: Int64) {
        let bits = UInt64(bitPattern: integer)
        switch bits {
        case ...0xFF: appendNumber(0x10, bits, size: 1)
        case ...0xFFFF: appendNumber(0x11, bits, size: 2)
        case ...0xFFFF_FFFF: appendNumber(0x12, bits, size: 4)
        default: appendNumber(0x13, bits, size: 8)
        }
    }

    /// Appends a marker with a count, inside it if it fits.
    mutating func appendMarker(_ marker: UInt8, count: Int) {
        guard count >= 0x0F else { return append(marker | UInt8(count)) }
        append(marker | 0x0F)
        appendInteger(Int64(count))
    }

    /// Appends a string as ASCII if it is, and else as UTF-16.
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

/// Arithmetic of GF(256) with the polynomial x⁸ + x⁴ + x³ + x² + 1, in which addition is exclusive or.
enum GaloisField {
    static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result: UInt8 = 0
        for bit in (0..<8).reversed() as ReversedCollection<Range<UInt8>> {
            let carry = result & 0x80 != 0
            result <<= 1
            if carry { result ^= 0x1D }
            if right >> bit & 1 == 1 { result ^= left }
        }
        return result
    }
}

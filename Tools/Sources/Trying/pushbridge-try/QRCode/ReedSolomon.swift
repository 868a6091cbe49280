/// Computes the error correction codewords of a block.
struct ReedSolomon {
    /// The coefficients of the generator polynomial without the leading 1.
    ///
    /// The coefficient of the highest power comes first.
    let generator: [UInt8]

    /// Computes the generator.
    ///
    /// For n codewords, the generator is the product of (x − 2⁰) to (x − 2ⁿ⁻¹).
    init(codewords: Int) {
        var polynomial: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<codewords {
            var next = polynomial + [0]
            for (index, coefficient) in polynomial.enumerated() {
                next[index + 1] ^= GaloisField.product(coefficient, root)
            }
            polynomial = next
            root = GaloisField.product(root, 2)
        }
        generator = Array(polynomial.dropFirst())
    }

    /// Returns the remainder when the block, followed by one zero for each codeword, is divided by the
    /// generator.
    func codewords(of block: some Sequence<UInt8>) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for byte in block {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for (index, coefficient) in generator.enumerated() {
                remainder[index] ^= GaloisField.product(coefficient, factor)
            }
        }
        return remainder
    }
}

/// Arithmetic of GF(256) with the polynomial x⁸ + x⁴ + x³ + x² + 1.
///
/// Addition is exclusive or.
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

/// The level of error correction.
///
/// Depending on the level, about 7 % or 15 % of a code may be unreadable.
enum QRErrorCorrection: CaseIterable {
    case low
    case medium

    /// The indicator of the level in the format information.
    var indicator: Int {
        switch self {
        case .low: 0b01
        case .medium: 0b00
        }
    }

    /// The number of error correction codewords in each block, by version.
    var codewordsPerBlock: [Int] {
        switch self {
        case .low: Self.lowCodewords
        case .medium: Self.mediumCodewords
        }
    }

    /// The number of blocks, by version.
    var blocks: [Int] {
        switch self {
        case .low: Self.lowBlocks
        case .medium: Self.mediumBlocks
        }
    }

    // ISO/IEC 18004:2015, table 9.
    private static let lowCodewords = [
        7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
        28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let mediumCodewords = [
        10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
        26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    ]
    private static let lowBlocks = [
        1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8,
        8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
    ]
    private static let mediumBlocks = [
        1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
        17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
    ]
}

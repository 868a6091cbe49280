/// How much of a code may be unreadable: about 7 % and 15 %.
enum QRErrorCorrection: CaseIterable {
    case low
    case medium

    /// The level in the format information.
    var indicator: Int {
        switch self {
        case .low: 0b01
        case .medium: 0b00
        }
    }

    /// Error correction codewords of each block, by version.
    var codewordsPerBlock: [Int] {
        switch self {
        case .low: Self.lowCodewords
        case .medium: Self.mediumCodewords
        }
    }

    /// Number of blocks, by version.
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

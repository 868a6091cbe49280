/// The two pieces of information about a code that are protected by BCH codes of their own.
enum QRInformation {
    /// The 15 bits that say the level and the mask.
    static func format(_ level: QRErrorCorrection, _ mask: QRMask) -> Int {
        protected(level.indicator << 3 | mask.rawValue, generator: 0b101_0011_0111, degree: 10)
            ^ 0b101_0100_0001_0010
    }

    /// The 18 bits that say the version, from version 7 on.
    static func version(_ number: Int) -> Int {
        protected(number, generator: 0b1_1111_0010_0101, degree: 12)
    }

    private static func protected(_ data: Int, generator: Int, degree: Int) -> Int {
        var remainder = data << degree
        for bit in (degree..<degree + 6).reversed() where remainder >> bit & 1 == 1 {
            remainder ^= generator << (bit - degree)
        }
        return data << degree | remainder
    }
}

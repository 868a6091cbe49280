/// The size of a code, 1 to 40, and what follows from it.
struct QRVersion: Equatable {
    let number: Int

    static let all = (1...40).map(QRVersion.init)

    private init(number: Int) {
        self.number = number
    }

    /// The smallest version that holds so many bytes.
    static func smallest(holding count: Int, level: QRErrorCorrection) -> QRVersion? {
        all.first { $0.capacity(level) >= count }
    }

    /// How many modules a side has.
    var size: Int { 4 * number + 17 }

    /// How many bytes fit.
    func capacity(_ level: QRErrorCorrection) -> Int {
        dataCodewords(level) - (4 + lengthBits + 7) / 8
    }

    /// The width of the field that says how many bytes there are.
    var lengthBits: Int { number < 10 ? 8 : 16 }

    func blocks(_ level: QRErrorCorrection) -> Int { level.blocks[number - 1] }

    func correctionCodewords(_ level: QRErrorCorrection) -> Int { level.codewordsPerBlock[number - 1] }

    func dataCodewords(_ level: QRErrorCorrection) -> Int {
        allCodewords - blocks(level) * correctionCodewords(level)
    }

    /// All codewords: the modules without a function, in bytes.
    var allCodewords: Int {
        let alignments = alignmentCentres.count
        let timing = 2 * (size - 16)
        let finders = 3 * 64 + 2 * 15 + 1
        // The two rows of alignment patterns on the timing patterns share five modules each with them.
        let alignment = number == 1 ? 0 : 25 * (alignments * alignments - 3) - 10 * (alignments - 2)
        let information = number < 7 ? 0 : 36
        return (size * size - timing - finders - alignment - information) / 8
    }

    /// The rows and columns in which centres of alignment patterns lie.
    var alignmentCentres: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let last = size - 7
        // Even distances, the same between all but the first two; version 32 is the standard's exception.
        let step = number == 32 ? 26 : (last - 6 + 2 * count - 3) / (2 * count - 2) * 2
        return [6] + (0..<count - 1).map { last - $0 * step }.reversed()
    }
}

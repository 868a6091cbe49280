/// A QR code (ISO/IEC 18004, model 2) that contains bytes.
///
/// The code is a square of dark and light modules.
///
/// Core Image creates QR codes only on Apple platforms. This project has its own encoder instead of one more
/// dependency, because the encoder has only 415 lines of code (2026-11-29). `QRCodeTests` compares its codes
/// with those of other encoders.
struct QRCode: Equatable {
    let version: QRVersion
    let mask: QRMask
    private let grid: QRGrid

    /// Encodes bytes in the smallest version that can contain them; returns `nil` if no version can.
    ///
    /// If no mask is given, the mask with the lowest penalty of the eight masks is selected.
    init?(_ bytes: some Collection<UInt8>, level: QRErrorCorrection = .low, mask: QRMask? = nil) {
        guard let version = QRVersion.smallest(holding: bytes.count, level: level) else { return nil }
        let codewords = version.codewords(for: bytes, level: level)
        var plain = QRGrid(functionPatternsOf: version)
        plain.place(codewords)
        let candidates = (mask.map { [$0] } ?? QRMask.allCases).map { mask in
            (mask: mask, grid: plain.masked(by: mask, level: level))
        }
        guard let best = candidates.min(by: { $0.grid.penalty < $1.grid.penalty }) else { return nil }
        self.version = version
        self.mask = best.mask
        grid = best.grid
    }

    /// The number of modules on each side.
    var size: Int { grid.size }

    /// Whether a module is dark.
    ///
    /// All modules outside the square are light.
    subscript(row: Int, column: Int) -> Bool {
        guard 0..<size ~= row, 0..<size ~= column else { return false }
        return grid[row, column]
    }
}

extension QRCode {
    /// The width of the light margin that the standard requires, in modules.
    static let standardMargin = 4
    /// A narrower margin that is sufficient for phones that read a code from a screen.
    static let narrowMargin = 2
    /// The smallest margin.
    ///
    /// The margin of a large code is only one module wide. With this margin, a registration URI of a
    /// simulated service fits into 80 columns.
    var leastMargin: Int { size > 60 ? 1 : Self.narrowMargin }

    /// Returns the code as text that consists of half blocks.
    ///
    /// Each line of text contains two rows of modules.
    func halfBlocks(margin: Int = standardMargin) -> [String] {
        let columns = -margin..<size + margin
        return stride(from: -margin, to: size + margin, by: 2).map { row in
            columns.reduce(into: "") { line, column in
                switch (self[row, column], self[row + 1, column]) {
                case (true, true): line.append("█")
                case (true, false): line.append("▀")
                case (false, true): line.append("▄")
                case (false, false): line.append(" ")
                }
            }
        }
    }

    /// The code as an SVG image.
    ///
    /// The image is black on white in both light and dark mode.
    var svg: String {
        let side = size + 2 * Self.standardMargin
        let modules = (0..<size).flatMap { row in
            (0..<size).filter { self[row, $0] }
                .map { "M\($0 + Self.standardMargin) \(row + Self.standardMargin)h1v1h-1z" }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
            <rect width="\(side)" height="\(side)" fill="#fff"/><path d="\(modules.joined())" fill="#000"/></svg>
            """
    }

    /// Returns the code for a terminal with this many columns; `nil` if the code does not fit.
    ///
    /// The code is black on white, regardless of the terminal's colours.
    func terminalText(columns: Int) -> String? {
        let margins = [Self.standardMargin, Self.narrowMargin, leastMargin]
        guard let margin = margins.first(where: { size + 2 * $0 <= columns }) else { return nil }
        // Of the 256 colours, colour 16 is black and colour 231 is white in every theme.
        return halfBlocks(margin: margin)
            .map { "\u{1B}[38;5;16;48;5;231m\($0)\u{1B}[0m\n" }
            .joined()
    }
}

/// The version of a code, from 1 to 40.
///
/// The version determines the size of the code.
struct QRVersion: Equatable {
    let number: Int

    static let all = (1...40).map(QRVersion.init)

    private init(number: Int) {
        self.number = number
    }

    /// Returns the smallest version that can contain a number of bytes; `nil` if no version can.
    static func smallest(holding count: Int, level: QRErrorCorrection) -> QRVersion? {
        all.first { $0.capacity(level) >= count }
    }

    /// The number of modules on each side.
    var size: Int { 4 * number + 17 }

    /// Returns the maximum number of bytes.
    func capacity(_ level: QRErrorCorrection) -> Int {
        dataCodewords(level) - (4 + lengthBits + 7) / 8
    }

    /// The width in bits of the field that contains the number of bytes.
    var lengthBits: Int { number < 10 ? 8 : 16 }

    func blocks(_ level: QRErrorCorrection) -> Int { level.blocks[number - 1] }

    func correctionCodewords(_ level: QRErrorCorrection) -> Int { level.codewordsPerBlock[number - 1] }

    func dataCodewords(_ level: QRErrorCorrection) -> Int {
        allCodewords - blocks(level) * correctionCodewords(level)
    }

    /// The number of all codewords.
    ///
    /// A code contains as many codewords as fit into the modules outside all patterns.
    var allCodewords: Int {
        let alignments = alignmentCentres.count
        let timing = 2 * (size - 16)
        let finders = 3 * 64 + 2 * 15 + 1
        // The alignment patterns in one row and in one column overlap the timing patterns, each by five modules.
        let alignment = number == 1 ? 0 : 25 * (alignments * alignments - 3) - 10 * (alignments - 2)
        let information = number < 7 ? 0 : 36
        return (size * size - timing - finders - alignment - information) / 8
    }

    /// The rows and columns of the centres of alignment patterns.
    var alignmentCentres: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let last = size - 7
        // The distances are even numbers, and all distances except for the first are equal. Version 32 is an
        // exception in the standard.
        let step = number == 32 ? 26 : (last - 6 + 2 * count - 3) / (2 * count - 2) * 2
        return [6] + (0..<count - 1).map { last - $0 * step }.reversed()
    }
}

extension QRVersion {
    /// Returns the codewords for bytes, which must fit, in the order in which the codewords are placed.
    func codewords(for bytes: some Collection<UInt8>, level: QRErrorCorrection) -> [UInt8] {
        interleaved(dataCodewords(for: bytes, level: level), level: level)
    }

    /// Returns the data codewords: the mode, the length, the bytes, and the padding.
    func dataCodewords(for bytes: some Collection<UInt8>, level: QRErrorCorrection) -> [UInt8] {
        var buffer = QRBitBuffer()
        buffer.append(0b0100, bits: 4)
        buffer.append(bytes.count, bits: lengthBits)
        for byte in bytes { buffer.append(Int(byte), bits: 8) }
        // The mode and the length end in the middle of a codeword. Therefore, the bytes also end in the
        // middle of a codeword, and the terminator fills the other half.
        buffer.append(0, bits: 4)
        let padding = dataCodewords(level) - buffer.bytes.count
        return buffer.bytes + (0..<padding).map { $0.isMultiple(of: 2) ? 0xEC : 0x11 }
    }

    /// Divides data into blocks, adds error correction to each block, and interleaves the blocks.
    private func interleaved(_ data: [UInt8], level: QRErrorCorrection) -> [UInt8] {
        let count = blocks(level)
        let (length, longer) = data.count.quotientAndRemainder(dividingBy: count)
        var rest = data[...]
        let blocks = (0..<count).map { index in
            let block = rest.prefix(index < count - longer ? length : length + 1)
            rest = rest.dropFirst(block.count)
            return Array(block)
        }
        let code = ReedSolomon(codewords: correctionCodewords(level))
        return Self.inTurn(blocks) + Self.inTurn(blocks.map { code.codewords(of: $0) })
    }

    private static func inTurn(_ blocks: [[UInt8]]) -> [UInt8] {
        (0..<(blocks.map(\.count).max() ?? 0)).flatMap { index in
            blocks.compactMap { index < $0.count ? $0[index] : nil }
        }
    }
}

/// A sequence of bits.
///
/// The highest bit of each value comes first.
struct QRBitBuffer {
    private(set) var bytes: [UInt8] = []
    private var free = 0

    /// Appends the lowest bits of a value.
    mutating func append(_ value: Int, bits: Int) {
        for bit in (0..<bits).reversed() {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            free -= 1
            if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << UInt8(free) }
        }
    }
}

/// A QR code (ISO/IEC 18004, model 2) of bytes: a square of dark and light modules.
struct QRCode: Equatable {
    let version: QRVersion
    let mask: QRMask
    private let grid: QRGrid

    /// Encodes bytes in the smallest version that holds them; `nil` if none does.
    ///
    /// Of the eight masks the one that readers like best is taken, unless one is given.
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

    /// How many modules a side has.
    var size: Int { grid.size }

    /// Whether a module is dark; everything outside the square is light.
    subscript(row: Int, column: Int) -> Bool {
        guard 0..<size ~= row, 0..<size ~= column else { return false }
        return grid[row, column]
    }
}

extension QRGrid {
    /// Fills the modules without a function: in pairs of columns from the right, up and down in turn.
    ///
    /// What the codewords leave over stays light.
    mutating func place(_ codewords: [UInt8]) {
        var bits = codewords.lazy
            .flatMap { byte in (0..<8).map { byte >> UInt8(7 - $0) & 1 == 1 } }
            .makeIterator()
        var goesUp = true
        for right in Self.columnPairs(size) {
            for step in 0..<size {
                let row = goesUp ? size - 1 - step : step
                for column in [right, right - 1] where !hasFunction(row, column) {
                    self[row, column] = bits.next() ?? false
                }
            }
            goesUp.toggle()
        }
    }

    /// The right columns of all pairs; the vertical timing pattern belongs to none.
    private static func columnPairs(_ size: Int) -> [Int] {
        Array(stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1]
    }
}

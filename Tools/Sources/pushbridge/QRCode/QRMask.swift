/// Which data modules are inverted, so that no pattern in the data confuses a reader.
enum QRMask: Int, CaseIterable {
    case checkerboard
    case rows
    case columns
    case diagonals
    case blocks
    case crosses
    case diamonds
    case mixed

    func inverts(_ row: Int, _ column: Int) -> Bool {
        let product = row * column
        let number =
            switch self {
            case .checkerboard: (row + column) % 2
            case .rows: row % 2
            case .columns: column % 3
            case .diagonals: (row + column) % 3
            case .blocks: (row / 2 + column / 3) % 2
            case .crosses: product % 2 + product % 3
            case .diamonds: (product % 2 + product % 3) % 2
            case .mixed: ((row + column) % 2 + product % 3) % 2
            }
        return number == 0
    }
}

extension QRGrid {
    /// The grid with its data masked and the format written.
    func masked(by mask: QRMask, level: QRErrorCorrection) -> QRGrid {
        var grid = self
        for row in 0..<size {
            for column in 0..<size where !hasFunction(row, column) && mask.inverts(row, column) {
                grid[row, column].toggle()
            }
        }
        grid.drawFormat(QRInformation.format(level, mask))
        return grid
    }
}

extension QRGrid {
    /// A grid with everything that does not depend on the content; the format's places are taken and light.
    init(functionPatternsOf version: QRVersion) {
        self.init(size: version.size)
        drawTiming()
        drawAlignments(version.alignmentCentres)
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
        drawFormat(0)
        if version.number >= 7 { drawVersion(QRInformation.version(version.number)) }
    }

    /// Writes the 15 bits of the format information, twice, and the module that is always dark.
    mutating func drawFormat(_ bits: Int) {
        // Around the first finder the timing patterns are left out.
        let near = [0, 1, 2, 3, 4, 5, 7, 8, 7, 5, 4, 3, 2, 1, 0]
        for (index, near) in near.enumerated() {
            let isDark = bits >> index & 1 == 1
            if index < 8 {
                setFunction(near, 8, isDark: isDark)
                setFunction(8, size - 1 - index, isDark: isDark)
            } else {
                setFunction(8, near, isDark: isDark)
                setFunction(size - 15 + index, 8, isDark: isDark)
            }
        }
        setFunction(size - 8, 8, isDark: true)
    }

    /// Writes the 18 bits of the version information, twice.
    private mutating func drawVersion(_ bits: Int) {
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            let (near, far) = (index / 3, size - 11 + index % 3)
            setFunction(near, far, isDark: isDark)
            setFunction(far, near, isDark: isDark)
        }
    }

    private mutating func drawTiming() {
        for index in 0..<size {
            setFunction(6, index, isDark: index.isMultiple(of: 2))
            setFunction(index, 6, isDark: index.isMultiple(of: 2))
        }
    }

    /// Draws a finder with its separator around a centre.
    private mutating func drawFinder(_ row: Int, _ column: Int) {
        for (down, right) in Self.offsets(4) {
            let place = (row: row + down, column: column + right)
            guard 0..<size ~= place.row, 0..<size ~= place.column else { continue }
            let distance = max(abs(down), abs(right))
            setFunction(place.row, place.column, isDark: distance != 2 && distance != 4)
        }
    }

    /// Draws alignment patterns everywhere but on the finders.
    private mutating func drawAlignments(_ centres: [Int]) {
        for row in centres {
            for column in centres {
                let atEdges = [row, column].map { $0 == 6 ? -1 : $0 == size - 7 ? 1 : 0 }
                guard ![[-1, -1], [-1, 1], [1, -1]].contains(atEdges) else { continue }
                for (down, right) in Self.offsets(2) {
                    setFunction(row + down, column + right, isDark: max(abs(down), abs(right)) != 1)
                }
            }
        }
    }

    private static func offsets(_ reach: Int) -> [(down: Int, right: Int)] {
        (-reach...reach).flatMap { down in (-reach...reach).map { (down, $0) } }
    }
}

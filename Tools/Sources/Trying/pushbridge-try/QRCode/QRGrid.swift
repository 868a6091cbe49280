/// The grid of modules of a code that is being created.
struct QRGrid: Equatable {
    let size: Int
    private var isDark: [Bool]
    private var hasFunction: [Bool]

    init(size: Int) {
        self.size = size
        isDark = Array(repeating: false, count: size * size)
        hasFunction = isDark
    }

    /// Whether a module is dark.
    subscript(row: Int, column: Int) -> Bool {
        get { isDark[row * size + column] }
        set { isDark[row * size + column] = newValue }
    }

    /// Returns whether a module belongs to a pattern.
    ///
    /// Modules of patterns contain no data and are not masked.
    func hasFunction(_ row: Int, _ column: Int) -> Bool { hasFunction[row * size + column] }

    /// Sets a module of a pattern.
    mutating func setFunction(_ row: Int, _ column: Int, isDark: Bool) {
        self[row, column] = isDark
        hasFunction[row * size + column] = true
    }
}

extension QRGrid {
    /// Creates a grid with all parts that do not depend on the content.
    ///
    /// The modules of the format are reserved and light.
    init(functionPatternsOf version: QRVersion) {
        self.init(size: version.size)
        drawTiming()
        drawAlignments(version.alignmentCentres)
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
        drawFormat(0)
        if version.number >= 7 { drawVersion(QRInformation.version(version.number)) }
    }

    /// Writes the 15 bits of the format information in both places, and the module that is always dark.
    mutating func drawFormat(_ bits: Int) {
        // The bits around the first finder skip the timing patterns.
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

    /// Writes the 18 bits of the version information in both places.
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

    /// Draws a finder pattern and its separator around a centre.
    private mutating func drawFinder(_ row: Int, _ column: Int) {
        for (down, right) in Self.offsets(4) {
            let place = (row: row + down, column: column + right)
            guard 0..<size ~= place.row, 0..<size ~= place.column else { continue }
            let distance = max(abs(down), abs(right))
            setFunction(place.row, place.column, isDark: distance != 2 && distance != 4)
        }
    }

    /// Draws all alignment patterns except those that would overlap the finders.
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

extension QRGrid {
    /// Fills the modules that belong to no pattern.
    ///
    /// Pairs of columns are filled from the right, alternately upwards and downwards.
    ///
    /// Modules without a codeword stay light.
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

    /// Returns the right column of each pair of columns.
    ///
    /// The vertical timing pattern belongs to no pair.
    private static func columnPairs(_ size: Int) -> [Int] {
        Array(stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1]
    }
}

extension QRGrid {
    /// The penalty for patterns that confuse readers.
    ///
    /// The best mask has the lowest penalty.
    var penalty: Int {
        let rows = (0..<size).map { row in (0..<size).map { self[row, $0] } }
        let columns = (0..<size).map { column in (0..<size).map { self[$0, column] } }
        let lines = rows + columns
        return lines.reduce(blockPenalty + balancePenalty) { $0 + Self.runs($1) + Self.finderLikes($1) }
    }

    /// Returns three points for each run of five modules of one colour, and one point for each additional module.
    private static func runs(_ line: [Bool]) -> Int {
        var penalty = 0
        var length = 0
        for (index, module) in line.enumerated() {
            length = index > 0 && line[index - 1] == module ? length + 1 : 1
            if length == 5 { penalty += 3 } else if length > 5 { penalty += 1 }
        }
        return penalty
    }

    /// Returns forty points for each pattern that resembles a finder and has four light modules on at least one side.
    ///
    /// Modules outside the code count as light.
    private static func finderLikes(_ line: [Bool]) -> Int {
        let margin = [Bool](repeating: false, count: 4)
        let line = margin + line + margin
        let starts = (4...line.count - 4 - finder.count).filter { start in
            line[start..<start + finder.count].elementsEqual(finder)
        }
        return starts.reduce(0) { penalty, start in
            let before = line[start - 4..<start]
            let after = line[start + finder.count..<start + finder.count + 4]
            return penalty + (before.contains(true) && after.contains(true) ? 0 : 40)
        }
    }

    private static let finder = [true, false, true, true, true, false, true]

    /// The penalty for squares: three points for each square of two by two modules of one colour.
    private var blockPenalty: Int {
        var blocks = 0
        for row in 1..<size {
            for column in 1..<size {
                let module = self[row, column]
                guard self[row - 1, column] == module, self[row, column - 1] == module else { continue }
                if self[row - 1, column - 1] == module { blocks += 1 }
            }
        }
        return 3 * blocks
    }

    /// The penalty for imbalance: ten points for each five per cent by which the share of dark modules differs from
    /// half.
    private var balancePenalty: Int {
        let dark = (0..<size).reduce(0) { sum, row in
            sum + (0..<size).filter { self[row, $0] }.count
        }
        return abs(20 * dark - 10 * size * size) / (size * size) * 10
    }
}

/// The rule that selects which data modules are inverted, so that few patterns in the data confuse readers.
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
    /// Returns the grid with masked data and with the format information.
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

/// The format and the version of a QR code, each with the check bits of its own BCH code.
enum QRInformation {
    /// Returns the 15 bits of the level and the mask.
    static func format(_ level: QRErrorCorrection, _ mask: QRMask) -> Int {
        protected(level.indicator << 3 | mask.rawValue, generator: 0b101_0011_0111, degree: 10)
            ^ 0b101_0100_0001_0010
    }

    /// Returns the 18 bits of the version, for version 7 and later.
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

extension QRGrid {
    /// How much a reader may be confused; the mask with the lowest penalty is the best.
    var penalty: Int {
        let rows = (0..<size).map { row in (0..<size).map { self[row, $0] } }
        let columns = (0..<size).map { column in (0..<size).map { self[$0, column] } }
        let lines = rows + columns
        return lines.reduce(blockPenalty + balancePenalty) { $0 + Self.runs($1) + Self.finderLikes($1) }
    }

    /// Three points for five modules of one colour in a row, and one for each more.
    private static func runs(_ line: [Bool]) -> Int {
        var penalty = 0
        var length = 0
        for (index, module) in line.enumerated() {
            length = index > 0 && line[index - 1] == module ? length + 1 : 1
            if length == 5 { penalty += 3 } else if length > 5 { penalty += 1 }
        }
        return penalty
    }

    /// Forty points for what looks like a finder with four light modules on a side; around the code all is light.
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

    /// Three points for every two by two modules of one colour.
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

    /// Ten points for every five per cent that the dark modules are away from half of all.
    private var balancePenalty: Int {
        let dark = (0..<size).reduce(0) { sum, row in
            sum + (0..<size).filter { self[row, $0] }.count
        }
        return abs(20 * dark - 10 * size * size) / (size * size) * 10
    }
}

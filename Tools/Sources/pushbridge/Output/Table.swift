/// A table in plain text, columns aligned.
struct Table {
    /// How a column is aligned.
    enum Alignment {
        case left
        case right
    }

    private let columns: [(title: String, alignment: Alignment)]
    private var rows: [[String]] = []

    init(_ columns: (title: String, alignment: Alignment)...) {
        self.columns = columns
    }

    mutating func add(_ cells: String...) {
        rows.append(cells)
    }

    var isEmpty: Bool { rows.isEmpty }

    /// The table with its titles, a line per row; the last column is not padded.
    var text: String {
        let all = [columns.map(\.title)] + rows
        let cells = all.map { row in columns.indices.map { Self.clean(row[$0], limit: limit(of: $0)) } }
        let widths = columns.indices.map { column in cells.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        return cells.map { line($0, widths: widths) + "\n" }.joined()
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        let padded = columns.indices.map { column in
            let space = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(cells[column])))
            return columns[column].alignment == .right ? space + cells[column] : cells[column] + space
        }
        return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }

    /// How many characters a cell may have: the last column, which holds sentences, has more room.
    private func limit(of column: Int) -> Int { column == columns.count - 1 ? 120 : 60 }

    /// One line, cut in the middle if it is long, with nothing that could steer a terminal.
    private static func clean(_ cell: String, limit: Int) -> String {
        let visible = String(cell.unicodeScalars.map { $0.properties.isControl ? " " : Character($0) })
        guard visible.count > limit else { return visible }
        return "\(visible.prefix(limit - 20))…\(visible.suffix(19))"
    }
}

extension Character {
    /// Whether the character could steer a terminal or turn the direction of a line.
    var isControl: Bool { unicodeScalars.contains { $0.properties.isControl } }
}

extension Unicode.Scalar.Properties {
    /// Whether the scalar could steer a terminal or turn the direction of a line.
    fileprivate var isControl: Bool {
        switch generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: !isJoinControl
        default: false
        }
    }
}

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
        let widths = columns.indices.map { column in
            all.map { DisplayWidth.of(Self.clean($0[column])) }.max() ?? 0
        }
        return all.map { line($0, widths: widths) + "\n" }.joined()
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        let padded = columns.indices.map { column in
            let cell = Self.clean(cells[column])
            let space = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(cell)))
            return columns[column].alignment == .right ? space + cell : cell + space
        }
        return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }

    /// One line, short enough to read, with nothing that could steer a terminal.
    private static func clean(_ cell: String) -> String {
        let visible = String(cell.unicodeScalars.map { $0.properties.isControl ? " " : Character($0) })
        guard visible.count > 60 else { return visible }
        return "\(visible.prefix(40))…\(visible.suffix(19))"
    }
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

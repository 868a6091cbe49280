/// A table in plain text with aligned columns.
public struct Table: Sendable {
    /// The alignment of a column.
    public enum Alignment: Sendable {
        /// Left-aligned, for text.
        case left
        /// Right-aligned, for numbers.
        case right
    }

    private let columns: [(title: String, alignment: Alignment)]
    private var rows: [[String]] = []
    /// The maximum number of characters in a cell; a cell of the last column, which contains sentences, may always
    /// have 120.
    public var limit = 60

    /// Creates a table without rows.
    /// - Parameter columns: The title and the alignment of each column.
    public init(_ columns: (title: String, alignment: Alignment)...) {
        self.columns = columns
    }

    /// Creates a table without rows.
    /// - Parameter columns: The title and the alignment of each column.
    public init(_ columns: [(title: String, alignment: Alignment)]) {
        self.columns = columns
    }

    /// Adds a row.
    /// - Parameter cells: One cell for each column.
    public mutating func add(_ cells: String...) {
        rows.append(cells)
    }

    /// Adds a row.
    /// - Parameter cells: One cell for each column.
    public mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    /// Whether the table has no rows.
    public var isEmpty: Bool { rows.isEmpty }

    /// The table with its titles, fitted to the width of the terminal.
    ///
    /// Lines have no spaces at their ends.
    public var text: String { text(columns: Terminal.width) }

    /// Returns the table with its titles, fitted to the given width.
    ///
    /// In a table that is too wide, the last column is wrapped if it is left-aligned and keeps at least a third of the
    /// width and at least 12 characters. If the column cannot be wrapped, each row becomes a list of its cells with
    /// their titles.
    /// - Parameter width: The width; `nil` prints each row in one line of any length.
    /// - Returns: The lines of the table.
    func text(columns width: Int?) -> String {
        let all = [columns.map(\.title)] + rows
        let cells = all.map { row in columns.indices.map { Self.clean(row[$0], limit: limit(of: $0)) } }
        var widths = columns.indices.map { column in cells.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        let lines: [String]
        let whole = widths.reduce(0, +) + 2 * (columns.count - 1)
        if let width, whole > width, let last = widths.last {
            let room = width - (whole - last)
            guard room >= max(12, width / 3), columns.last?.alignment == .left else {
                return stacked(Array(cells.dropFirst()), width)
            }
            widths[widths.count - 1] = room
            lines = cells.flatMap { row -> [String] in
                let parts = row[row.count - 1].wrapped(to: room)
                return parts.enumerated().map { index, part in
                    let others = row.dropLast().map { index == 0 ? $0 : "" }
                    return line(others + [part], widths: widths)
                }
            }
        } else {
            lines = cells.map { line($0, widths: widths) }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Returns the rows as lists of their cells, without empty cells, separated by empty lines.
    private func stacked(_ rows: [[String]], _ width: Int) -> String {
        rows.map { row in
            columns.indices.filter { !row[$0].isEmpty }.flatMap { column in
                "\(columns[column].title): \(row[column])".wrapped(to: width, indent: 2)
            }
            .map { $0 + "\n" }.joined()
        }
        .joined(separator: "\n")
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        let padded = columns.indices.map { column in
            let space = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(cells[column])))
            return columns[column].alignment == .right ? space + cells[column] : cells[column] + space
        }
        var line = padded.joined(separator: "  ")
        while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
        return line
    }

    private func limit(of column: Int) -> Int { column == columns.count - 1 ? max(limit, 120) : limit }

    /// Returns the cell as one line.
    ///
    /// Long cells are truncated in the middle, and spaces replace control characters.
    private static func clean(_ cell: String, limit: Int) -> String {
        // A table may have a hundred thousand cells. Most of them are short and contain only ASCII, so they
        // need no further work.
        if cell.utf8.count <= limit, cell.isPrintableASCII { return cell }
        // The cell is truncated before it is measured, because a key may be megabytes long. A character rarely
        // has more than eight scalars.
        let room = 8 * limit
        let scalars = cell.unicodeScalars
        let isLong = !scalars.dropFirst(2 * room).isEmpty
        // Each end is converted separately, because the whole text would be copied if the ends were joined
        // first.
        let ends = [scalars.prefix(room), scalars.suffix(room)].map { String(Substring($0)) }
        let visible = (isLong ? ends.joined() : cell).visible
        guard visible.count > limit else { return visible }
        return "\(visible.prefix(limit - 20))…\(visible.suffix(19))"
    }
}

/// The number of terminal cells that a string occupies.
public enum DisplayWidth {
    /// Returns the width of a line of text.
    /// - Parameter text: The text.
    /// - Returns: The width in cells.
    public static func of(_ text: String) -> Int {
        text.isPrintableASCII ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    private static func of(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(first.value) ? 2 : 1
        }
    }

    /// Returns whether a scalar is in a block that Unicode's East Asian Width defines as wide.
    private static func isWide(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }
}

extension String {
    /// Returns the text, broken into lines of at most the given width.
    ///
    /// Lines are broken at spaces, or inside a word that is wider than a line.
    /// - Parameters:
    ///   - width: The width of a line.
    ///   - indent: The number of spaces at the start of each line except the first.
    /// - Returns: The lines. For an empty text, there is one empty line.
    func wrapped(to width: Int, indent: Int = 0) -> [String] {
        var lines: [String] = []
        var line = ""
        func end() {
            lines.append(line)
            line = String(repeating: " ", count: indent)
        }
        var isFirst = true
        for word in split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
            let used = DisplayWidth.of(line)
            if isFirst {
                line += word
            } else if used + 1 + DisplayWidth.of(word) <= width {
                line += " " + word
            } else {
                end()
                line += word
            }
            isFirst = false
            while DisplayWidth.of(line) > width, line.count > indent + 1 {
                var part = line
                while DisplayWidth.of(part) > width, part.count > indent + 1 { part.removeLast() }
                let rest = line.dropFirst(part.count)
                line = part
                end()
                line += rest
            }
        }
        return lines + [line]
    }

    /// Whether every byte is a printable ASCII character, which occupies one cell.
    fileprivate var isPrintableASCII: Bool { utf8.allSatisfy { 0x20...0x7E ~= $0 } }
}

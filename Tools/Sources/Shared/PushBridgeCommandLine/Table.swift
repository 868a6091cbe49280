/// A table in plain text, columns aligned.
public struct Table {
    /// How a column is aligned.
    public enum Alignment: Sendable {
        /// Left-aligned, for text.
        case left
        /// Right-aligned, for numbers.
        case right
    }

    private let columns: [(title: String, alignment: Alignment)]
    private var rows: [[String]] = []
    /// The maximum number of characters in a cell, except in the last column, which contains sentences.
    public var limit = 60

    /// Creates a table without rows.
    /// - Parameter columns: The title and the alignment of each column.
    public init(_ columns: (title: String, alignment: Alignment)...) {
        self.columns = columns
    }

    /// Adds a row.
    /// - Parameter cells: One cell for each column.
    public mutating func add(_ cells: String...) {
        rows.append(cells)
    }

    /// Whether there is no row.
    public var isEmpty: Bool { rows.isEmpty }

    /// The table with its titles, one line per row; the last column is not padded.
    public var text: String {
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
        var line = padded.joined(separator: "  ")
        while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
        return line
    }

    private func limit(of column: Int) -> Int { column == columns.count - 1 ? max(limit, 120) : limit }

    /// The cell as one line, truncated in the middle if it is long, with control characters escaped.
    private static func clean(_ cell: String, limit: Int) -> String {
        // Most cells are short and ASCII, and there may be a hundred thousand.
        if cell.utf8.count <= limit, cell.isPrintableASCII { return cell }
        // Truncates before measuring, because a key may have megabytes. A character rarely has more than eight scalars.
        let room = 8 * limit
        let scalars = cell.unicodeScalars
        let isLong = !scalars.dropFirst(2 * room).isEmpty
        // Converts each end separately, because a joined view would copy the whole text.
        let ends = [scalars.prefix(room), scalars.suffix(room)].map { String(Substring($0)) }
        let visible = (isLong ? ends.joined() : cell).visible
        guard visible.count > limit else { return visible }
        return "\(visible.prefix(limit - 20))…\(visible.suffix(19))"
    }
}

/// The number of terminal cells that a text occupies.
public enum DisplayWidth {
    /// Measures a text of one line.
    /// - Parameter text: The text.
    /// - Returns: Its width in cells.
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

    /// The blocks that Unicode's East Asian Width defines as wide.
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
    /// Whether each byte is a printable character of one cell.
    fileprivate var isPrintableASCII: Bool { utf8.allSatisfy { 0x20...0x7E ~= $0 } }
}

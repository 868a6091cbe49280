extension QRCode {
    /// The light margin that the standard asks for, in modules.
    static let standardMargin = 4
    /// The margin with which phones still read a code from a screen.
    static let narrowMargin = 2

    /// The code in half blocks, two rows of modules to a line of text.
    func halfBlocks(margin: Int = standardMargin) -> [String] {
        let columns = -margin..<size + margin
        return stride(from: -margin, to: size + margin, by: 2).map { row in
            columns.reduce(into: "") { line, column in
                switch (self[row, column], self[row + 1, column]) {
                case (true, true): line.append("█")
                case (true, false): line.append("▀")
                case (false, true): line.append("▄")
                case (false, false): line.append(" ")
                }
            }
        }
    }

    /// The code for a terminal so many columns wide, in black on white whatever the terminal's own colours are;
    /// `nil` if it does not fit.
    func terminalText(columns: Int) -> String? {
        let margins = [Self.standardMargin, Self.narrowMargin]
        guard let margin = margins.first(where: { size + 2 * $0 <= columns }) else { return nil }
        // Colours 16 and 231 of the 256 are black and white in every theme.
        return halfBlocks(margin: margin)
            .map { "\u{1B}[38;5;16;48;5;231m\($0)\u{1B}[0m\n" }
            .joined()
    }
}

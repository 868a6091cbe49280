/// The modules of a code while it is made.
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

    /// Whether a module belongs to a pattern, so that it holds no data and is not masked.
    func hasFunction(_ row: Int, _ column: Int) -> Bool { hasFunction[row * size + column] }

    /// Sets a module of a pattern.
    mutating func setFunction(_ row: Int, _ column: Int, isDark: Bool) {
        self[row, column] = isDark
        hasFunction[row * size + column] = true
    }
}

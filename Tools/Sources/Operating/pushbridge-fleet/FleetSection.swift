import PushBridgeCommandLine

/// One table of a fleet's report.
struct FleetSection {
    /// The maximum number of rows that a terminal or a page shows.
    private static let shown = 40

    let title: String
    let columns: [(title: String, alignment: Table.Alignment)]
    let rows: [[String]]
    /// A sentence that explains words in the table; `nil` if none needs an explanation.
    var note: String?

    /// The rows that a terminal or a page shows.
    var head: [[String]] { Array(rows.prefix(Self.shown)) }
    /// The sentence about the omitted rows; `nil` if all rows are shown.
    var rest: String? {
        rows.count > Self.shown ? "… and \(rows.count - Self.shown) more; --json has all." : nil
    }

    var text: String {
        var table = Table(columns)
        table.limit = 400
        for row in head { table.add(row) }
        return ([table.text] + [rest, note].compactMap(\.self).map { "\($0)\n" }).joined()
    }
}

/// The counts of the events, faults and outcomes in simulated lives.
///
/// It is `@unchecked`, because only the thread of a life changes the life's counts. They are merged with the counts of
/// other lives after the life has ended.
package final class Coverage: @unchecked Sendable {
    package struct Cell: Hashable, Sendable {
        package let table: Table
        package let row: String
        package let column: String

        static func fault(_ name: String, at operation: Operation) -> Cell {
            Cell(table: .faults, row: name, column: operation.rawValue)
        }

        static func event(_ name: String, in state: PlacingState) -> Cell {
            Cell(table: .states, row: name, column: state.rawValue)
        }

        static func store(_ store: Setup.StoreKind, _ event: String) -> Cell {
            Cell(table: .stores, row: event, column: store.rawValue)
        }

        static func outcome(_ name: String, in state: PlacingState) -> Cell {
            Cell(table: .outcomes, row: name, column: state.rawValue)
        }
    }

    package enum Table: String, CaseIterable, Sendable {
        case states = "Events, by the place of the records"
        case outcomes = "Outcomes of starts, by the place of the records afterwards"
        case stores = "Events, by the store"
        case faults = "Faults, by the operation that they affected"

        fileprivate var columns: [String] {
            switch self {
            case .states, .outcomes: PlacingState.allCases.map(\.rawValue)
            case .stores: Setup.StoreKind.allCases.map(\.rawValue)
            case .faults: Operation.allCases.map(\.rawValue)
            }
        }
    }

    private var counts: [Cell: Int] = [:]

    package init() {}

    func count(_ cell: Cell) { counts[cell, default: 0] += 1 }

    package func add(_ other: Coverage) {
        counts.merge(other.counts, uniquingKeysWith: +)
    }

    /// The tables as text.
    ///
    /// A cell without events is printed as `0`. An impossible event is printed as `–`, and a note below the table
    /// states the reason.
    package var tables: [String] {
        Table.allCases.map { table in
            let cells = counts.filter { $0.key.table == table }
            let rows = Set(cells.keys.map(\.row)).sorted()
            var notes: Set<String> = []
            var lines = [[table.rawValue] + table.columns]
            for row in rows {
                lines.append(
                    [row]
                        + table.columns.map { column in
                            if let count = counts[Cell(table: table, row: row, column: column)] {
                                return "\(count)"
                            }
                            guard let reason = Self.impossible(table, row, column) else { return "0" }
                            notes.insert(reason)
                            return "–"
                        }
                )
            }
            let widths = (0...table.columns.count).map { index in lines.map { $0[index].count }.max() ?? 0 }
            let text = lines.map { line in
                zip(line, widths).enumerated().map { index, cell in
                    let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                    return index == 0 ? cell.0 + padding : padding + cell.0
                }.joined(separator: "  ")
            }
            return (text + notes.sorted().map { "  – \($0)" }).joined(separator: "\n") + "\n"
        }
    }

    /// Returns the cells with counts below `limit`, except the cells of impossible events.
    package func gaps(below limit: Int) -> [String] {
        Table.allCases.flatMap { table in
            let rows = Set(counts.keys.filter { $0.table == table }.map(\.row)).sorted()
            return rows.flatMap { row in
                table.columns.compactMap { column in
                    counts[Cell(table: table, row: row, column: column), default: 0] < limit
                        && Self.impossible(table, row, column) == nil
                        ? "\(table.rawValue): \(row), \(column)" : nil
                }
            }
        }
    }

    /// Returns the reason why the event of a cell is impossible; `nil` if it is possible.
    private static func impossible(_ table: Table, _ row: String, _ column: String) -> String? {
        switch table {
        case .stores where column == Setup.StoreKind.ownStorage.rawValue:
            return "an app with its own storage has no legacy items"
        case .faults:
            guard let operation = Operation(rawValue: column) else { return nil }
            if row.hasPrefix("killed") { return nil }
            if row == "write lost" {
                return operation == .add || operation == .update ? nil : "only a write can be lost"
            }
            if row == "no network" { return operation.isOfNetwork ? nil : "only requests use the network" }
            if row == "refused" {
                if operation == .committed { return "a committed transaction is never refused" }
                return operation.isOfStore ? nil : "only operations of a store are refused without a status"
            }
            return operation.isOfKeychain ? nil : "only the keychain returns a status"
        case .states where row.hasSuffix("at once") && column == PlacingState.movingBack.rawValue:
            return nil
        case .states where row == "async API" && column != PlacingState.movingBack.rawValue:
            return column == PlacingState.moved.rawValue ? nil : "the async API is used only after a move"
        case .states where row == "successor SDK" && column != PlacingState.moved.rawValue:
            return "the successor SDK does not know the legacy items"
        case .states, .stores, .outcomes: return nil
        }
    }
}

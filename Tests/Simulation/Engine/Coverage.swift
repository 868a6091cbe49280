/// Counts what lives met.
package final class Coverage: @unchecked Sendable {
    // Touched by the thread of one life, and merged afterwards.
    /// What is counted.
    package struct Cell: Hashable, Comparable, Sendable {
        package let table: String
        package let row: String
        package let column: String

        package static func fault(_ name: String, at operation: Operation) -> Cell {
            Cell(table: "faults at operations", row: name, column: operation.rawValue)
        }

        package static func event(_ name: String, in state: PlacingState) -> Cell {
            Cell(table: "events in states", row: state.rawValue, column: name)
        }

        package static func store(_ store: Setup.StoreKind, _ event: String) -> Cell {
            Cell(table: "events by store", row: store.rawValue, column: event)
        }

        package static func < (one: Cell, other: Cell) -> Bool {
            (one.table, one.row, one.column) < (other.table, other.row, other.column)
        }
    }

    package private(set) var counts: [Cell: Int] = [:]

    package init() {}

    package func count(_ cell: Cell) { counts[cell, default: 0] += 1 }

    package func add(_ other: Coverage) {
        counts.merge(other.counts, uniquingKeysWith: +)
    }
}

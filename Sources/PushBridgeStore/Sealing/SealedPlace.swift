import PushBridgeCore

/// The table, column and row a sealed value belongs to.
///
/// The names of tables and columns are part of what is sealed, so neither is ever renamed.
struct SealedPlace {
    let table: String
    let column: String
    let row: String

    /// What the seal covers beside the value; no name holds a zero, so no two places look alike.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(table.utf8.count + column.utf8.count + row.utf8.count + 2)
        bytes.append(contentsOf: table.utf8)
        bytes.append(0)
        bytes.append(contentsOf: column.utf8)
        bytes.append(0)
        bytes.append(contentsOf: row.utf8)
        return bytes
    }

    var damage: StoreError {
        StoreError(
            .damaged,
            record: row,
            reason: "The sealed \(column) in \(table) does not open: it was moved, cut or changed."
        )
    }
}

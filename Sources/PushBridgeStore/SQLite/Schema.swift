import GRDB
import PushBridgeCore

/// The tables of a store, which are defined by named steps from one version to the next.
///
/// A released step never changes; a new version appends a step. Dates are seconds since 2001. With `STRICT`, SQLite
/// rejects values of the wrong type.
///
/// One table contains all records, because a store searches all of them by the same columns:
///
/// | column | |
/// | --- | --- |
/// | `sequence` | the order in which records were first stored |
/// | `kind` | the number of the `RecordKind` |
/// | `id` | the record's id as text; its keyed hash as a blob if ``RecordKind/idIsPersonal`` is `true` |
/// | `owner`, `alias` | keyed hashes of the record's owner and alias |
/// | `date` | the date by which records are ordered |
/// | `is_open` | 1 if the record is open, otherwise 0 |
/// | `form` | the value, sealed together with the store's number and all other columns except `sequence` |
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { db in
            try db.execute(sql: version1)
        }
        return migrator
    }

    /// The names of all tables and indexes, as a list of SQL string literals.
    static let names = [
        "grdb_migrations", "key_check", "record", "record_by_id", "record_by_owner", "record_by_alias",
        "notification_by_date", "open_record",
    ].map { "'\($0)'" }.joined(separator: ", ")

    private static let version1 = """
        CREATE TABLE key_check (
            id TEXT PRIMARY KEY NOT NULL,
            proof BLOB NOT NULL
        ) STRICT;
        CREATE TABLE record (
            sequence INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,
            id ANY NOT NULL,
            owner BLOB,
            alias BLOB,
            date REAL NOT NULL,
            is_open INTEGER NOT NULL,
            form BLOB NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX record_by_id ON record (kind, id);
        CREATE INDEX record_by_owner ON record (kind, owner, date, id) WHERE owner IS NOT NULL;
        CREATE INDEX record_by_alias ON record (kind, alias, date, id) WHERE alias IS NOT NULL;
        CREATE INDEX notification_by_date ON record (kind, date, id) WHERE kind = 4;
        CREATE INDEX open_record ON record (kind, date, id) WHERE is_open = 1;
        """
}

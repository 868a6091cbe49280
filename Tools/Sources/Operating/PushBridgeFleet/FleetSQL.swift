import CredentialMigration
import Foundation
import PushBridgeCore

/// The database engines for which the command prints SQL.
public enum FleetDialect: String, CaseIterable, Sendable {
    /// SQLite, which the command itself uses.
    case sqlite
    /// DuckDB.
    case duckdb
    /// PostgreSQL.
    case postgresql

    /// The statements that create the tables.
    public var schema: String {
        switch self {
        case .sqlite: Self.text(PackageResources.schema_sqlite_sql)
        case .duckdb: Self.text(PackageResources.schema_duckdb_sql)
        case .postgresql: Self.text(PackageResources.schema_postgresql_sql)
        }
    }

    /// The statements that convert the lines of the table `lines` to rows.
    public var load: String {
        switch self {
        case .sqlite: Self.text(PackageResources.load_sqlite_sql)
        case .duckdb: Self.text(PackageResources.load_duckdb_sql)
        case .postgresql: Self.text(PackageResources.load_postgresql_sql)
        }
    }

    /// The schema, the loading statements and the queries in the order of execution, each after a line `-- @ name`.
    public var script: String {
        let parts =
            [("schema", schema), ("load", load), ("attempts", FleetQuery.attempts)]
            + FleetQuery.allCases.map { ($0.rawValue, $0.sql) }
        return parts.map { "-- @ \($0)\n\($1)" }.joined(separator: "\n")
    }

    /// Returns the text of a SQL file, with the common ``placeholders`` and those of a grouping replaced.
    static func text(_ bytes: [UInt8], by grouping: FleetGrouping = .release) -> String {
        let replaced = placeholders + grouping.placeholders
        return replaced.reduce(String(decoding: bytes, as: UTF8.self)) { text, placeholder in
            text.replacingOccurrences(of: "{\(placeholder.name)}", with: placeholder.sql)
        }
    }

    /// The texts that replace the placeholders: lists of known outcomes, reasons and steps, and the ranks of outcomes.
    ///
    /// Events of newer versions may contain outcomes and reasons that are not in these lists.
    private static let placeholders: [(name: String, sql: String)] = {
        let outcomes = MigrationEvent.Outcome.allCases
        let severities = outcomes.map { "WHEN '\($0.rawValue)' THEN \($0.severity)" }
        let outcomesBySeverity = outcomes.map { "WHEN \($0.severity) THEN '\($0.rawValue)'" }
        return [
            ("arrived", list(MigrationOutcome.allCases.filter(\.isRetirable))),
            ("unreadable", list(MigrationReason.allCases.filter { $0.measure == .unreadable })),
            ("harmless", list(MigrationReason.allCases.filter { !$0.isFaultOfMigration })),
            ("steps", list(MigrationGate.Step.allCases)),
            ("pushSteps", list(PushMilestone.Kind.allCases)),
            ("outcomes", list(outcomes)),
            ("failed", list(outcomes.filter { $0.measure == .failed })),
            ("incomplete", list(outcomes.filter(\.isIncomplete))),
            ("moved", list(outcomes.filter(\.hasMoved))),
            ("severities", severities.joined(separator: " ")),
            ("severityOfPartial", "\(MigrationEvent.Outcome.partial.severity)"),
            ("outcomesBySeverity", outcomesBySeverity.joined(separator: " ")),
        ]
    }()

    private static func list(_ names: [some RawRepresentable<String>]) -> String {
        names.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    }
}

/// The columns by which a query groups attempts.
enum FleetGrouping {
    case release
    case system
    case day

    private var columns: [String] {
        switch self {
        case .release: ["step", "app_version"]
        case .system: ["step", "app_version", "system_version"]
        case .day: ["step", "app_version", "day"]
        }
    }

    private var words: String {
        switch self {
        case .release: "release"
        case .system: "release and system version"
        case .day: "release and day"
        }
    }

    /// The placeholders that depend on the grouping.
    ///
    /// They stand for the names of the columns (without a table, and with the tables `a` and `o`), for the condition
    /// that joins the tables `g` and `o`, and for the grouping in words.
    fileprivate var placeholders: [(name: String, sql: String)] {
        let lists = ["", "a.", "o."].map { table in
            (name: "\(table)columns", sql: columns.map { table + $0 }.joined(separator: ", "))
        }
        let sameGroup = columns.map { "g.\($0) = o.\($0)" }.joined(separator: " AND ")
        return lists + [("sameGroup", sameGroup), ("grouping", words)]
    }
}

extension MigrationEvent.Outcome {
    /// The measure of a phone with this outcome, as in `docs/fleet.md`; `nil` if only the records decide.
    var measure: FleetMeasure? {
        switch self {
        case .failed, .interrupted: .failed
        case .locked: .locked
        case .held: .held
        case .complete, .partial, .nothingToDo: nil
        }
    }

    /// The rank of the outcome; if the events of an attempt differ, the outcome with the highest rank counts.
    var severity: Int {
        switch self {
        case .nothingToDo: 1
        case .complete: 2
        case .locked: 3
        case .partial: 4
        case .held: 5
        case .interrupted: 6
        case .failed: 7
        }
    }

    /// Whether some records did not arrive, so that their reasons count.
    var isIncomplete: Bool { self == .partial || self == .locked }

    /// Whether every record arrived, or there was no record.
    var hasMoved: Bool { self == .complete || self == .nothingToDo }
}

extension MigrationReason {
    /// The measure of a phone with this reason, as in `docs/fleet.md`; `nil` for records that are kept, and for an
    /// attempt after a reset of the roll-out's state.
    var measure: FleetMeasure? {
        switch self {
        case .otherSecret, .otherEndpoints, .otherCodes, .otherPush, .otherDeviceToken,
            .unreadableDestination,
            .conflict, .refused:
            .refused
        case .damaged, .invalidField, .invalidSecret, .undecryptable, .unsupported, .unusableSource,
            .repeatedId:
            .unreadable
        case .notReadBack: .unproven
        case .locked, .sourceLocked, .storeLocked: .locked
        case .sourceUnreadable, .sourceChanged, .sourceNotWritable, .storeFailed, .other: .failed
        case .noCredential, .otherAccount, .stateReset: nil
        }
    }

    /// Whether a record counts as refused if this is the reason why it was not stored.
    var isFaultOfMigration: Bool { measure == .refused || measure == .failed }
}

/// The queries about a fleet; each runs unchanged on every engine.
public enum FleetQuery: String, CaseIterable, Sendable {
    /// The numbers of events, attempts and records.
    case totals
    /// The numbers of phones by outcome and release.
    case outcomesByRelease = "outcomes_by_release"
    /// The numbers of phones by outcome, release and system version.
    case outcomesBySystem = "outcomes_by_system"
    /// The numbers of phones by outcome, release and day.
    case outcomesByDay = "outcomes_by_day"
    /// The numbers of phones in trouble, by release.
    case sharesByRelease = "shares_by_release"
    /// The numbers of phones in trouble, by release and system version.
    case sharesBySystem = "shares_by_system"
    /// The reasons why records did not arrive.
    case reasons
    /// The records that arrived but were not verified.
    case unproven
    /// Attempts without an outcome, and phones that the guard holds back.
    case guards
    /// The durations of attempts.
    case durations
    /// The numbers of push notifications by release, step, result and delay; events of pushes belong to no attempt.
    case pushes
    /// The durations of attempts by system version.
    case durationsBySystem = "durations_by_system"
    /// The reasons why records did not arrive, by system version.
    case reasonsBySystem = "reasons_by_system"
    /// Each phone's first three attempts, by release and day.
    case daysByRelease = "days_by_release"
    /// Each phone's first three attempts, by release, system version and day.
    case daysBySystem = "days_by_system"
    /// By release, step and day: the number of attempts, and the largest number of attempts that are alike.
    case forms
    /// By release, system version and attempt number: the numbers of phones that rehearsed, tried to move, moved,
    /// compared or removed their records.
    case phones

    /// The text of the query.
    public var sql: String {
        switch self {
        case .totals: FleetDialect.text(PackageResources.totals_sql)
        case .outcomesByRelease: FleetDialect.text(PackageResources.outcomes_sql)
        case .outcomesBySystem: FleetDialect.text(PackageResources.outcomes_sql, by: .system)
        case .outcomesByDay: FleetDialect.text(PackageResources.outcomes_sql, by: .day)
        case .sharesByRelease: FleetDialect.text(PackageResources.shares_sql)
        case .sharesBySystem: FleetDialect.text(PackageResources.shares_sql, by: .system)
        case .reasons: FleetDialect.text(PackageResources.reasons_sql)
        case .unproven: FleetDialect.text(PackageResources.unproven_sql)
        case .guards: FleetDialect.text(PackageResources.guards_sql)
        case .durations: FleetDialect.text(PackageResources.durations_sql)
        case .pushes: FleetDialect.text(PackageResources.pushes_sql)
        case .durationsBySystem: FleetDialect.text(PackageResources.durations_sql, by: .system)
        case .reasonsBySystem: FleetDialect.text(PackageResources.reasons_sql, by: .system)
        case .daysByRelease: FleetDialect.text(PackageResources.days_by_release_sql)
        case .daysBySystem: FleetDialect.text(PackageResources.days_by_system_sql)
        case .forms: FleetDialect.text(PackageResources.forms_sql)
        case .phones: FleetDialect.text(PackageResources.phones_sql)
        }
    }

    /// The statement that creates the table `attempts`, which the queries read.
    public static let attempts = FleetDialect.text(PackageResources.attempts_sql)

    /// The JSON name of the query's rows, such as `outcomesByRelease`.
    public var member: String { Self.camelCase(rawValue) }

    /// Converts a name in snake case to camel case.
    static func camelCase(_ name: String) -> String {
        let words = name.split(separator: "_")
        return words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
    }
}

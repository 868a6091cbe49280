import CredentialMigration
import Foundation
import PushBridgeCommandLine
import PushBridgeCore

/// The numbers of phones on which the release is installed; events do not contain these numbers.
public struct FleetInstalled: Equatable, Sendable {
    /// The number of all phones; `nil` if unknown.
    public var total: Int?
    /// The numbers of phones by system version; versions with unknown numbers are missing.
    public var systems: [String: Int]

    /// Creates the numbers of installed phones.
    /// - Parameters:
    ///   - total: The number of all phones; by default the sum of the system versions.
    ///   - systems: The numbers of phones by system version.
    public init(total: Int? = nil, systems: [String: Int] = [:]) {
        self.total = total ?? (systems.isEmpty ? nil : systems.values.reduce(0, +))
        self.systems = systems
    }
}

/// The progress of a fleet: lower bounds for the numbers of phones that reached each step, computed from the events.
public struct FleetProgress: Equatable, Sendable {
    /// The number of phones that sent any event.
    public private(set) var seen = 0
    /// The number of phones that rehearsed the migration.
    public private(set) var rehearsed = 0
    /// The number of phones that tried to move their records.
    public private(set) var applied = 0
    /// The number of phones that moved their records, or had none.
    public private(set) var moved = 0
    /// The number of phones that compared both stores.
    public private(set) var compared = 0
    /// The number of phones that removed their legacy records.
    public private(set) var retired = 0
    /// The number of phones with the judged release that the guard holds back.
    public private(set) var held = 0
    /// The number of phones that rehearsed or tried to move on one of the newest days, have not moved, and are
    /// not held back.
    public private(set) var trying = 0

    /// Counts the phones at each step.
    /// - Parameters:
    ///   - answers: The rows of the queries.
    ///   - release: The judged release.
    ///   - days: The number of newest days that count for ``trying``.
    ///   - until: The last day whose events are complete, if it is later than the newest day with an event.
    public init(
        _ answers: [FleetQuery: [FleetDatabase.Row]],
        release: String?,
        days: Int,
        until: Int? = nil
    ) {
        self.init(answers[.phones] ?? [])
        held = (answers[.guards] ?? []).filter { $0["appVersion"]?.plainText == release }
            .reduce(0) { $0 + $1.count("held") }
        seen = max(seen, held)
        let rows = (answers[.outcomesByDay] ?? []).compactMap { row in
            (row["day"]?.plainText).flatMap(FleetCalendar.number).map { (day: $0, row: row) }
        }
        let attempts = rows.reduce(into: [Int: Int]()) { $0[$1.day, default: 0] += $1.row.count("attempts") }
        guard let newest = FleetCalendar.range(attempts)?.upperBound else { return }
        let last = max(newest, until ?? newest)
        let waiting = MigrationEvent.Outcome.allCases.filter { !$0.hasMoved && $0 != .held }.map(\.rawValue)
        trying =
            rows.filter { (last - days + 1...last).contains($0.day) && $0.row["step"]?.plainText == "apply" }
            .filter { waiting.contains($0.row["outcome"]?.plainText ?? "") }
            .map { $0.row.count("phones") }.max() ?? 0
        // A phone rehearses at most once with each attempt number. Moved and held phones may have rehearsed before, so
        // all of them are subtracted.
        var rehearsals: [Int: Int] = [:]
        for row in answers[.daysByRelease] ?? []
        where row["step"]?.plainText == "rehearse" && row["appVersion"]?.plainText == release {
            guard let day = (row["day"]?.plainText).flatMap(FleetCalendar.number),
                (last - days + 1...last).contains(day)
            else { continue }
            rehearsals[row.count("attempt"), default: 0] += row.count("attempts")
        }
        trying = max(trying, (rehearsals.values.max() ?? 0) - moved - held)
    }

    /// Counts the phones in rows of the query `phones`.
    /// - Parameter rows: The rows of all phones, or of the phones with one system version.
    init(_ rows: [FleetDatabase.Row]) {
        // The sum of each column by attempt number.
        var sums: [Int: [String: Int]] = [:]
        let columns = ["rehearsed", "applied", "moved", "compared", "retired"]
        for row in rows {
            for column in columns {
                sums[row.count("attempt"), default: [:]][column, default: 0] += row.count(column)
            }
        }
        func most(_ column: String) -> Int { sums.values.compactMap { $0[column] }.max() ?? 0 }
        (rehearsed, applied, moved) = (most("rehearsed"), most("applied"), most("moved"))
        (compared, retired) = (most("compared"), most("retired"))
        seen = columns.map(most).max() ?? 0
    }

    /// Returns the maximum number of phones that neither moved nor made an attempt lately, and are not held back.
    /// - Parameter installed: The number of phones with the release.
    /// - Returns: The number of phones.
    public func notSeen(of installed: Int) -> Int { max(0, installed - moved - held - trying) }
}

extension FleetDatabase.Row {
    /// Returns the number in a column; 0 if the value is not a number.
    public func count(_ name: String) -> Int {
        if case .integer(let number)? = self[name] { number } else { 0 }
    }
}

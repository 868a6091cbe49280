import CredentialMigration
import Foundation
import PushBridgeCore

/// Counts simulated events without a database, so that many roll-outs can be judged.
///
/// The rows of the tally have only those columns that the verdict reads.
struct FleetTally {
    private struct Key: Hashable {
        let step: String
        let release: String
        let system: String
        let day: String
        let attempt: Int
    }

    private struct Counts {
        var attempts = 0
        var moved = 0
        var completed = 0
        var measures: [FleetMeasure: Int] = [:]

        static func += (sum: inout Counts, other: Counts) {
            sum.attempts += other.attempts
            sum.moved += other.moved
            sum.completed += other.completed
            sum.measures.merge(other.measures, uniquingKeysWith: +)
        }
    }

    private var cells: [Key: Counts] = [:]
    private var known: Set<UUID> = []

    /// Counts an event, unless another event of the same attempt was counted.
    mutating func add(_ event: MigrationEvent) {
        guard known.insert(event.attemptId).inserted else { return }
        var counts = Counts()
        var found: Set<FleetMeasure> = []
        if let measure = event.outcome.measure { found.insert(measure) }
        if event.outcome.isIncomplete {
            if event.reasons.contains(where: { $0.code.measure == .unreadable }) {
                found.insert(.unreadable)
            }
            if event.reasons.contains(where: \.code.isFaultOfMigration) {
                found.insert(.refused)
            }
        }
        if event.counts.contains(where: { !$0.proven && $0.outcome.isRetirable }) {
            found.insert(.unproven)
        }
        if event.duration == .under1min || event.duration == .longer { found.insert(.slow) }
        for measure in found { counts.measures[measure] = 1 }
        if event.outcome != .held { counts.attempts = 1 }
        if event.outcome.hasMoved { counts.moved = 1 }
        if event.outcome == .complete { counts.completed = 1 }
        cells[
            Key(
                step: event.step.rawValue,
                release: event.versions.app,
                system: event.versions.system,
                day: event.day,
                attempt: event.attempt
            ),
            default: .init()
        ] += counts
    }

    /// The rows of most queries that the verdict reads.
    ///
    /// The rows of `forms`, `guards` and `outcomes_by_release` are missing.
    var answers: [FleetQuery: [FleetDatabase.Row]] {
        [
            .sharesByRelease: shares { [$0.step, $0.release] },
            .sharesBySystem: shares { [$0.step, $0.release, $0.system] },
            .daysByRelease: days { [$0.step, $0.release] },
            .daysBySystem: days(least: 500) { [$0.step, $0.release, $0.system] },
            .outcomesByDay: volume, .phones: phones,
        ]
    }

    private static let columns = ["step", "appVersion", "systemVersion"]

    private static func row(_ key: [String], _ numbers: [String: Int]) -> FleetDatabase.Row {
        let names = Dictionary(uniqueKeysWithValues: zip(columns, key.map(JSONValue.string)))
        return names.merging(numbers.mapValues(JSONValue.integer)) { $1 }
    }

    private func sums<Group: Hashable>(_ group: (Key) -> Group?) -> [Group: Counts] {
        var sums: [Group: Counts] = [:]
        for (key, counts) in cells {
            if let group = group(key) { sums[group, default: .init()] += counts }
        }
        return sums
    }

    private func shares(_ group: (Key) -> [String]) -> [FleetDatabase.Row] {
        var rows: [[String]: [String: Int]] = [:]
        for (key, counts) in sums({ Numbered(group: group($0), attempt: $0.attempt) }) {
            rows[key.group, default: [:]].merge(["phones": counts.attempts], uniquingKeysWith: max)
            for measure in FleetMeasure.allCases {
                let count = [measure.rawValue: counts.measures[measure] ?? 0]
                rows[key.group]?.merge(count, uniquingKeysWith: measure == .held ? (+) : max)
            }
        }
        return rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { Self.row($0.key, $0.value) }
    }

    private struct Numbered: Hashable {
        let group: [String]
        var day = ""
        let attempt: Int
    }

    private func days(least: Int = 0, _ group: (Key) -> [String]) -> [FleetDatabase.Row] {
        let first = { (key: Key) in key.attempt <= 3 }
        let events = sums { first($0) ? group($0) : nil }
        let sums = sums { first($0) ? Numbered(group: group($0), day: $0.day, attempt: $0.attempt) : nil }
        return sums.compactMap { key, counts -> (Numbered, FleetDatabase.Row)? in
            let all = events[key.group]
            guard (all?.attempts ?? 0) + (all?.measures[.held] ?? 0) >= least else { return nil }
            var numbers = ["attempt": key.attempt, "attempts": counts.attempts]
            for measure in FleetMeasure.allCases { numbers[measure.rawValue] = counts.measures[measure] ?? 0 }
            var row = Self.row(key.group, numbers)
            row["day"] = .string(key.day)
            return (key, row)
        }
        .sorted {
            ($0.0.group.joined(separator: "\0"), $0.0.day, $0.0.attempt)
                < ($1.0.group.joined(separator: "\0"), $1.0.day, $1.0.attempt)
        }
        .map(\.1)
    }

    /// The attempts by release and day, including held ones; the verdict does not read their outcomes.
    private var volume: [FleetDatabase.Row] {
        sums { [$0.release, $0.day] }.map { key, counts in
            [
                "appVersion": .string(key[0]), "day": .string(key[1]),
                "attempts": .integer(counts.attempts + (counts.measures[.held] ?? 0)),
            ]
        }
    }

    private var phones: [FleetDatabase.Row] {
        var rows: [Numbered: [String: Int]] = [:]
        for (key, counts) in cells {
            let numbers =
                switch key.step {
                case "apply": ["applied": counts.attempts, "moved": counts.moved]
                case "retire": ["retired": counts.completed]
                default: [:] as [String: Int]
                }
            rows[Numbered(group: [key.release, key.system], attempt: key.attempt), default: [:]]
                .merge(numbers, uniquingKeysWith: +)
        }
        return rows.map { key, numbers in
            var row = FleetDatabase.Row(uniqueKeysWithValues: numbers.map { ($0, .integer($1)) })
            row["appVersion"] = .string(key.group[0])
            row["systemVersion"] = .string(key.group[1])
            row["attempt"] = .integer(key.attempt)
            return row
        }
    }
}

import Foundation
import PushBridgeCommandLine
import PushBridgeCore

/// The phones with one release, or with one release and system version, in one step of the migration.
public struct FleetGroup: Equatable, Sendable {
    /// The step of the migration, such as `apply`.
    public let step: String
    /// The release of the app.
    public let release: String
    /// The system version; `nil` for all.
    public let system: String?
    /// The first day of the range of newest days to which the group is limited; `nil` for all days.
    public let since: String?
    /// A lower bound for the number of phones that made an attempt.
    public let phones: Int
    /// Lower bounds for the numbers of phones in trouble, by measure.
    public let counts: [FleetMeasure: Int]

    init(
        step: String,
        release: String,
        system: String?,
        since: String? = nil,
        phones: Int,
        counts: [FleetMeasure: Int]
    ) {
        (self.step, self.release, self.system, self.since) = (step, release, system, since)
        // A phone that is held back counts even if the events of its attempts have not arrived yet.
        self.phones = max(phones, counts.values.max() ?? 0)
        self.counts = counts
    }

    /// Creates a group from a row of the queries about shares; returns `nil` for rows of other queries.
    /// - Parameter row: The row.
    public init?(_ row: FleetDatabase.Row) {
        guard case .string(let step)? = row["step"], case .string(let release)? = row["appVersion"],
            case .integer(let phones)? = row["phones"]
        else { return nil }
        var counts: [FleetMeasure: Int] = [:]
        for measure in FleetMeasure.allCases {
            if case .integer(let count)? = row[measure.rawValue] { counts[measure] = count }
        }
        self.init(
            step: step,
            release: release,
            system: row["systemVersion"]?.plainText,
            phones: phones,
            counts: counts
        )
    }

    /// Returns this group's share of the phones of a larger group; 0 if there are no phones.
    func share(of whole: FleetGroup) -> Double {
        Double(phones) / Double(max(1, phones, whole.phones))
    }

    /// The display name, such as `5.0 (500), iOS 26.1`.
    public var name: String {
        ([release, system, step == "apply" ? nil : step, since.map { "since \($0)" }] as [String?])
            .compactMap(\.self).joined(separator: ", ")
    }
}

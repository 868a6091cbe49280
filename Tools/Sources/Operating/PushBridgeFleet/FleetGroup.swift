import Foundation
import PushBridgeCommandLine
import PushBridgeCore

/// Phones of one release, or of one system version of it.
public struct FleetGroup: Equatable, Sendable {
    /// The step of the migration, such as `apply`.
    public let step: String
    /// The release.
    public let release: String
    /// The version of the system; `nil` for all.
    public let system: String?
    /// The first of the newest days, to which the group is limited; `nil` for all days.
    public let since: String?
    /// The minimum number of phones with an attempt.
    public let phones: Int
    /// The minimum number of counted phones by measure.
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
        // The event of a held phone may arrive before those of its attempts, so that its phone counts here.
        self.phones = max(phones, counts.values.max() ?? 0)
        self.counts = counts
    }

    /// The phones in a row of the queries about shares; `nil` for another row.
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

    /// The display name: `5.0 (500), iOS 26.1`.
    public var name: String {
        ([release, system, step == "apply" ? nil : step, since.map { "since \($0)" }] as [String?])
            .compactMap(\.self).joined(separator: ", ")
    }
}

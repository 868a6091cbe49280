import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeFleet

/// The daily shares of attempts with problems, for the whole release and for each of its system versions.
extension FleetReport {
    /// One line of the chart.
    struct TimeLine {
        /// The system version, or `all system versions`.
        let name: String
        /// The numbers of attempts, and of attempts with problems, for each day from the oldest.
        var days: [(day: Int, attempts: Int, troubled: Int)] = []

        /// Returns the share of the day's attempts that have problems; 0 if the day has no attempts.
        func share(_ index: Int) -> Double {
            days[index].attempts == 0 ? 0 : Double(days[index].troubled) / Double(days[index].attempts)
        }
    }

    /// Returns the lines of a step of the judged release: all phones first, then the system versions with the largest
    /// shares.
    private func timeLines(of step: String) -> [TimeLine] {
        let all = lines(of: step, .daysByRelease) { _ in "all system versions" }
        let systems = lines(of: step, .daysBySystem) { $0.words("systemVersion") }
            .sorted { ($1.largest, $0.name) < ($0.largest, $1.name) }
        return all + systems.prefix(Self.mostLines)
    }

    /// The maximum number of system versions in the chart.
    private static let mostLines = 24

    private func lines(
        of step: String,
        _ query: FleetQuery,
        _ name: (FleetDatabase.Row) -> String
    ) -> [TimeLine] {
        var cells: [String: [Int: (attempts: Int, troubled: Int)]] = [:]
        for row in rows(query)
        where row.words("appVersion") == verdict.release && row.words("step") == step {
            guard let day = FleetCalendar.number(row.words("day")) else { continue }
            // Only the measures `failed`, `refused` and `unproven` count as trouble; the others are not faults of the
            // migration.
            let troubled = [FleetMeasure.failed, .refused, .unproven].reduce(0) {
                $0 + row.number($1.rawValue)
            }
            let attempts = row.number("attempts")
            let cell = cells[name(row)]?[day] ?? (0, 0)
            cells[name(row), default: [:]][day] = (
                cell.attempts + attempts, cell.troubled + min(troubled, attempts)
            )
        }
        return cells.compactMap { name, cells in
            guard let range = FleetCalendar.range(cells.mapValues(\.attempts)), range.count > 1 else {
                return nil
            }
            let days = range.map {
                (day: $0, attempts: cells[$0]?.attempts ?? 0, troubled: cells[$0]?.troubled ?? 0)
            }
            return TimeLine(name: name, days: days)
        }
    }

    /// Returns the chart of a step, which has one small plot for each line; all plots have the same scale.
    func timeChart(of step: String) -> JSONValue {
        let lines = timeLines(of: step)
        let days = lines.flatMap(\.days).map(\.day)
        guard let first = days.min(), let newest = days.max() else { return .null }
        // The plot extends to the last complete day even if the newest days have no events, so that silence is visible.
        let last = max(newest, verdict.lastCompleteDay ?? newest)
        guard last > first else { return .null }
        let most = max(lines.map(\.largest).max() ?? 0, 0.001)
        let (width, height) = (280.0, 60.0)
        func place(_ line: TimeLine, _ index: Int) -> (x: Double, y: Double) {
            let x = Double(line.days[index].day - first) / Double(last - first) * width
            return ((x + 5).rounded(to: 1), (height + 5 - line.share(index) / most * height).rounded(to: 1))
        }
        let plots = lines.map { line -> JSONValue in
            let indices = line.days.indices.filter { line.days[$0].attempts > 0 }
            let points = indices.map { place(line, $0) }
            let words = indices.map { index in
                "\(FleetCalendar.text(line.days[index].day)) \(line.share(index).percent)"
            }
            let newest = indices.last.map { line.share($0).percent } ?? ""
            return [
                "name": .string(line.name), "newest": .string(newest),
                "largest": .string(line.largest.percent),
                "points": .string(points.map { "\($0.x),\($0.y)" }.joined(separator: " ")),
                "dots": .array(points.map { ["x": .number($0.x), "y": .number($0.y)] }),
                "words": .string("Share with problems, \(line.name): \(words.joined(separator: ", "))"),
            ]
        }
        return [
            "plots": .array(plots), "most": .string(most.percent),
            "first": .string(FleetCalendar.text(first)),
            "last": .string(FleetCalendar.text(last)), "bottom": .number(height + 5),
        ]
    }
}

extension FleetReport.TimeLine {
    /// The largest share of any day.
    var largest: Double { days.indices.map(share).max() ?? 0 }
}

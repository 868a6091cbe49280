import Foundation
import PushBridgeCommandLine
import PushBridgeCore

/// The attempts of one step and one release by day, on all phones or on those with one system version.
///
/// Only the first three attempts of each phone count.
struct FleetDays {
    /// The minimum numbers of phones in the ranges of newest days that are judged.
    ///
    /// Each range is as short as its minimum allows.
    static let windows = [500, 2000, 8000]

    let step: String
    let release: String
    let system: String?
    /// The attempts by day and attempt number, from the oldest day.
    private var cells: [Cell] = []

    /// Groups the rows of `days_by_release` or `days_by_system`, and drops the days of phones with wrong clocks.
    static func groups(_ rows: [FleetDatabase.Row]) -> [FleetDays] {
        var order: [[String?]] = []
        var groups: [[String?]: FleetDays] = [:]
        for row in rows {
            guard let step = row["step"]?.plainText, let release = row["appVersion"]?.plainText,
                let cell = Cell(row)
            else { continue }
            let system = row["systemVersion"]?.plainText
            let key = [step, release, system]
            if groups[key] == nil {
                order.append(key)
                groups[key] = FleetDays(step: step, release: release, system: system)
            }
            groups[key]?.cells.append(cell)
        }
        return order.compactMap { groups[$0] }.map { days in
            var days = days
            var attempts: [Int: Int] = [:]
            for cell in days.cells { attempts[cell.day, default: 0] += cell.phones }
            let range = FleetCalendar.range(attempts)
            days.cells = days.cells.filter { range?.contains($0.day) ?? false }.sorted { $0.day < $1.day }
            return days
        }
    }

    private init(step: String, release: String, system: String?) {
        (self.step, self.release, self.system) = (step, release, system)
    }

    /// The first day of each range of newest days that has enough phones; the shortest range comes first.
    var starts: [Int] {
        var sums = Sums()
        var starts: [Int] = []
        var sizes = Self.windows[...]
        var index = cells.count
        while index > 0, let size = sizes.first {
            let day = cells[index - 1].day
            while index > 0, cells[index - 1].day == day {
                sums.add(cells[index - 1])
                index -= 1
            }
            // The range of all days is left out, because it contains the whole group.
            guard index > 0 else { break }
            if sums.phones >= size {
                starts.append(day)
                sizes = sizes.drop { $0 <= sums.phones }
            }
        }
        return starts
    }

    /// Returns the first of the `count` newest days; `nil` if there are no days before them.
    func start(ofNewest count: Int) -> Int? {
        guard let first = cells.first?.day, let last = cells.last?.day, last - count + 1 > first else {
            return nil
        }
        return last - count + 1
    }

    /// Returns the group of phones that made an attempt on the first day of a range or later.
    func group(_ days: PartialRangeFrom<Int>) -> FleetGroup {
        group(days, since: FleetCalendar.text(days.lowerBound))
    }

    /// The group of phones that made an attempt on any day.
    var whole: FleetGroup { group(Int.min..., since: nil) }

    /// Returns the group of phones that made an attempt on the days of a range.
    func group(_ days: Range<Int>) -> FleetGroup { group(days, since: nil) }

    private func group(_ days: some RangeExpression<Int>, since: String?) -> FleetGroup {
        var sums = Sums()
        for cell in cells where days.contains(cell.day) { sums.add(cell) }
        return FleetGroup(
            step: step,
            release: release,
            system: system,
            since: since,
            phones: sums.phones,
            counts: sums.counts
        )
    }

    /// Returns the linear trend of the daily shares; `nil` for fewer than three days or fewer than ten troubled phones.
    /// - Parameter measure: The kind of trouble.
    /// - Returns: The trend.
    func trend(_ measure: FleetMeasure) -> Trend? {
        var days: [(day: Double, phones: Double, count: Double)] = []
        var index = 0
        while index < cells.count {
            let day = cells[index].day
            var sums = Sums()
            while index < cells.count, cells[index].day == day {
                sums.add(cells[index])
                index += 1
            }
            let count = sums.counts[measure] ?? 0
            days.append((Double(day), Double(max(sums.phones, count)), Double(count)))
        }
        let phones = days.reduce(0) { $0 + $1.phones }
        let count = days.reduce(0) { $0 + $1.count }
        guard days.count >= 3, count >= 10, let last = days.last?.day else { return nil }
        let middle = days.reduce(0) { $0 + $1.day * $1.phones } / phones
        let spread = days.reduce(0) { $0 + ($1.day - middle) * ($1.day - middle) * $1.phones }
        let moment = days.reduce(0) { $0 + ($1.day - middle) * $1.count }
        guard spread > 0 else { return nil }
        let slope = moment / spread
        let share = count / phones
        return Trend(
            newest: share + slope * (last - middle),
            slope: slope,
            risk: erfc(moment / (spread * share * (1 - share)).squareRoot() / 2.0.squareRoot()) / 2
        )
    }

    /// The growth of a share, by the Cochran–Armitage trend test.
    struct Trend {
        /// The share on the newest day according to the trend.
        let newest: Double
        /// The growth per day.
        let slope: Double
        /// The probability that a constant share shows at least this growth by chance.
        let risk: Double
    }

    /// The attempts on one day that have the same attempt number.
    private struct Cell {
        let day: Int
        let attempt: Int
        let phones: Int
        let counts: [FleetMeasure: Int]

        init?(_ row: FleetDatabase.Row) {
            guard let day = (row["day"]?.plainText).flatMap(FleetCalendar.number),
                case .integer(let attempt)? = row["attempt"], case .integer(let phones)? = row["attempts"]
            else { return nil }
            (self.day, self.attempt, self.phones) = (day, attempt, phones)
            var counts: [FleetMeasure: Int] = [:]
            for measure in FleetMeasure.allCases {
                if case .integer(let count)? = row[measure.rawValue], count > 0 { counts[measure] = count }
            }
            self.counts = counts
        }
    }

    /// Numbers of attempts, summed for each attempt number.
    ///
    /// A phone makes at most one attempt with each number, so the number of phones is at least the largest sum.
    private struct Sums {
        private var attempts: [Int: Int] = [:]
        private var measures: [FleetMeasure: [Int: Int]] = [:]

        mutating func add(_ cell: Cell) {
            attempts[cell.attempt, default: 0] += cell.phones
            for (measure, count) in cell.counts {
                measures[measure, default: [:]][cell.attempt, default: 0] += count
            }
        }

        var phones: Int { attempts.values.max() ?? 0 }

        var counts: [FleetMeasure: Int] {
            // The counts of held phones are added, because each phone sends `held` only once per release.
            Dictionary(
                uniqueKeysWithValues: measures.map { measure, counts in
                    (measure, measure == .held ? counts.values.reduce(0, +) : counts.values.max() ?? 0)
                }
            )
        }
    }
}

/// Converts between dates and day numbers; consecutive days differ by one.
public enum FleetCalendar {
    /// The maximum number of days from a day with attempts to the next day with attempts within one roll-out.
    private static let gap = 7

    /// Returns the number of a day; `nil` if the text is not a date.
    /// - Parameter text: A date such as `2026-11-03`.
    /// - Returns: The number of days since 1970.
    public static func number(_ text: String) -> Int? {
        let parts = text.split(separator: "-").map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
            1...12 ~= month, 1...9999 ~= year
        else { return nil }
        let isLeapYear = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard 1...lengths[month - 1] ~= day else { return nil }
        // Howard Hinnant's days_from_civil: its years begin in March, so the leap day is the last day of a year.
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let ofEra = shifted - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    /// The number of the current day, in UTC.
    public static var today: Int { Int((Date().timeIntervalSince1970 / 86_400).rounded(.down)) }

    /// Returns the date of a day's number.
    /// - Parameter number: The number of days since 1970.
    /// - Returns: The date, such as `2026-11-03`.
    public static func text(_ number: Int) -> String {
        let date = Date(timeIntervalSince1970: Double(number) * 86_400)
        return date.formatted(.iso8601.year().month().day())
    }

    /// Returns the days of a roll-out, without the days of phones with wrong clocks.
    /// - Parameter attempts: The numbers of attempts by day.
    /// - Returns: The days around the day with the most attempts, in both directions up to the first seven consecutive
    ///   days without attempts; `nil` if there are no attempts.
    public static func range(_ attempts: [Int: Int]) -> ClosedRange<Int>? {
        guard let main = attempts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else {
            return nil
        }
        var (first, last) = (main, main)
        for day in attempts.keys.filter({ $0 > main }).sorted() where day - last <= gap { last = day }
        for day in attempts.keys.filter({ $0 < main }).sorted(by: >) where first - day <= gap { first = day }
        return first...last
    }
}

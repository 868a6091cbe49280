import PushBridgeFleet

/// Situations whose verdict depends on the days of the events or on the number of installed phones.
extension Situation {
    static let overTime: [Situation] = {
        var phones = Phones()
        func days(_ range: ClosedRange<Int>, _ lines: (Int, String) -> [String]) -> [String] {
            range.flatMap { lines($0, "2026-11-\($0 < 10 ? "0" : "")\($0)") }
        }
        /// Returns attempts on consecutive days; `counts` has the number of attempts that crash on each day.
        func crashing(_ counts: [Int], of attempts: Int) -> [String] {
            days(1...counts.count) { day, date in
                phones(attempts - counts[day - 1], day: date)
                    + phones(counts[day - 1], "interrupted", counts: "[]", duration: "none", day: date)
            }
        }
        // Each day, `count` phones with iOS 18.7.2 send events, and 2.25 times as many phones with the three other
        // versions. From the day `first` on, no phone with iOS 18.7.2 sends events.
        func falling(silentFrom first: Int, phonesOfVersion count: Int = 400) -> [String] {
            days(1...12) { day, date in
                phones(3 * count, system: nil, day: date).filter { !$0.contains("iOS 18.7.2") }
                    + (day < first ? phones(count, system: "iOS 18.7.2", day: date) : [])
            }
        }
        return [
            // On the last day, the share of crashes is 1.40 %. Over all days together, it is 0.28 %.
            Situation(
                name: "crashes that double every day",
                phase: 100,
                expected: .stop,
                rule: .newestDays,
                measure: .failed,
                lines: crashing([0, 0, 0, 1, 1, 3, 5, 10, 21, 42], of: 3000)
            ),
            Situation(
                name: "a sudden step on the last of twelve days",
                phase: 50,
                expected: .stop,
                rule: .newestDays,
                measure: .failed,
                lines: crashing(Array(repeating: 0, count: 11) + [15], of: 1000)
            ),
            // The daily share grows from 0 to 0.35 %. In no range of days is the share certainly above the limit of
            // 0.25 %.
            Situation(
                name: "slow growth below the limit",
                phase: 50,
                expected: .hold,
                rule: .growing,
                measure: .failed,
                lines: crashing([0, 0, 1, 1, 2, 3, 4, 5, 6, 7], of: 2000)
            ),
            Situation(
                name: "the same number of crashes every day",
                phase: 50,
                expected: .continue,
                lines: crashing(Array(repeating: 1, count: 12), of: 1000)
            ),
            // After the first day, 10 phones fail at each launch, and only 60 other phones a day make their first
            // attempt. The failures do not count, because they are not among the first three attempts of a phone.
            Situation(
                name: "phones that fail at every launch, after all others arrived",
                phase: 50,
                expected: .continue,
                lines: phones(6000, day: "2026-11-01")
                    + days(2...12) { day, date in
                        phones(60, day: date)
                            + phones(
                                10,
                                "failed",
                                attempt: day + 2,
                                reason: "storeFailed",
                                counts: "[]",
                                day: date
                            )
                    }
            ),
            Situation(
                name: "a system version that falls silent",
                expected: .hold,
                rule: .silent,
                system: "iOS 18.7.2",
                lines: falling(silentFrom: 11)
            ),
            Situation(
                name: "a system version of a small fleet that falls silent",
                phase: 10,
                expected: .hold,
                rule: .silent,
                system: "iOS 18.7.2",
                lines: falling(silentFrom: 9, phonesOfVersion: 100)
            ),
            Situation(
                name: "a system version whose phones are updated",
                expected: .continue,
                lines: falling(silentFrom: 9)
                    + days(9...12) { _, date in phones(400, system: "iOS 26.1.0", day: date) }
            ),
            Situation(
                name: "a release that every installed phone has tried",
                expected: .continue,
                installed: FleetInstalled(total: 8020),
                lines: days(1...8) { _, date in phones(1000, day: date) }
                    + days(9...12) { _, date in phones(3, day: date) }
            ),
            Situation(
                name: "a release that sends nothing after every phone rehearsed and half of them moved",
                expected: .hold,
                rule: .silent,
                installed: FleetInstalled(total: 16_000),
                until: "2026-11-11",
                lines: phones(16_000, step: "rehearse", day: "2026-11-01")
                    + days(1...8) { _, date in phones(1000, attempt: 2, day: date) }
            ),
            Situation(
                name: "a release that half of the installed phones have tried, and that then sends little",
                expected: .hold,
                rule: .silent,
                installed: FleetInstalled(total: 15_000),
                lines: days(1...8) { _, date in phones(1000, day: date) }
                    + days(9...12) { _, date in phones(3, day: date) }
            ),
            Situation(
                name: "a release that sends little after a full week",
                expected: .hold,
                rule: .silent,
                lines: days(1...8) { _, date in phones(1000, day: date) }
                    + days(9...12) { _, date in phones(3, day: date) }
            ),
            Situation(
                name: "no events after a full week",
                expected: .hold,
                rule: .silent,
                until: "2026-11-11",
                lines: days(1...8) { _, date in phones(1000, day: date) }
            ),
            Situation(
                name: "no events for a month after a full week",
                expected: .hold,
                rule: .silent,
                until: "2026-12-08",
                lines: days(1...8) { _, date in phones(1000, day: date) }
            ),
            Situation(
                name: "no events for a month after two days",
                expected: .hold,
                rule: .silent,
                until: "2026-12-02",
                lines: days(1...2) { _, date in phones(1000, day: date) }
            ),
            Situation(
                name: "no events for a month after every installed phone has moved",
                expected: .continue,
                installed: FleetInstalled(total: 8000),
                until: "2026-12-08",
                lines: days(1...8) { _, date in phones(1000, day: date) }
            ),
            Situation(
                name: "few events at a weekend",
                expected: .continue,
                lines: days(2...6) { _, date in phones(1000, day: date) }
                    + days(7...8) { _, date in phones(20, day: date) } + phones(200, day: "2026-11-09")
            ),
            Situation(
                name: "events of a fifth of the installed phones",
                expected: .hold,
                rule: .notSeen,
                installed: FleetInstalled(total: 5000),
                lines: phones(1000)
            ),
            Situation(
                name: "events of most of the installed phones",
                expected: .continue,
                installed: FleetInstalled(total: 1200),
                lines: phones(1000)
            ),
            Situation(
                name: "a version of which no phone was seen",
                expected: .hold,
                rule: .notSeen,
                installed: FleetInstalled(total: 1400, systems: ["iOS 26.1.0": 260, "iOS 16.7.12": 100]),
                lines: phones(1000)
            ),
            // Records are refused in 3 % of the rehearsals, so the roll-out must not begin.
            Situation(
                name: "rehearsals that fail",
                expected: .stop,
                rule: .aboveLimit,
                measure: .refused,
                lines: phones(970, step: "rehearse")
                    + phones(30, "partial", step: "rehearse", reason: "otherSecret", counts: "[]")
            ),
            Situation(name: "sound rehearsals", expected: .continue, lines: phones(600, step: "rehearse")),
            Situation(
                name: "enough rehearsals, and too few phones that moved",
                expected: .hold,
                rule: .tooFewPhones,
                lines: phones(600, step: "rehearse") + phones(10, attempt: 2)
            ),
        ]
    }()
}

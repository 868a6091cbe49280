/// Measures the error rates of a policy: judges many simulated roll-outs, with and without a defect.
public struct FleetTrial: Sendable {
    /// A kind of simulated roll-out.
    public struct Case: Sendable {
        /// The name of the kind.
        public let name: String
        /// The defect of the roll-outs, or the system update of a sound release; `nil` for a sound release without an
        /// update.
        public let defect: FleetSimulation.Defect?
        /// The first day that counts for ``Result/noticed``: the day on which the defect begins, or 1 for a sound
        /// release.
        public let start: Int
    }

    /// The results for one kind of roll-out.
    public struct Result: Sendable {
        /// The kind of roll-out.
        public let kind: Case
        /// The number of roll-outs.
        public internal(set) var rollOuts = 0
        /// The number of roll-outs that were stopped on some day.
        public internal(set) var stopped = 0
        /// The number of roll-outs that were stopped, or held for a reason other than a lack of phones, on the day
        /// ``Case/start`` or later.
        public internal(set) var noticed = 0
        /// For each rule, the number of noticed roll-outs that no other rule noticed earlier.
        public internal(set) var rules: [FleetVerdict.Rule: Int] = [:]
        /// The day on which each noticed roll-out was noticed.
        public internal(set) var days: [Int] = []

        /// The median of the days on which roll-outs were noticed, or the later of two middle days; `nil` if none was
        /// noticed.
        public var middleDay: Int? { days.isEmpty ? nil : days.sorted()[days.count / 2] }
    }

    private static let system = "iOS 18.7.2"

    /// Returns a kind of roll-out without a fault.
    ///
    /// From the sixth day on, a share of the phones with one system version have another system version.
    private static func update(_ name: String, share: Double) -> Case {
        let course = FleetSimulation.Defect.Course.update(from: 6, to: "iOS 26.1.0")
        return Case(
            name: name,
            defect: .init(kind: .crash, system: system, share: share, course: course),
            start: 1
        )
    }

    /// The kinds of roll-outs: releases without a defect, some with a system update, and one kind for each planted
    /// defect.
    public static let cases: [Case] = [
        Case(name: "sound", defect: nil, start: 1),
        update("sound, 95 % updated", share: 0.95), update("sound, all updated", share: 1),
        Case(
            name: "slow growth",
            defect: .init(kind: .crash, system: nil, share: 0.02, course: .growth),
            start: 1
        ),
        Case(
            name: "sudden step",
            defect: .init(kind: .fail, system: nil, share: 0.02, course: .step(from: 6)),
            start: 6
        ),
        Case(name: "one system version", defect: .init(kind: .crash, system: system, share: 0.03), start: 1),
        Case(name: "one reason", defect: .init(kind: .refuse, system: nil, share: 0.01), start: 1),
        Case(
            name: "silence",
            defect: .init(kind: .crash, system: system, share: 1, course: .silence(from: 6)),
            start: 6
        ),
        Case(
            name: "early death",
            defect: .init(kind: .crash, system: system, share: 0.8, course: .silence(from: 1)),
            start: 1
        ),
    ]

    /// Simulates roll-outs of one kind, and judges each at the end of every day.
    ///
    /// The judgement also knows how many phones have installed the release, as with `fleet --installed`.
    /// - Parameters:
    ///   - kind: The kind of roll-out.
    ///   - rollOuts: The number of roll-outs.
    ///   - phones: The number of phones in each roll-out.
    ///   - policy: The policy.
    ///   - progress: Called after each roll-out.
    /// - Returns: The numbers of stopped and noticed roll-outs, and the days on which they were noticed.
    public static func run(
        _ kind: Case,
        rollOuts: Int,
        phones: Int,
        policy: FleetPolicy,
        progress: () -> Void = {}
    ) -> Result {
        var result = Result(kind: kind)
        for seed in 0..<rollOuts {
            result.add(
                verdicts(FleetSimulation(phones: phones, seed: UInt64(seed) + 1, defect: kind.defect), policy)
            )
            progress()
        }
        return result
    }

    /// Returns the verdict at the end of each day.
    static func verdicts(_ simulation: FleetSimulation, _ policy: FleetPolicy) -> [FleetVerdict] {
        var arrivals = [[FleetSimulation.Arrival]](repeating: [], count: FleetSimulation.days + 1)
        var starts = [[String: Int]](repeating: [:], count: FleetSimulation.days + 1)
        for phone in 0..<simulation.phones {
            let start = simulation.start(of: phone)
            if start.day < starts.count { starts[start.day][start.system, default: 0] += 1 }
            for arrival in simulation.arrivals(of: phone) where arrival.day < arrivals.count {
                arrivals[arrival.day].append(arrival)
            }
        }
        var tally = FleetTally()
        var lines = FleetDatabase.Lines()
        var installed: [String: Int] = [:]
        return (1...FleetSimulation.days).map { day in
            for arrival in arrivals[day] { tally.add(arrival.event) }
            lines.all += arrivals[day].count
            installed.merge(starts[day], uniquingKeysWith: +)
            let percent = FleetRehearsal.day(day).percent
            return FleetVerdict(
                tally.answers,
                lines: lines,
                policy: policy,
                phase: policy.phases.last { $0.percent <= percent } ?? policy.phases[0],
                release: FleetSimulation.release,
                installed: FleetInstalled(systems: installed)
            )
        }
    }
}

extension FleetTrial.Result {
    fileprivate mutating func add(_ verdicts: [FleetVerdict]) {
        rollOuts += 1
        // A lack of phones is not a sign of a defect; the release only has to wait for more.
        let waiting: Set<FleetVerdict.Rule> = [.tooFewPhones, .notYetSure]
        let causes = verdicts.map { $0.causes.filter { !waiting.contains($0.rule) } }
        if causes.contains(where: { $0.contains { $0.decision == .stop } }) { stopped += 1 }
        guard let index = causes.indices.first(where: { $0 + 1 >= kind.start && !causes[$0].isEmpty }) else {
            return
        }
        noticed += 1
        days.append(index + 1)
        for rule in Set(causes[index].map(\.rule)) { rules[rule, default: 0] += 1 }
    }
}

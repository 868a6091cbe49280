import Foundation
import PushBridgeCore

/// The decision about a roll-out, with its reasons.
public struct FleetVerdict: Equatable, Sendable {
    /// The decision.
    public enum Decision: String, CaseIterable, Comparable, Sendable {
        /// Continue with the next phase.
        case `continue`
        /// Stay in this phase until more data is available.
        case hold
        /// Pause the release, and close the gate.
        case stop

        /// Whether one decision is less severe than the other.
        public static func < (one: Self, other: Self) -> Bool { one.weight < other.weight }
        private var weight: Int { self == .continue ? 0 : self == .hold ? 1 : 2 }
    }

    /// The reason why the roll-out must not continue.
    public enum Rule: String, CaseIterable, Sendable {
        /// The share is above the limit.
        case aboveLimit
        /// The share may exceed the tolerance of this phase; more phones would decide.
        case notYetSure
        /// The share is greater than that of the other phones.
        case worseThanOthers
        /// Too few phones made an attempt.
        case tooFewPhones
        /// Too many lines are not events.
        case unreadLines
    }

    /// One reason, with the group of phones that it concerns.
    public struct Cause: Equatable, Sendable {
        /// The required decision.
        public let decision: Decision
        /// The rule.
        public let rule: Rule
        /// The phones that the reason concerns; `nil` for lines.
        public let group: FleetGroup?
        /// The counted quantity; `nil` if phones or lines were counted.
        public let measure: FleetMeasure?
        /// The number of phones or lines.
        public let bound: ShareBound
        /// The limit for the share or for the number of phones.
        public let limit: Double
        /// The reason in a sentence.
        public let sentence: String
    }

    /// The judged phase.
    public let phase: FleetPolicy.Phase
    /// The release that must have enough phones: the newest or the named one; `nil` if there is none.
    public let release: String?
    /// The reasons why the roll-out must not continue; empty if it may.
    public let causes: [Cause]

    /// The most severe decision among the causes.
    public var decision: Decision { causes.map(\.decision).max() ?? .continue }
}

/// Phones of one release, or of one system version of it.
public struct FleetGroup: Equatable, Sendable {
    /// `apply` or `retire`.
    public let step: String
    /// The release.
    public let release: String
    /// The version of the system; `nil` for all.
    public let system: String?
    /// The minimum number of phones with an attempt.
    public let phones: Int
    /// The minimum number of counted phones by measure.
    public let counts: [FleetMeasure: Int]

    /// The phones in a row of the queries about shares; `nil` for another row.
    /// - Parameter row: The row.
    public init?(_ row: FleetDatabase.Row) {
        guard case .string(let step)? = row["step"], case .string(let release)? = row["appVersion"],
            case .integer(let phones)? = row["phones"]
        else { return nil }
        (self.step, self.release) = (step, release)
        if case .string(let system)? = row["systemVersion"] { self.system = system } else { system = nil }
        var counts: [FleetMeasure: Int] = [:]
        for measure in FleetMeasure.allCases {
            if case .integer(let count)? = row[measure.rawValue] { counts[measure] = count }
        }
        // The event of a held phone may arrive before those of its attempts, so that its phone counts here.
        self.phones = max(phones, counts.values.max() ?? 0)
        self.counts = counts
    }

    /// The display name: `5.0 (500), iOS 26.1`.
    public var name: String {
        let name = system.map { "\(release), \($0)" } ?? release
        return step == "apply" ? name : "\(name), \(step)"
    }

    func bound(_ measure: FleetMeasure, risk: Double) -> ShareBound {
        ShareBound(counts[measure] ?? 0, of: phones, risk: risk)
    }
}

extension FleetVerdict {
    /// Judges the events of a fleet.
    /// - Parameters:
    ///   - answers: The rows of the queries.
    ///   - lines: The lines that were read.
    ///   - policy: The policy.
    ///   - phase: The current phase of the roll-out.
    ///   - release: The only release to judge; `nil` judges all, and requires enough phones of the newest.
    public init(
        _ answers: [FleetQuery: [FleetDatabase.Row]],
        lines: FleetDatabase.Lines,
        policy: FleetPolicy,
        phase: FleetPolicy.Phase,
        release: String? = nil
    ) {
        let releases = (answers[.sharesByRelease] ?? []).compactMap(FleetGroup.init)
        let systems = (answers[.sharesBySystem] ?? []).compactMap(FleetGroup.init)
        let main = release ?? Self.newest(releases.map(\.release))
        self.phase = phase
        self.release = main
        let judge = Judge(policy: policy, phase: phase, groups: releases.count + systems.count)
        var causes = judge.lines(lines)
        causes += judge.sample(
            releases.filter { $0.release == main },
            of: main,
            hasOthers: release == nil && releases.contains { $0.release != main && $0.phones >= phase.phones }
        )
        var peers: [FleetPeers: FleetPeers.Counts] = [:]
        for group in releases + systems { peers[FleetPeers(of: group), default: .init()].add(group) }
        for group in releases + systems where release == nil || group.release == release {
            let others = peers[FleetPeers(of: group)]?.without(group) ?? .init()
            causes += judge.group(group, others: others, isMain: group.release == main)
        }
        self.causes = causes.sorted {
            ($1.decision, $0.group?.name ?? "") < ($0.decision, $1.group?.name ?? "")
        }
    }

    /// The newest release, by the numbers in its name.
    static func newest(_ releases: [String]) -> String? {
        let known = releases.filter { $0 != "unknown" }
        return (known.isEmpty ? releases : known).max {
            $0.compare($1, options: .numeric) == .orderedAscending
        }
    }
}

/// The groups for the comparison with one group: the releases of a step, or the system versions of a release.
private struct FleetPeers: Hashable {
    let step: String
    let release: String?

    init(of group: FleetGroup) {
        (step, release) = (group.step, group.system == nil ? nil : group.release)
    }

    /// The totals of groups.
    struct Counts {
        private(set) var phones = 0
        private(set) var counts: [FleetMeasure: Int] = [:]

        mutating func add(_ group: FleetGroup) {
            phones += group.phones
            counts.merge(group.counts, uniquingKeysWith: +)
        }

        func without(_ group: FleetGroup) -> Counts {
            var others = self
            others.phones -= group.phones
            others.counts.merge(group.counts, uniquingKeysWith: -)
            return others
        }
    }
}

/// The rules, which `docs/fleet.md` explains.
private struct Judge {
    let policy: FleetPolicy
    let phase: FleetPolicy.Phase
    /// The probability that a bound is wrong.
    let risk: Double
    /// The risk divided by the number of comparisons, so that many system versions cause no false alarm.
    let dividedRisk: Double

    init(policy: FleetPolicy, phase: FleetPolicy.Phase, groups: Int) {
        (self.policy, self.phase) = (policy, phase)
        risk = 1 - policy.confidence
        dividedRisk = risk / Double(max(1, groups * policy.limits.count))
    }

    func lines(_ lines: FleetDatabase.Lines) -> [FleetVerdict.Cause] {
        guard Double(lines.unread) > policy.unreadLines * Double(lines.all) else { return [] }
        let bound = ShareBound(lines.unread, of: lines.all, risk: risk)
        let sentence = """
            \(lines.unread) of \(lines.all) lines are no events that can be counted (\(lines.damaged) damaged, \
            \(lines.newer) of a newer form), more than \(policy.unreadLines.percent): what they tell is unknown.
            """
        return [
            .init(
                decision: .hold,
                rule: .unreadLines,
                group: nil,
                measure: nil,
                bound: bound,
                limit: policy.unreadLines,
                sentence: sentence
            )
        ]
    }

    func sample(_ groups: [FleetGroup], of release: String?, hasOthers: Bool) -> [FleetVerdict.Cause] {
        let largest = groups.max { $0.phones < $1.phones }
        let phones = largest?.phones ?? 0
        guard phones < phase.phones else { return [] }
        let name = release.map { " of the release \($0)" } ?? ""
        let sentence = """
            \(phones) phones\(name) made an attempt; the phase of \(phase.percent) % asks for \(phase.phones).\
            \(hasOthers ? " If that is not the release which is rolled out, name it with --release." : "")
            """
        return [
            .init(
                decision: .hold,
                rule: .tooFewPhones,
                group: largest,
                measure: nil,
                bound: ShareBound(phones, of: phones, risk: risk),
                limit: Double(phase.phones),
                sentence: sentence
            )
        ]
    }

    func group(_ group: FleetGroup, others: FleetPeers.Counts, isMain: Bool) -> [FleetVerdict.Cause] {
        FleetMeasure.allCases.compactMap { measure in
            guard let limit = policy.limits[measure] else { return nil }
            return cause(group, measure, limit, others: others, isMain: isMain)
        }
    }

    private func cause(
        _ group: FleetGroup,
        _ measure: FleetMeasure,
        _ limit: Double,
        others: FleetPeers.Counts,
        isMain: Bool
    ) -> FleetVerdict.Cause? {
        let divided = group.bound(measure, risk: dividedRisk)
        let (count, phones) = (divided.count, divided.total)
        let start = "\(group.name): \(count) of \(phones) phones \(measure.words) (\(divided.share.percent))"
        func cause(
            _ decision: FleetVerdict.Decision,
            _ rule: FleetVerdict.Rule,
            _ bound: ShareBound,
            _ limit: Double,
            _ end: String
        ) -> FleetVerdict.Cause {
            .init(
                decision: decision,
                rule: rule,
                group: group,
                measure: measure,
                bound: bound,
                limit: limit,
                sentence: "\(start); \(end)."
            )
        }
        if divided.lower > limit {
            let end = "surely at least \(divided.lower.percent), above the limit of \(limit.percent)"
            return cause(.stop, .aboveLimit, divided, limit, end)
        }
        let rest = ShareBound(
            others.counts[measure] ?? 0,
            of: others.phones,
            risk: dividedRisk
        )
        if rest.total > 0, divided.lower > limit / 10, divided.lower > policy.comparison * rest.upper {
            let end = """
                surely at least \(divided.lower.percent), and of the other \(rest.total) phones \
                at most \(rest.upper.percent)
                """
            return cause(.hold, .worseThanOthers, divided, policy.comparison * rest.upper, end)
        }
        let single = group.bound(measure, risk: risk)
        let tolerated = min(1, limit * phase.tolerance)
        if isMain, group.system == nil, phones >= phase.phones, single.upper > tolerated {
            let end = """
                perhaps \(single.upper.percent), and the phase of \(phase.percent) % tolerates \(tolerated.percent)
                """
            return cause(.hold, .notYetSure, single, tolerated, end)
        }
        return nil
    }
}

import Foundation
import PushBridgeCommandLine
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
        /// The share of the newest days is above the limit.
        case newestDays
        /// The share surely grows, and would be above the limit in a week.
        case growing
        /// The release or a system version of it sends much less than before.
        case silent
        /// Too few of the installed phones sent an event.
        case notSeen
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

    /// Sentences about events that may be invented; the decision does not depend on them.
    public let warnings: [String]
    /// The probability that the lower bound of a share is wrong; it is divided among all comparisons.
    let lowerRisk: Double
    /// The probability that the upper bound of a share is wrong.
    let upperRisk: Double

    /// The most severe decision among the causes.
    public var decision: Decision { causes.map(\.decision).max() ?? .continue }
}

extension FleetVerdict {
    /// Judges the events of a fleet.
    /// - Parameters:
    ///   - answers: The rows of the queries.
    ///   - lines: The lines that were read.
    ///   - policy: The policy.
    ///   - phase: The current phase of the roll-out.
    ///   - release: The only release to judge; `nil` judges all, and requires enough phones of the newest.
    ///   - installed: The numbers of phones with the release, as far as known.
    ///   - until: The last day whose events are complete; `nil` for the day before the newest.
    public init(
        _ answers: [FleetQuery: [FleetDatabase.Row]],
        lines: FleetDatabase.Lines,
        policy: FleetPolicy,
        phase: FleetPolicy.Phase,
        release: String? = nil,
        installed: FleetInstalled = .init(),
        until: String? = nil
    ) {
        let releases = (answers[.sharesByRelease] ?? []).compactMap(FleetGroup.init)
        let systems = (answers[.sharesBySystem] ?? []).compactMap(FleetGroup.init)
        let main = release ?? Self.newest(releases.map(\.release))
        self.phase = phase
        self.release = main
        let judge = FleetJudge(policy: policy, phase: phase, groups: releases.count + systems.count)
        (lowerRisk, upperRisk) = (judge.dividedRisk, judge.risk)
        warnings =
            Self.inventedSenders(answers[.forms] ?? [])
            + Self.tooFew(installed, seen: FleetProgress(answers[.phones] ?? []).seen)
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
        func days(_ query: FleetQuery) -> [FleetDays] {
            FleetDays.groups(
                (answers[query] ?? []).filter { release == nil || $0["appVersion"]?.plainText == release }
            )
        }
        causes += judge.newest(days(.daysByRelease), days(.daysBySystem), known: causes)
        let ofMain = (answers[.outcomesByDay] ?? []).filter { $0["appVersion"]?.plainText == main }
        causes += judge.volume(ofMain, of: main, until: until.flatMap(FleetCalendar.number))
        causes += judge.installed(installed, phones: answers[.phones] ?? [])
        self.causes = causes.sorted {
            ($1.decision, $0.group?.name ?? "") < ($0.decision, $1.group?.name ?? "")
        }
    }

    /// The bounds of the share of a group, as the verdict compares them with the limit.
    /// - Parameters:
    ///   - group: The group.
    ///   - measure: The counted quantity.
    /// - Returns: The bounds.
    public func bound(_ group: FleetGroup, _ measure: FleetMeasure) -> ShareBound {
        ShareBound(group.counts[measure] ?? 0, of: group.phones, risk: lowerRisk, upperRisk: upperRisk)
    }

    /// Returns a warning if more phones sent events than are installed: then no share of installed phones is right.
    private static func tooFew(_ installed: FleetInstalled, seen: Int) -> [String] {
        guard let total = installed.total, seen > total else { return [] }
        return ["\(seen) phones sent events, more than the \(total) installed ones of --installed."]
    }

    /// The newest release, by the numbers in its name.
    static func newest(_ releases: [String]) -> String? {
        let known = releases.filter { $0 != "unknown" }
        return (known.isEmpty ? releases : known).max {
            $0.compare($1, options: .numeric) == .orderedAscending
        }
    }
}

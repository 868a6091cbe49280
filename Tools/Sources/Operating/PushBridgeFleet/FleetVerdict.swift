import Foundation
import PushBridgeCommandLine
import PushBridgeCore

/// The decision about a roll-out, with its reasons.
public struct FleetVerdict: Equatable, Sendable {
    /// The recommended action for a roll-out.
    public enum Decision: String, CaseIterable, Comparable, Sendable {
        /// Continue with the next phase.
        case `continue`
        /// Stay in this phase until more data is available.
        case hold
        /// Pause the release, and set the gate to off.
        case stop

        /// Returns whether one decision is less severe than the other.
        public static func < (one: Self, other: Self) -> Bool { one.weight < other.weight }
        private var weight: Int { self == .continue ? 0 : self == .hold ? 1 : 2 }
    }

    /// The reason why a roll-out must not continue.
    ///
    /// *Surely* and *may* refer to the confidence bounds of a share.
    public enum Rule: String, CaseIterable, Sendable {
        /// The share of phones in trouble is surely above the limit.
        case aboveLimit
        /// The share may exceed the tolerance of this phase.
        ///
        /// More phones are necessary to decide.
        case notYetSure
        /// The share surely exceeds the share among the other phones by a greater factor than the policy allows.
        case worseThanOthers
        /// The share on the newest days is surely above the limit.
        case newestDays
        /// The share surely grows, is above a quarter of the limit, and would exceed the limit in a week.
        case growing
        /// The release, or one system version of its phones, sends far fewer events than before.
        case silent
        /// Surely too few of the installed phones sent an event.
        case notSeen
        /// Too few phones made an attempt.
        case tooFewPhones
        /// Too many lines cannot be read as events.
        case unreadLines
    }

    /// One reason, with the group of phones to which it applies.
    public struct Cause: Equatable, Sendable {
        /// The decision that the reason requires.
        public let decision: Decision
        /// The rule that the phones, lines or attempts violate.
        public let rule: Rule
        /// The phones to which the reason applies; `nil` if it applies to lines, installed phones or all attempts.
        public let group: FleetGroup?
        /// The measure; `nil` if phones, lines or attempts were counted.
        public let measure: FleetMeasure?
        /// The number of phones, lines or attempts, with the bounds of their share.
        public let bound: ShareBound
        /// The limit for the share or for the number of phones.
        public let limit: Double
        /// The reason in a sentence.
        public let sentence: String
    }

    /// The judged phase.
    public let phase: FleetPolicy.Phase
    /// The release that must have enough phones: the named release, or the newest; `nil` without events of a release.
    public let release: String?
    /// The reasons why the roll-out must not continue; empty if it may continue.
    public let causes: [Cause]

    /// Warnings, for example that events may be invented; the decision does not depend on them.
    public let warnings: [String]
    /// The number of the last day whose events are complete; `nil` if it was not named.
    public let lastCompleteDay: Int?
    /// The accepted probability that the lower bound of a share is wrong, divided among all comparisons.
    let lowerRisk: Double
    /// The accepted probability that the upper bound of a share is wrong.
    let upperRisk: Double

    /// The most severe decision that a cause requires.
    public var decision: Decision { causes.map(\.decision).max() ?? .continue }
}

extension FleetVerdict {
    /// Judges the events of a fleet.
    /// - Parameters:
    ///   - answers: The rows of the queries.
    ///   - lines: The lines that were read.
    ///   - policy: The policy.
    ///   - phase: The current phase of the roll-out.
    ///   - release: The only release to judge; `nil` to judge all, and to require enough phones of the newest release.
    ///   - installed: The known numbers of phones with the release.
    ///   - until: The last day whose events are complete; `nil` for the day before the newest day.
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
        lastCompleteDay = until.flatMap(FleetCalendar.number)
        let judge = FleetJudge(policy: policy, phase: phase, groups: releases.count + systems.count)
        (lowerRisk, upperRisk) = (judge.dividedRisk, judge.risk)
        let progress = FleetProgress(answers, release: main, days: 1)
        var warnings =
            Self.inventedSenders(answers[.forms] ?? [])
            + Self.unfinishedRehearsals(answers[.outcomesByRelease] ?? [])
            + Self.tooFew(installed, seen: progress.seen)
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
        let newest = judge.newest(days(.daysByRelease), days(.daysBySystem), known: causes)
        causes += newest.causes
        warnings += newest.warnings
        let ofMain = (answers[.outcomesByDay] ?? []).filter { $0["appVersion"]?.plainText == main }
        causes += judge.volume(
            ofMain,
            of: main,
            until: lastCompleteDay,
            // If no phone has tried to move, a phone that sent an event has rehearsed or compared. So it does not
            // count as waiting.
            waiting: installed.total.map {
                max(0, $0 - (progress.applied > 0 ? progress.moved + progress.held : progress.seen))
            }
        )
        causes += judge.installed(installed, phones: answers[.phones] ?? [])
        self.warnings = warnings
        self.causes = causes.sorted {
            ($1.decision, $0.group?.name ?? "") < ($0.decision, $1.group?.name ?? "")
        }
    }

    /// Returns the bounds of a group's share, as the verdict compares them with the limit.
    /// - Parameters:
    ///   - group: The group.
    ///   - measure: The kind of trouble.
    /// - Returns: The bounds.
    public func bound(_ group: FleetGroup, _ measure: FleetMeasure) -> ShareBound {
        ShareBound(group.counts[measure] ?? 0, of: group.phones, risk: lowerRisk, upperRisk: upperRisk)
    }

    /// Returns a warning if more phones sent events than are installed, because all shares of installed phones are
    /// then wrong.
    private static func tooFew(_ installed: FleetInstalled, seen: Int) -> [String] {
        guard let total = installed.total, seen > total else { return [] }
        return ["\(seen) phones sent events, more than the \(total) phones that --installed states."]
    }

    /// Returns the newest release, by the numbers in its name; `nil` if there is no release.
    static func newest(_ releases: [String]) -> String? {
        let known = releases.filter { $0 != "unknown" }
        return (known.isEmpty ? releases : known).max {
            $0.compare($1, options: .numeric) == .orderedAscending
        }
    }
}

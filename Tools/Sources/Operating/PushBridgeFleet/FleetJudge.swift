import PushBridgeCore

/// Identifies groups that are compared with each other: a step's releases, or a release's system versions in one step.
struct FleetPeers: Hashable {
    let step: String
    let release: String?

    init(of group: FleetGroup) {
        (step, release) = (group.step, group.system == nil ? nil : group.release)
    }

    /// The total numbers of several groups.
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

/// Applies the rules of `docs/fleet.md` to the counts of a fleet.
struct FleetJudge {
    let policy: FleetPolicy
    let phase: FleetPolicy.Phase
    /// The accepted probability that a bound is wrong.
    let risk: Double
    /// Half of the risk, divided by the number of comparisons.
    ///
    /// The division prevents false alarms if there are many system versions. The other half of the risk is for the
    /// newest days.
    let dividedRisk: Double

    init(policy: FleetPolicy, phase: FleetPolicy.Phase, groups: Int) {
        (self.policy, self.phase) = (policy, phase)
        risk = 1 - policy.confidence
        dividedRisk = risk / 2 / Double(max(1, groups * policy.limits.count))
    }

    func lines(_ lines: FleetDatabase.Lines) -> [FleetVerdict.Cause] {
        guard Double(lines.unread) > policy.unreadLines * Double(lines.all) else { return [] }
        let bound = ShareBound(lines.unread, of: lines.all, risk: risk)
        let sentence = """
            \(lines.unread) of \(lines.all) lines cannot be counted as events (\(lines.damaged) damaged, \
            \(lines.newer) in a newer format), more than \(policy.unreadLines.percent): their contents are unknown.
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
        // Once any phone has tried to move or remove its records, rehearsals and comparisons no longer count.
        let moving = groups.filter { $0.step == "apply" || $0.step == "retire" }
        let largest = (moving.isEmpty ? groups : moving).max { $0.phones < $1.phones }
        let phones = largest?.phones ?? 0
        guard phones < phase.phones else { return [] }
        let name = release.map { " of the release \($0)" } ?? ""
        let sentence = """
            \(phones) phones\(name) \(largest?.step == "rehearse" ? "rehearsed" : "made an attempt"); the phase of \(phase.percent) % requires \(phase.phones).\
            \(hasOthers ? " If another release is rolled out, name that release with --release." : "")
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
        let count = group.counts[measure] ?? 0
        let bound = ShareBound(count, of: group.phones, risk: dividedRisk, upperRisk: risk)
        if bound.lower > limit {
            return cause(.stop, .aboveLimit, group, measure, bound, limit, above(bound, limit))
        }
        // The bound of the other phones is computed only for the few groups that may be worse.
        if others.phones > 0, bound.lower > limit / 10 {
            let rest = ShareBound(others.counts[measure] ?? 0, of: others.phones, risk: dividedRisk)
            if bound.lower > policy.comparison * rest.upper {
                let end = """
                    surely at least \(bound.lower.percent), and of the other \(rest.total) phones \
                    at most \(rest.upper.percent)
                    """
                return cause(
                    .hold,
                    .worseThanOthers,
                    group,
                    measure,
                    bound,
                    policy.comparison * rest.upper,
                    end
                )
            }
        }
        let tolerated = min(1, limit * phase.tolerance)
        if isMain, group.system == nil, group.phones >= phase.phones, bound.upper > tolerated {
            let end = """
                perhaps \(bound.upper.percent), and the phase of \(phase.percent) % tolerates \(tolerated.percent)
                """
            return cause(.hold, .notYetSure, group, measure, bound, tolerated, end)
        }
        return nil
    }

    func above(_ bound: ShareBound, _ limit: Double) -> String {
        "surely at least \(bound.lower.percent), above the limit of \(limit.percent)"
    }

    func cause(
        _ decision: FleetVerdict.Decision,
        _ rule: FleetVerdict.Rule,
        _ group: FleetGroup,
        _ measure: FleetMeasure,
        _ bound: ShareBound,
        _ limit: Double,
        _ end: String
    ) -> FleetVerdict.Cause {
        let start = "\(group.name): \(bound.count) of \(bound.total) phones \(measure.words(of: group.step))"
        return .init(
            decision: decision,
            rule: rule,
            group: group,
            measure: measure,
            bound: bound,
            limit: limit,
            sentence: "\(start) (\(bound.share.percent)); \(end)."
        )
    }
}

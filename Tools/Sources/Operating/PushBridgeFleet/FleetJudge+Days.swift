import Foundation
import PushBridgeCommandLine
import PushBridgeCore

/// The rules about the newest days, and about phones that send no events.
extension FleetJudge {
    /// A system version counts as silent if its share of the phones falls by this factor.
    ///
    /// A release counts as silent if its number of attempts per day falls by this factor.
    private static let silence = 10.0
    /// The lengths in days of further ranges in which silence of a system version is tested, even with few phones.
    private static let silentDays = 1...7
    /// The lengths in days of the ranges that are compared with the week before, to find an update of the system.
    private static let updateDays = 1...14

    /// Compares ranges of newest days with the limits and with earlier days.
    /// - Parameters:
    ///   - releases: The attempts by release.
    ///   - systems: The attempts by system version.
    ///   - known: The causes found so far. If a known cause already stops a group for a measure, the group gets no
    ///     second cause for this measure.
    /// - Returns: The additional causes, and warnings about system versions whose phones have another version now.
    func newest(
        _ releases: [FleetDays],
        _ systems: [FleetDays],
        known: [FleetVerdict.Cause]
    ) -> (causes: [FleetVerdict.Cause], warnings: [String]) {
        let ranges = (releases + systems).map { (days: $0, starts: $0.starts) }
        let byRelease = Dictionary(
            uniqueKeysWithValues: releases.map { days in (Peers(days), (days: days, starts: days.starts)) }
        )
        // The number of comparisons: each range and each trend is compared once per measure, and each system version is
        // tested for silence in several ranges of newest days.
        let comparisons =
            (ranges.reduce(0) { $0 + $1.starts.count } + ranges.count) * policy.limits.count + systems.count
            * (FleetDays.windows.count + Self.silentDays.count)
        let risk = risk / 2 / Double(max(1, comparisons))
        let stopped = Set(
            known.filter { $0.rule == .aboveLimit }.map {
                "\($0.group?.name ?? "") \($0.measure?.rawValue ?? "")"
            }
        )
        var causes: [FleetVerdict.Cause] = []
        for (days, starts) in ranges {
            let whole = days.whole
            let newest = starts.map { days.group($0...) }
            for measure in FleetMeasure.allCases where !stopped.contains("\(whole.name) \(measure.rawValue)")
            {
                guard let limit = policy.limits[measure] else { continue }
                let cause =
                    newest.lazy.compactMap { above($0, measure, limit, risk: risk) }.first
                    ?? growth(of: days, whole, measure, limit, risk: risk)
                if let cause { causes.append(cause) }
            }
        }
        var warnings: [String] = []
        for days in systems {
            guard let whole = byRelease[Peers(days)] else { continue }
            let starts = Set(whole.starts + Self.silentDays.compactMap(whole.days.start)).sorted(by: >)
            guard let silence = silence(of: days, in: whole.days, starts: starts, risk: risk) else {
                continue
            }
            let others = systems.filter { Peers($0) == Peers(days) && $0.system != days.system }
            if let name = successor(of: days, among: others, in: whole.days, risk: self.risk) {
                warnings.append(
                    "\(silence.sentence) The share of \(name) grew by about as much, so these phones were probably updated."
                )
            } else {
                causes.append(silence)
            }
        }
        return (causes, warnings)
    }

    private struct Peers: Hashable {
        let step: String
        let release: String
        init(_ days: FleetDays) { (step, release) = (days.step, days.release) }
    }

    private func above(
        _ newest: FleetGroup,
        _ measure: FleetMeasure,
        _ limit: Double,
        risk: Double
    ) -> FleetVerdict.Cause? {
        let bound = ShareBound(newest.counts[measure] ?? 0, of: newest.phones, risk: risk)
        guard bound.lower > limit else { return nil }
        return cause(.stop, .newestDays, newest, measure, bound, limit, above(bound, limit))
    }

    /// Returns a cause if a share surely grows, is above a quarter of its limit, and would exceed the limit in a
    /// week.
    private func growth(
        of days: FleetDays,
        _ whole: FleetGroup,
        _ measure: FleetMeasure,
        _ limit: Double,
        risk: Double
    ) -> FleetVerdict.Cause? {
        guard let trend = days.trend(measure), trend.risk < risk, trend.newest > limit / 4,
            trend.newest + 7 * trend.slope > limit
        else { return nil }
        let bound = ShareBound(
            whole.counts[measure] ?? 0,
            of: whole.phones,
            risk: dividedRisk,
            upperRisk: self.risk
        )
        let end = """
            the share grows: according to its trend, it is \(trend.newest.percent) on the newest day and will be \
            \((trend.newest + 7 * trend.slope).percent) a week later; the limit is \(limit.percent)
            """
        return cause(.hold, .growing, whole, measure, bound, limit, end)
    }

    /// Finds the version that the phones of a silent version have now.
    ///
    /// If the phones only fell silent, the shares of all other versions grow by the same factor. If the phones were
    /// updated, the share of one version grows by as much as the share of the silent version falls. The day of the
    /// update is unknown, so each day in ``updateDays`` is tried.
    /// - Parameters:
    ///   - system: The silent version.
    ///   - others: The other system versions of the release with enough attempts to be listed.
    ///   - release: All phones with the release.
    ///   - risk: The accepted probability that the result is wrong.
    /// - Returns: The name of the version; `nil` if no version surely gained the phones.
    private func successor(
        of system: FleetDays,
        among others: [FleetDays],
        in release: FleetDays,
        risk: Double
    ) -> String? {
        let starts = Self.updateDays.compactMap(release.start)
        for start in starts {
            func phones(_ days: FleetDays) -> (before: Int, now: Int) {
                (days.group(start - 7..<start).phones, days.group(start...).phones)
            }
            func shares(_ phones: (before: Int, now: Int)) -> (before: Double, now: Double) {
                (
                    Double(phones.before) / Double(max(1, all.before, phones.before)),
                    Double(phones.now) / Double(max(1, all.now, phones.now))
                )
            }
            let all = phones(release)
            let own = shares(phones(system))
            guard own.before < 1, own.now < own.before / 4 else { continue }
            var counts = others.map { (name: $0.system ?? "another version", phones: phones($0)) }
            let listed = ([system] + others).map(phones)
            let unlisted = (
                before: max(0, all.before - listed.reduce(0) { $0 + $1.before }),
                now: max(0, all.now - listed.reduce(0) { $0 + $1.now })
            )
            counts.append((name: "versions with few attempts", phones: unlisted))
            for (name, phones) in counts {
                let before = shares(phones).before
                let ifSilent = before * (1 - own.now) / (1 - own.before)
                let ifUpdated = before + own.before - own.now
                let now = ShareBound(
                    phones.now,
                    of: max(1, phones.now, all.now),
                    risk: risk / Double(counts.count * starts.count)
                )
                if now.lower > (ifSilent + ifUpdated) / 2 { return name }
            }
        }
        return nil
    }

    /// Returns a cause if a system version's share of the phones is surely less than a tenth of its share in the week
    /// before.
    private func silence(
        of system: FleetDays,
        in release: FleetDays,
        starts: [Int],
        risk: Double
    ) -> FleetVerdict.Cause? {
        for start in starts {
            let (newest, all) = (system.group(start...), release.group(start...).phones)
            let before = system.group(start - 7..<start).phones
            let week = ShareBound(
                before,
                of: max(before, release.group(start - 7..<start).phones),
                risk: risk
            )
            let now = ShareBound(newest.phones, of: max(newest.phones, all), risk: risk)
            guard now.upper * Self.silence < week.lower else { continue }
            return FleetVerdict.Cause(
                decision: .hold,
                rule: .silent,
                group: newest,
                measure: nil,
                bound: now,
                limit: week.lower / Self.silence,
                sentence: """
                    \(newest.name): \(now.count) of \(now.total) phones (\(now.share.percent)), and \
                    \(week.share.percent) in the week before: this version has fallen silent. Do its phones crash before they \
                    send an event, or do they have another system version now?
                    """
            )
        }
        return nil
    }

    /// Returns a cause if a release sent almost no events on three complete days, compared with the week before.
    /// - Parameters:
    ///   - rows: The rows of the query `outcomes_by_day`.
    ///   - release: The release.
    ///   - until: The last complete day; `nil` for the day before the newest day.
    ///   - waiting: The number of installed phones that have not moved; `nil` if it is unknown. At the end of a
    ///     roll-out, only these phones make new attempts.
    /// - Returns: The cause; empty if there is none.
    func volume(
        _ rows: [FleetDatabase.Row],
        of release: String?,
        until: Int?,
        waiting: Int?
    ) -> [FleetVerdict.Cause] {
        var attempts: [Int: Int] = [:]
        for row in rows {
            guard let day = (row["day"]?.plainText).flatMap(FleetCalendar.number) else { continue }
            attempts[day, default: 0] += row.count("attempts")
        }
        guard let release, let range = FleetCalendar.range(attempts) else { return [] }
        // The last of the three days that are compared with the week before. By default, the newest day is excluded,
        // because it may be incomplete.
        let last = until ?? range.upperBound - 1
        // After a long silence, the week before the three days has no events, so an earlier week is used.
        let end = min(last - 3, range.upperBound + 4)
        let days = max(end - 6, range.lowerBound)...max(end, range.lowerBound)
        guard last - 2 > days.upperBound - 1, last - 2 > range.lowerBound, days.count >= 3 else { return [] }
        let before = days.reduce(0) { $0 + (attempts[$1] ?? 0) }
        let newest = (last - 2...last).reduce(0) { $0 + (attempts[$1] ?? 0) }
        // The phones that can make an attempt in the three days, as a share of the phones that could make one before.
        let ready = waiting.map { Double($0 + newest) / Double(max(1, $0 + newest + before)) } ?? 1
        let usual = 3 * ready / (3 * ready + Double(days.count) * Self.silence)
        let bound = ShareBound(newest, of: newest + before, risk: risk / 2)
        guard newest + before > 0, bound.upper < usual else { return [] }
        return [
            .init(
                decision: .hold,
                rule: .silent,
                group: nil,
                measure: nil,
                bound: bound,
                limit: usual,
                sentence: """
                    \(release): \(newest) attempts in the three days until \(FleetCalendar.text(last)), and \(before) in the \
                    \(days.count) days until \(FleetCalendar.text(days.upperBound)): do phones still send events, and do \
                    these events still arrive?\
                    \(waiting == nil ? " If all phones have moved, state their number with --installed." : "")
                    """
            )
        ]
    }

    /// Compares the number of phones that sent events with the number of installed phones.
    /// - Parameters:
    ///   - installed: The numbers of installed phones.
    ///   - phones: The rows of the query `phones`.
    /// - Returns: The causes.
    func installed(_ installed: FleetInstalled, phones: [FleetDatabase.Row]) -> [FleetVerdict.Cause] {
        var causes: [FleetVerdict.Cause] = []
        if let total = installed.total, total > 0 {
            causes += seen(FleetProgress(phones).seen, of: total, "the installed phones", least: policy.seen)
        }
        var bySystem: [String: [FleetDatabase.Row]] = [:]
        for row in phones { bySystem[row["systemVersion"]?.plainText ?? "", default: []].append(row) }
        let counts = installed.systems.mapValues { (installed: $0, seen: 0) }
            .merging(bySystem.mapValues { (installed: 0, seen: FleetProgress($0).seen) }) {
                ($0.installed, $1.seen)
            }
            .filter { $0.value.installed > 0 }
        let sum = counts.values.reduce((installed: 0, seen: 0)) {
            ($0.installed + $1.installed, $0.seen + min($1.seen, $1.installed))
        }
        for (system, count) in counts.sorted(by: { $0.key < $1.key }) {
            let others = sum.installed - count.installed
            let rest = others == 0 ? 0 : Double(sum.seen - min(count.seen, count.installed)) / Double(others)
            let least = max(policy.seen, rest / policy.comparison)
            causes += seen(
                count.seen,
                of: count.installed,
                "the phones with \(system)",
                least: least,
                share: counts.count
            )
        }
        return causes
    }

    private func seen(
        _ count: Int,
        of installed: Int,
        _ phones: String,
        least: Double,
        share: Int = 1
    ) -> [FleetVerdict.Cause] {
        let bound = ShareBound(count, of: installed, risk: risk / 2 / Double(share))
        guard bound.upper < least else { return [] }
        return [
            .init(
                decision: .hold,
                rule: .notSeen,
                group: nil,
                measure: nil,
                bound: bound,
                limit: least,
                sentence: """
                    \(count) of \(installed) of \(phones) sent an event (\(bound.share.percent)); at least \
                    \(least.percent) must do so. The others did not start the app, cannot send, or crash before they can.
                    """
            )
        ]
    }
}

import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeFleet

// The sentences at the top of a report depend on the steps that phones have made.

extension FleetReport {
    /// The steps that phones of the judged release made, in the order of their plots.
    var shownSteps: [String] {
        let steps = Set(
            rows(.outcomesByDay).filter { $0.words("appVersion") == verdict.release }.map { $0.words("step") }
        )
        return ["apply", "rehearse", "compare", "retire"].filter(steps.contains)
    }

    /// Whether phones of the judged release rehearsed, and none has tried to move.
    private var isOfRehearsals: Bool { shownSteps.first == "rehearse" }

    /// Whether phones of the judged release compared their stores, for example after a move with an earlier release.
    private var hasComparisons: Bool { shownSteps.contains("compare") }

    /// The newest day with an event, ignoring the days of phones with wrong clocks; `nil` if there are no events.
    var newestDay: Int? {
        let attempts = rows(.outcomesByDay).reduce(into: [Int: Int]()) { attempts, row in
            guard let day = FleetCalendar.number(row.words("day")) else { return }
            attempts[day, default: 0] += row.number("attempts")
        }
        return FleetCalendar.range(attempts)?.upperBound
    }

    /// The warnings of the verdict, and a warning if the newest event is too old.
    var warnings: [String] {
        guard let newestDay, today - newestDay > mostAge else { return verdict.warnings }
        return verdict.warnings + [
            """
            The newest event is from \(FleetCalendar.text(newestDay)), \((today - newestDay).counted("day")) ago (--max-age \
            \(mostAge)): later events are missing from the input, or phones send none.
            """
        ]
    }

    /// Whether only comparisons cause the verdict.
    ///
    /// The phones have then moved, and the legacy records must not be removed yet.
    private var isOfComparisons: Bool {
        let causes = verdict.causes.filter { $0.decision == verdict.decision }
        return !causes.isEmpty && causes.allSatisfy { $0.group?.step == "compare" }
    }

    /// The checks that phones of the judged release have made so far, as words for a sentence.
    private var checked: String {
        hasComparisons ? "rehearsed, and compared records that moved earlier" : "rehearsed"
    }

    /// The verdict as one sentence.
    var sentence: String {
        switch verdict.decision {
        case .hold where isOfComparisons, .stop where isOfComparisons:
            """
            \(verdict.decision.rawValue): set the gate to off for the removal of legacy records until the named \
            comparisons are understood.
            """
        case .continue where isOfRehearsals:
            """
            continue: in the rehearsals\(hasComparisons ? " and comparisons" : "") of this release, every measure is \
            within the limits of the \(verdict.phase.percent) % phase; no phone with this release has moved yet.
            """
        case .hold where isOfRehearsals:
            """
            hold: let no phone move until the named causes are understood; so far, phones only \(checked).
            """
        case .stop where isOfRehearsals:
            """
            stop: set the gate to off for the migration until the named causes are understood; so far, phones only \
            \(checked).
            """
        case .continue:
            "continue: in this release, every measure is within the limits of the \(verdict.phase.percent) % phase."
        case .hold where verdict.phase == policy.phases.last:
            "hold: keep the legacy code, and do not continue until the named causes are understood."
        case .hold: "hold: stay at \(verdict.phase.percent) % until the named causes are understood."
        case .stop:
            "stop: pause the phased release, and set the gate to off until the named causes are understood."
        }
    }
}

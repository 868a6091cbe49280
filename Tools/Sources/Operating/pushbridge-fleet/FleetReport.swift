import CredentialMigration
import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeFleet

/// The report of the command `fleet` on a roll-out.
struct FleetReport: PageReport {
    let verdict: FleetVerdict
    let answers: [FleetQuery: [FleetDatabase.Row]]
    let lines: FleetDatabase.Lines
    let policy: FleetPolicy
    var installed = FleetInstalled()
    /// The number of newest days whose attempts count as recent.
    var days = 30
    /// The day number of today.
    var today = FleetCalendar.today
    /// The age of the newest event, in days, above which the report warns.
    var mostAge = 3

    var status: ExitStatus {
        switch verdict.decision {
        case .continue: .success
        case .hold: .hold
        case .stop: .stop
        }
    }

    /// The shares of the releases and of their system versions, each with its limit and the bounds that the verdict
    /// compares with the limit.
    var shares: [(group: FleetGroup, measure: FleetMeasure, bound: ShareBound, limit: Double)] {
        shares(.sharesByRelease) + shares(.sharesBySystem)
    }

    /// Returns the shares in the rows of one query.
    func shares(
        _ query: FleetQuery
    ) -> [(group: FleetGroup, measure: FleetMeasure, bound: ShareBound, limit: Double)] {
        rows(query).compactMap(FleetGroup.init).flatMap { group in
            FleetMeasure.allCases.map { ($0, policy.limits[$0] ?? 1) }
                .map { (group, $0.0, verdict.bound(group, $0.0), $0.1) }
        }
    }

    func rows(_ query: FleetQuery) -> [FleetDatabase.Row] { answers[query] ?? [] }

    /// Returns a total: the number of events, attempts or records.
    func total(_ name: String) -> Int { rows(.totals).first?.number(name) ?? 0 }

    /// The numbers of lines, events, attempts and records that were read, in words.
    var input: String {
        var text = """
            \(lines.all.counted("line")), \(total("events").counted("event")), \
            \(total("attempts").counted("attempt")), \(total("records").counted("record"))
            """
        let steps = rows(.pushes).reduce(0) { $0 + $1.number("pushes") }
        if steps > 0 { text += "; also \(steps.counted("step")) of pushes" }
        if let newestDay { text += "; counted until \(FleetCalendar.text(newestDay))" }
        if lines.unread > 0 {
            text += "; not counted: \(lines.damaged) damaged, \(lines.newer) in a newer format "
            text +=
                "(\(lines.places.joined(separator: "; "))\(lines.unread > lines.places.count ? "; …" : ""))"
        }
        return text
    }

    var text: String {
        var text = "fleet: \(input)\n\n"
        if !verdict.causes.isEmpty {
            var table = Table(("Verdict", .left), ("Rule", .left), ("Why", .left))
            table.limit = 400
            for cause in verdict.causes {
                table.add(cause.decision.rawValue, cause.rule.rawValue, cause.sentence)
            }
            text += "\(table.text)\n"
        }
        for warning in warnings { text += "warning: \(warning.visible)\n\n" }
        for section in sections where !section.rows.isEmpty { text += "\(section.title)\n\(section.text)\n" }
        return "\(text)\(sentence)\n"
    }

    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        var members: [String: JSONValue] = [
            "schema": 1, "command": "fleet", "verdict": .string(verdict.decision.rawValue),
            "phase": .integer(verdict.phase.percent), "release": .optional(verdict.release),
            "causes": .array(verdict.causes.map(\.json)), "warnings": .strings(warnings),
            "countedUntil": .optional(newestDay.map(FleetCalendar.text)),
            "progress": progress.json(of: installed, days: days),
            "lines": [
                "all": .integer(lines.all), "damaged": .integer(lines.damaged),
                "newer": .integer(lines.newer),
                "places": .strings(lines.places),
            ],
            "policy": policy.json,
            "shares": .array(
                shares.map { share in
                    [
                        "step": .string(share.group.step), "appVersion": .string(share.group.release),
                        "systemVersion": .optional(share.group.system),
                        "measure": .string(share.measure.rawValue),
                        "count": .integer(share.bound.count), "phones": .integer(share.bound.total),
                        "lower": .number(share.bound.lower), "upper": .number(share.bound.upper),
                        "limit": .number(share.limit),
                    ]
                }
            ),
        ]
        for query in FleetQuery.allCases {
            members[query.member] = .array(rows(query).map { .object($0.withReasonNumber) })
        }
        try write(Data(JSONValue.object(members).line.utf8))
    }
}

extension FleetVerdict.Cause {
    fileprivate var json: JSONValue {
        [
            "decision": .string(decision.rawValue), "rule": .string(rule.rawValue),
            "step": .optional(group?.step), "appVersion": .optional(group?.release),
            "systemVersion": .optional(group?.system), "since": .optional(group?.since),
            "measure": .optional(measure?.rawValue),
            "count": .integer(bound.count), "of": .integer(bound.total), "lower": .number(bound.lower),
            "upper": .number(bound.upper), "limit": .number(limit), "sentence": .string(sentence),
        ]
    }
}

extension FleetDatabase.Row {
    /// Returns the number in a column; 0 if the value is not a number.
    func number(_ name: String) -> Int { count(name) }

    /// The number of the reason, such as `PB-R007`; empty for a reason from a newer version.
    var reasonNumber: String { MigrationReason(rawValue: words("code"))?.number ?? "" }

    /// The row, with the number of its reason if the reason is known.
    var withReasonNumber: Self {
        reasonNumber.isEmpty ? self : merging(["number": .string(reasonNumber)]) { own, _ in own }
    }

    /// Returns the text in a column; empty if the value is not text.
    func words(_ name: String) -> String { self[name]?.plainText ?? "" }
}

extension FleetReport {
    /// The tables, in the order of their importance.
    var sections: [FleetSection] {
        [
            progressSection, sharesSection,
            outcomes("Phones by outcome, by release", .outcomesByRelease, nil),
            outcomes("Phones by outcome, by system version", .outcomesBySystem, ("System", "systemVersion")),
            outcomes(
                "Phones by outcome, by day, newest first",
                .outcomesByDay,
                ("Day", "day"),
                isReversed: true
            ),
            reasonsSection,
            reasonsBySystemSection, unprovenSection, guardsSection, durationsSection,
            durationsBySystemSection, pushesSection,
        ]
    }

    private var sharesSection: FleetSection {
        FleetSection(
            title: "Phones in trouble, with the bounds of their share",
            columns: [
                ("Release", .left), ("Measure", .left), ("Phones", .right), ("Count", .right),
                ("Share", .right),
                ("At least", .right), ("At most", .right), ("Limit", .right),
            ],
            rows: shares(.sharesByRelease).map { share in
                [
                    share.group.name, share.measure.rawValue, "\(share.bound.total)", "\(share.bound.count)",
                    share.bound.share.percent, share.bound.lower.percent, share.bound.upper.percent,
                    share.limit.percent,
                ]
            }
        )
    }

    /// Returns a section with the shares of phones by outcome, one column for each outcome.
    private func outcomes(
        _ title: String,
        _ query: FleetQuery,
        _ column: (title: String, member: String)?,
        isReversed: Bool = false
    ) -> FleetSection {
        var order: [[String]] = []
        var groups: [[String]: [String: FleetDatabase.Row]] = [:]
        for row in rows(query) {
            let name =
                [row.words("appVersion")] + (column.map { [row.words($0.member)] } ?? []) + [
                    row.words("step")
                ]
            if groups[name] == nil { order.append(name) }
            groups[name, default: [:]][row.words("outcome")] = row
        }
        let occurred = Set(groups.values.flatMap(\.keys)).union(order.compactMap(\.last))
        var outcomes = MigrationEvent.Outcome.allCases.map(\.rawValue)
        if occurred.contains("outOfTime") { outcomes.insert("outOfTime", at: 2) }
        let notes = [
            ("rehearse", "In a rehearsal, partial means that some records would not arrive."),
            ("compare", "In a comparison, complete means that both stores give the same results."),
            (
                "outOfTime",
                "outOfTime: the time limit ended the step before its last record; the records that it read, if any, had no problem."
            ),
        ]
        return FleetSection(
            title: title,
            columns: [("Release", .left)] + (column.map { [($0.title, .left)] } ?? []) + [
                ("Step", .left), ("Attempts", .right), ("Phones", .right),
            ] + outcomes.map { ($0, .right) },
            rows: (isReversed ? order.sorted { ($0[1], $0[0]) > ($1[1], $1[0]) } : order).map { name in
                let rows = groups[name] ?? [:]
                let attempts = rows.values.reduce(0) { $0 + $1.number("attempts") }
                let phones = rows.values.first?.number("ofPhones") ?? 0
                return name + ["\(attempts)", "\(phones)"]
                    + outcomes.map { outcome in
                        guard let count = rows[outcome]?.number("phones"), phones > 0 else { return "" }
                        return (Double(count) / Double(phones)).percent
                    }
            },
            note: column != nil
                ? nil
                : notes.filter { occurred.contains($0.0) }.map(\.1).joined(separator: " ").nilIfEmpty
        )
    }

    private var reasonsSection: FleetSection {
        FleetSection(
            title: "Reasons by frequency",
            columns: [
                ("Number", .left), ("Reason", .left), ("Release", .left), ("Step", .left),
                ("Attempts", .right), ("Records", .right),
            ],
            rows: rows(.reasons).map {
                [
                    $0.reasonNumber, $0.words("code"), $0.words("appVersion"), $0.words("step"),
                    "\($0.number("attempts"))", "\($0.number("records"))",
                ]
            }
        )
    }

    private var reasonsBySystemSection: FleetSection {
        FleetSection(
            title: "Reasons by system version",
            columns: [
                ("Number", .left), ("Reason", .left), ("Release", .left), ("System", .left),
                ("Step", .left), ("Attempts", .right),
            ],
            rows: rows(.reasonsBySystem).map {
                [
                    $0.reasonNumber, $0.words("code"), $0.words("appVersion"), $0.words("systemVersion"),
                    $0.words("step"), "\($0.number("attempts"))",
                ]
            }
        )
    }

    private var unprovenSection: FleetSection {
        FleetSection(
            title: "Records that arrive but are not proven, or differ in a comparison",
            columns: [
                ("Release", .left), ("System", .left), ("Step", .left), ("Kind", .left), ("Outcome", .left),
                ("Attempts", .right), ("Records", .right),
            ],
            rows: rows(.unproven).map {
                [
                    $0.words("appVersion"), $0.words("systemVersion"), $0.words("step"), $0.words("kind"),
                    $0.words("outcome"),
                    "\($0.number("attempts"))", "\($0.number("records"))",
                ]
            }
        )
    }

    private var guardsSection: FleetSection {
        FleetSection(
            title: "Interrupted attempts, and phones held back by the guard",
            columns: [("Release", .left), ("System", .left), ("Interrupted", .right), ("Held", .right)],
            rows: rows(.guards).map {
                [
                    $0.words("appVersion"), $0.words("systemVersion"), "\($0.number("interrupted"))",
                    "\($0.number("held"))",
                ]
            }
        )
    }

    private var durationsSection: FleetSection { durations("Time to finish", .durations, nil) }

    private var durationsBySystemSection: FleetSection {
        durations("Time to finish, by system version", .durationsBySystem, "systemVersion")
    }

    /// Returns a section with the shares of attempts by duration, one column for each range.
    private func durations(_ title: String, _ query: FleetQuery, _ member: String?) -> FleetSection {
        let durations = ["under100ms", "under1s", "under10s", "under1min", "longer"]
        var order: [[String]] = []
        var groups: [[String]: [String: Int]] = [:]
        for row in rows(query) {
            let name =
                [row.words("appVersion")] + (member.map { [row.words($0)] } ?? []) + [row.words("step")]
            if groups[name] == nil { order.append(name) }
            groups[name, default: [:]][row.words("duration"), default: 0] += row.number("attempts")
        }
        return FleetSection(
            title: title,
            columns: [("Release", .left)] + (member == nil ? [] : [("System", .left)]) + [
                ("Step", .left), ("Attempts", .right),
            ]
                + durations.map { ($0, .right) },
            rows: order.map { name in
                let counts = groups[name] ?? [:]
                let known = durations.reduce(0) { $0 + (counts[$1] ?? 0) }
                return name + ["\(known)"]
                    + durations.map { counts[$0].map { (Double($0) / Double(known)).percent } ?? "" }
            }
        )
    }

    private var pushesSection: FleetSection {
        FleetSection(
            title: "Steps of pushes, and the time since the server sent them",
            columns: [
                ("Release", .left), ("Step", .left), ("Result", .left), ("Time", .left), ("Count", .right),
            ],
            rows: rows(.pushes).map {
                [
                    $0.words("appVersion"), $0.words("kind"), $0.words("result"), $0.words("delay"),
                    "\($0.number("pushes"))",
                ]
            }
        )
    }
}

extension String {
    fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}

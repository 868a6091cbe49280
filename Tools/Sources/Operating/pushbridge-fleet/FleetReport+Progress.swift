import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeFleet

extension FleetReport {
    /// The progress of the phones with any release; held phones count only if they have the judged release.
    var progress: FleetProgress {
        FleetProgress(answers, release: verdict.release, days: days, until: verdict.lastCompleteDay)
    }

    /// The progress of the phones, with shares if the number of installed phones is known.
    var progressSection: FleetSection {
        let counts = progress.counts(of: installed.total, days: days)
        return FleetSection(
            title: installed.total.map { "Progress of \($0.counted("installed phone"))" }
                ?? "Progress of the phones (--installed adds shares)",
            columns: [("Phones that", .left), ("Number", .right), ("Share", .right)],
            rows: total("attempts") == 0 && installed.total == nil
                ? []
                : counts.map { count in
                    let share = installed.total.map {
                        $0 == 0 ? "" : (Double(count.phones) / Double($0)).percent
                    }
                    return [count.words, "\(count.phones)", share ?? ""]
                }
        )
    }
}

extension FleetProgress {
    /// Returns the counts, each with its JSON name and its words.
    fileprivate func counts(of installed: Int?, days: Int) -> [(name: String, words: String, phones: Int)] {
        [
            ("seen", "sent an event (at least)", seen),
            ("rehearsed", "rehearsed (at least)", rehearsed),
            ("moved", "moved, or had nothing to move (at least)", moved),
            ("held", "are held back by the guard", held),
            ("compared", "compared both stores (at least)", compared),
            ("retired", "removed their legacy records (at least)", retired),
        ]
            + (installed.map {
                [
                    (
                        "notSeen", "have not moved, and have made no attempt for \(days) days (upper bound)",
                        notSeen(of: $0)
                    )
                ]
            } ?? [])
    }

    /// Returns the counts and, if the number of installed phones is known, their shares.
    func json(of installed: FleetInstalled, days: Int) -> JSONValue {
        var members: [String: JSONValue] = [
            "days": .integer(days), "installed": installed.total.map(JSONValue.integer) ?? .null,
            "notSeen": .null, "shares": .null,
        ]
        let counts = counts(of: installed.total, days: days)
        for count in counts { members[count.name] = .integer(count.phones) }
        if let total = installed.total, total > 0 {
            members["shares"] = .object(
                Dictionary(
                    uniqueKeysWithValues: counts.map {
                        ($0.name, .number(min(1, Double($0.phones) / Double(total))))
                    }
                )
            )
        }
        return .object(members)
    }
}

import PushBridgeCommandLine

extension FleetVerdict {
    /// Returns warnings about releases in which at least one in ten rehearsals has the outcome `outOfTime`.
    /// - Parameter rows: The rows of the query `outcomes_by_release`.
    /// - Returns: One sentence for each such release.
    static func unfinishedRehearsals(_ rows: [FleetDatabase.Row]) -> [String] {
        var counts: [String: (unfinished: Int, all: Int)] = [:]
        for row in rows where row["step"]?.plainText == "rehearse" {
            let outcome = row["outcome"]?.plainText
            let attempts = outcome == "held" ? 0 : row.count("attempts")
            let release = row["appVersion"]?.plainText ?? ""
            counts[release, default: (0, 0)].all += attempts
            if outcome == "outOfTime" { counts[release, default: (0, 0)].unfinished += attempts }
        }
        return counts.sorted { $0.key < $1.key }.compactMap { release, count in
            guard count.unfinished > 0, count.unfinished * 10 >= count.all else { return nil }
            return """
                \(release): \(count.unfinished) of \(count.all) rehearsals ended before their last record; they show nothing \
                about the records that they did not read.
                """
        }
    }

    /// Returns warnings about events that a single sender may have invented.
    ///
    /// Stores differ, so few attempts of one day have the same system version, outcome, duration and number of records.
    /// The verdict does not depend on these warnings, because equal phones with equal stores send the same events.
    /// - Parameter rows: The rows of the query `forms`.
    /// - Returns: One sentence for each step of a release in which the events of a day look invented.
    static func inventedSenders(_ rows: [FleetDatabase.Row]) -> [String] {
        var groups: [[String]: [(day: String, alike: Int, attempts: Int)]] = [:]
        for row in rows {
            let text = { (name: String) in row[name]?.plainText ?? "" }
            groups[[text("appVersion"), text("step")], default: []]
                .append((text("day"), row.count("alike"), row.count("attempts")))
        }
        return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { key, days in
            guard let worst = days.max(by: { $0.alike < $1.alike }), worst.alike >= 500,
                worst.alike * 2 > worst.attempts
            else { return nil }
            // If many phones have the same properties, attempts on other days are alike too, so a warning would be
            // wrong.
            let others = days.filter { $0.day != worst.day }
                .reduce((alike: 0, attempts: 0)) { ($0.alike + $1.alike, $0.attempts + $1.attempts) }
            guard others.attempts == 0 || others.alike * 4 < others.attempts else { return nil }
            return """
                \(key[0]), \(key[1]): \(worst.alike) of \(worst.attempts) attempts on \(worst.day) are alike in system version, \
                outcome, duration and number of records; one sender may have invented them.
                """
        }
    }
}

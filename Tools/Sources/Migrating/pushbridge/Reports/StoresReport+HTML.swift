import PushBridgeCommandLine
import PushBridgeCore

extension StoresReport {
    var html: String { get throws { try PageTemplate.stores.html(content) } }

    /// The maximum number of stores on the page, so that a page with long paths stays under two megabytes.
    private static let mostStores = 2000

    private var content: JSONValue {
        let stores = attention + lines.filter(\.result.isComplete)
        let rest = max(0, stores.count - Self.mostStores)
        let outcomes = JSONValue.array(rows.map(\.content))
        return [
            "title": .string("migrate: \(folder)"), "command": "migrate", "job": .string(job),
            "source": .string(lines.count.counted("store")), "destination": .string(folder),
            "mood": status == .success ? "good" : "bad", "verdict": .string(verdict),
            "shareOf": "outcome", "totalsHead": "Outcome", "totalsUnit": "Records",
            "shares": outcomes, "totals": outcomes, "sum": .integer(totals["records"] ?? 0),
            "stores": .array(stores.prefix(Self.mostStores).map(\.content)),
            "rest": rest > 0 ? .string(rest.counted("further store")) : .null,
        ]
    }
}

extension StoresReport.Row {
    fileprivate var content: JSONValue {
        let name = JSONValue.string(outcome.rawValue)
        return ["style": name, "name": name, "count": .integer(count), "meaning": .string(meaning)]
    }
}

extension StoresReport.Line {
    fileprivate var content: JSONValue {
        [
            "store": .string(source), "database": .string(result.failure == nil ? destination : ""),
            "records": .integer(result.records), "attention": .string(result.attention),
            "reasons": .strings(result.reasons.map { "\($0.records) \($0.outcome): \($0.sentence)" }),
        ]
    }
}

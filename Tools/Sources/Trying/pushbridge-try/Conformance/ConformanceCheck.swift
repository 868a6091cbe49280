import PingAMSimulator

/// One check of a server: a test or an observation, with its expected outcomes.
///
/// Each candidate has its own expected outcomes.
struct ConformanceCheck: Sendable {
    /// The name of the check, for display.
    let name: String
    /// The possible outcomes of a candidate.
    ///
    /// There are several outcomes if the outcome is only inferred, or depends on hidden conditions.
    let outcomes: @Sendable (ServerCandidate) -> [Outcome]
    /// The outcomes, if they are the same for all candidates; otherwise `nil`.
    private let same: [Outcome]?

    init(_ name: String, _ outcomes: @escaping @Sendable (ServerCandidate) -> [Outcome]) {
        self.name = name
        self.outcomes = outcomes
        same = nil
    }

    /// Creates a check whose outcomes are the same for all candidates.
    init(_ name: String, always outcomes: [Outcome]) {
        self.name = name
        self.outcomes = { _ in outcomes }
        same = outcomes
    }

    /// Returns the candidates that may produce an observation; empty if no outcome has these words.
    func fitting(_ found: String) -> Set<ServerCandidate> {
        if let same { return same.contains { $0.words == found } ? ServerCandidate.all : [] }
        return ServerCandidate.all.filter { outcomes($0).contains { $0.words == found } }
    }

    /// Returns the option with which the simulator produces the observation.
    ///
    /// Returns `nil` if the observation is possible without an option, or with several options.
    func reading(_ found: String, among candidates: Set<ServerCandidate>) -> ServerAlternative? {
        let readings = Set((same ?? candidates.flatMap(outcomes)).filter { $0.words == found }.map(\.reading))
        return readings.count == 1 ? readings.first.flatMap(\.self) : nil
    }

    /// The expected outcomes by candidate, without outcomes that require an option of the simulator.
    var expected: String {
        if let same { return same.filter { $0.reading == nil }.map(\.words).joined(separator: " or ") }
        let groups = Dictionary(grouping: ServerCandidate.all) { candidate in
            outcomes(candidate).filter { $0.reading == nil }.map(\.words).joined(separator: " or ")
        }
        let sorted = groups.filter { !$0.key.isEmpty }.map { (words: $0.key, who: Set($0.value)) }
            .sorted { ($0.who.count, $0.words) < ($1.who.count, $1.words) }
        guard let last = sorted.last else { return "nothing" }
        let parts = sorted.dropLast().map { "\($0.words) (\($0.who.words))" }
        if parts.isEmpty, last.who != ServerCandidate.all { return "\(last.words) (\(last.who.words))" }
        return parts.isEmpty ? last.words : "\(parts.joined(separator: ", ")), else \(last.words)"
    }
}

/// A possible response or text of a server.
struct Outcome: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The words for the outcome, such as `400`.
    let words: String
    /// The simulator's option that produces the outcome; `nil` if real servers are known to have the outcome.
    let reading: ServerAlternative?

    init(_ words: String, if reading: ServerAlternative? = nil) {
        self.words = words
        self.reading = reading
    }

    init(stringLiteral words: String) {
        self.init(words)
    }
}

extension [Outcome] {
    /// The outcomes of a server that does not catch an error.
    static let uncaught: Self = ["500", Outcome("400", if: .caughtErrors)]
}

/// The observation of one check.
struct Finding {
    let check: ConformanceCheck
    let found: String
    /// The candidates that may have this outcome; empty if no candidate is known to have it.
    let fitting: Set<ServerCandidate>

    init(_ check: ConformanceCheck, _ found: String) {
        self.check = check
        self.found = found
        fitting = check.fitting(found)
    }

    /// Whether some version may produce the observation.
    var isRight: Bool { !fitting.isEmpty }
}

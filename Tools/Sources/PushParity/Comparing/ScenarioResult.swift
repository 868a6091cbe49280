import PushBridgeCore

/// What playing a scenario on both sides showed.
public struct ScenarioResult: Sendable {
    /// The judgement.
    public enum Verdict: String, CaseIterable, Codable, Sendable {
        /// Nothing is different.
        case same
        /// Everything that is different is in the register of divergences.
        case differentByDesign
        /// Something is different that should not be.
        case different
    }

    /// A difference that the register explains.
    public struct Explained: Sendable {
        /// The divergence.
        public let divergence: Divergence
        /// The differences it explains.
        public let differences: [Difference]
    }

    /// The scenario.
    public let scenario: Scenario
    /// What the legacy API did.
    public let legacy: Timeline
    /// What the new API did.
    public let async: Timeline
    /// What is different by design, in the order of the register.
    public let divergences: [Explained]
    /// What is different and should not be.
    public let differences: [Difference]

    /// The judgement.
    public var verdict: Verdict {
        guard differences.isEmpty else { return .different }
        return divergences.isEmpty ? .same : .differentByDesign
    }

    init(_ scenario: Scenario, legacy: Timeline, async: Timeline, register: [Divergence]) {
        self.scenario = scenario
        self.legacy = legacy
        self.async = async
        var judge = Judge(register: register, settings: scenario.settings)
        for (index, moments) in zip(legacy.moments, async.moments).enumerated() {
            judge.compare(moments.0, moments.1, step: index + 1)
        }
        let explained = judge.explained
        divergences = register.compactMap { divergence in
            explained[divergence.id].map { Explained(divergence: divergence, differences: $0) }
        }
        differences = judge.unexplained
    }
}

import PushBridgeCore

/// Compares two timelines moment by moment.
///
/// A difference of stores or servers lasts; it is judged in the step in which it arises, and not again.
struct Judge {
    private(set) var explained: [String: [Difference]] = [:]
    private(set) var unexplained: [Difference] = []
    private let register: [Divergence]
    private let settings: ScenarioSettings
    /// The differences of stores and servers after the last step, each with the divergence that explained it.
    private var lasting: [Lasting: String?] = [:]

    init(register: [Divergence], settings: ScenarioSettings) {
        self.register = register
        self.settings = settings
    }

    mutating func compare(_ legacy: Moment, _ async: Moment, step: Int) {
        let standing = Set(lasting.values.compactMap(\.self))
        var stillLasting: [Lasting: String?] = [:]
        for (path, one, other) in JSONValue.differences(legacy.json, async.json) {
            let difference = Difference(
                step: step,
                verb: legacy.step.verb,
                path: path,
                legacy: one,
                async: other
            )
            let key = Lasting(difference)
            let isLasting = path.first == "store" || path.first == "server"
            if isLasting, let known = lasting[key] {
                stillLasting[key] = .some(known)
                continue
            }
            let id = judge(
                Observation(
                    difference: difference,
                    legacy: legacy,
                    async: async,
                    settings: settings,
                    standing: standing
                )
            )
            if isLasting { stillLasting[key] = .some(id) }
        }
        lasting = stillLasting
    }

    /// Sorts a difference in; answers the divergence that explains it.
    private mutating func judge(_ observation: Observation) -> String? {
        guard let divergence = register.first(where: { $0.explains(observation) }) else {
            unexplained.append(observation.difference)
            return nil
        }
        explained[divergence.id, default: []].append(observation.difference)
        return divergence.id
    }

    /// What tells a difference that stays from one that is new.
    private struct Lasting: Hashable {
        let path: [String]
        let legacy: JSONValue?
        let async: JSONValue?

        init(_ difference: Difference) {
            path = difference.path
            legacy = difference.legacy
            async = difference.async
        }
    }
}

import PushBridgeCore

/// Compares two timelines step by step.
///
/// A difference of form does not count. A difference between the stores or the servers persists, but it
/// counts only in the step that causes it.
package struct Judge: Sendable {
    /// The ids of the equivalences that applied.
    package private(set) var equivalences: Set<String> = []
    /// The differences that the register explains, by the ids of the rows that explain them.
    package private(set) var explained: [String: [Difference]] = [:]
    /// The differences that neither an equivalence nor the register explains.
    package private(set) var unexplained: [Difference] = []
    /// Whether the sides can be compared; false if they performed different steps or shared a store.
    package var compares = true
    private let register: [Divergence]
    private let known: [Divergence]
    private let settings: ScenarioSettings
    /// The differences in the stores and servers after the last step, each with the id that `judge(_:)` returned.
    private var lasting: [Lasting: String?] = [:]

    package init(
        register: [Divergence] = Divergence.register,
        equivalences: [Divergence] = Equivalence.all,
        settings: ScenarioSettings
    ) {
        let isInPlace = settings.store == .inPlace
        self.register = register + (isInPlace ? Divergence.inPlace : [])
        known = equivalences + (isInPlace ? Equivalence.inPlace : [])
        self.settings = settings
    }

    mutating func compare(_ legacy: Timeline, _ async: Timeline) {
        for (index, stepRecords) in zip(legacy.stepRecords, async.stepRecords).enumerated() {
            compare(stepRecords.0, stepRecords.1, step: index + 1)
        }
    }

    /// The verdict on all compared steps.
    package var verdict: ScenarioResult.Verdict {
        guard compares else { return .notCompared }
        guard unexplained.isEmpty else { return .different }
        return explained.isEmpty ? .same : .differentByDesign
    }

    /// Compares the events of both sides in a step.
    ///
    /// The number of the first step is 1.
    ///
    /// - Returns: The new differences. Each has the id of the equivalence or divergence that explains it; the
    ///   id is `nil` if nothing explains the difference.
    @discardableResult
    package mutating func compare(
        _ legacy: StepRecord,
        _ async: StepRecord,
        step: Int
    ) -> [(difference: Difference, id: String?)] {
        guard compares else { return [] }
        var found: [(Difference, String?)] = []
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
            let key = Lasting(path: path, legacy: one, async: other)
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
            found.append((difference, id))
        }
        lasting = stillLasting
        return found
    }

    /// Classifies a difference.
    ///
    /// Returns the id of the equivalence or divergence that explains the difference; `nil` if there is none.
    private mutating func judge(_ observation: Observation) -> String? {
        if let equivalence = known.first(where: { $0.explains(observation) }) {
            equivalences.insert(equivalence.id)
            return equivalence.id
        }
        guard let divergence = register.first(where: { $0.explains(observation) }) else {
            unexplained.append(observation.difference)
            return nil
        }
        explained[divergence.id, default: []].append(observation.difference)
        return divergence.id
    }

    /// The key that identifies a difference that persists.
    private struct Lasting: Hashable {
        let path: [String]
        let legacy: JSONValue?
        let async: JSONValue?
    }
}

/// A difference and its context.
struct Observation: Sendable {
    let difference: Difference
    let legacy: StepRecord
    let async: StepRecord
    let settings: ScenarioSettings
    /// The ids of the rows that explain the differences in the stores and servers before this step.
    let standing: Set<String>

    var step: Step { legacy.step }

    /// Whether the two stores have different locks.
    var locksDiffer: Bool {
        ["push", "oath"].contains { kind in
            guard case .object(let old)? = legacy.store[kind], case .object(let new)? = async.store[kind]
            else { return false }
            return old.contains { id, credential in
                ["isLocked", "lockingPolicy"].contains { credential[$0] != new[id]?[$0] }
            }
        }
    }

    /// Whether the clients of the scenario can evaluate policies.
    var evaluatesPolicies: Bool { settings.policies == true }

    /// The value on the legacy side; `nil` if the value is missing or null.
    var legacyValue: JSONValue? { difference.legacy == .null ? nil : difference.legacy }

    /// The value on the async side; `nil` if the value is missing or null.
    var asyncValue: JSONValue? { difference.async == .null ? nil : difference.async }

    /// Returns whether the path matches one of the patterns, such as `calls.0.*.value`; `*` matches any part.
    func isAt(_ patterns: String...) -> Bool {
        patterns.contains { rest(behind: $0) == 0 }
    }

    /// Returns whether the path starts with the parts of one of the patterns.
    func isWithin(_ patterns: String...) -> Bool {
        patterns.contains { rest(behind: $0) != nil }
    }

    /// Returns how many parts of the path follow a pattern; `nil` if the path does not start with the pattern.
    private func rest(behind pattern: String) -> Int? {
        let (path, parts) = (difference.path, pattern.split(separator: "."))
        guard path.count >= parts.count, zip(path, parts).allSatisfy({ $1 == "*" || $0 == $1 }) else {
            return nil
        }
        return path.count - parts.count
    }

    /// Returns whether the two sides have these values.
    func values(_ legacy: JSONValue?, _ async: JSONValue?) -> Bool {
        legacyValue == legacy && asyncValue == async
    }

    /// The results that the two apps received in the call that the difference concerns.
    ///
    /// For a difference outside the calls, the results of the step's only call. `nil` if there is no such call, or if
    /// a side received no result.
    var results: (legacy: CallResult, async: CallResult)? {
        let path = difference.path
        let isAboutCall = path.first == "calls" && path.count > 2
        guard
            let call = isAboutCall ? Int(path[1]) : 0, let index = isAboutCall ? Int(path[2]) : 0,
            isAboutCall || legacy.calls.count == 1,
            let legacy = legacy.result(of: call, index), let async = async.result(of: call, index)
        else { return nil }
        return (legacy, async)
    }

    /// Returns whether the two apps received these results.
    ///
    /// Each argument is the name of an error, or `nil` for a result without an error.
    func hasErrors(_ legacy: String?, _ async: String?) -> Bool {
        guard let results else { return false }
        return results.legacy.error == legacy && results.async.error == async
    }
}

/// The result that an app received.
struct CallResult: Sendable {
    let json: JSONValue

    /// The name of the error; `nil` if there is no error.
    var error: String? {
        if case .string(let name)? = json["error"]?["name"] { name } else { nil }
    }

    var value: JSONValue? { json["value"] }
    var thread: JSONValue? { json["thread"] }
    var isOffered: Bool { json["notOffered"] == nil }
}

extension StepRecord {
    fileprivate func result(of call: Int, _ index: Int) -> CallResult? {
        guard calls.indices.contains(call), calls[call].indices.contains(index) else { return nil }
        return CallResult(json: calls[call][index])
    }
}

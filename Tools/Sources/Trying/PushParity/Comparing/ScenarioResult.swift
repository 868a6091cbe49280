public import PingAMSimulator
public import PushBridgeCore

/// The result of a scenario on both sides.
public struct ScenarioResult: Sendable {
    /// The verdict on a scenario.
    public enum Verdict: String, CaseIterable, Codable, Sendable {
        /// The sides differ only in form.
        case same
        /// Besides differences of form, the sides have only differences that the register explains.
        case differentByDesign
        /// Some differences are unintended.
        case different
        /// The sides performed different steps or shared a store, so they cannot be compared.
        case notCompared
    }

    /// A divergence, and the differences that it explains.
    public struct Explained: Sendable {
        /// The divergence that explains the differences.
        public let divergence: Divergence
        /// The differences that the divergence explains.
        public let differences: [Difference]
    }

    /// The scenario as its author wrote it.
    public let scenario: Scenario
    /// The settings with which the scenario was played: its own, adapted by the runner.
    public let settings: ScenarioSettings
    /// The events on the side of the legacy API.
    public let legacy: Timeline
    /// The events on the side of the async API.
    public let async: Timeline
    /// The differences by design, in the order of the register.
    public let divergences: [Explained]
    /// The ids of the equivalences that applied.
    public let equivalences: Set<String>
    /// The unintended differences.
    public let differences: [Difference]

    /// The differences between the legacy API's records and the legacy SDK's items at the end of the scenario; empty
    /// if the legacy API does not work in place.
    public let items: [ItemDifference]

    /// The verdict on the scenario.
    public let verdict: Verdict

    /// The version of the server with which the scenario was played.
    public var version: ServerVersion { settings.version ?? .v8_0_2 }

    /// The scenario, and the settings with which it was played.
    ///
    /// If this scenario is saved as a file, the file is played in the same way on any machine.
    public var played: Scenario {
        var played = scenario
        played.settings = settings
        played.settings.version = version
        return played
    }

    init(
        _ scenario: Scenario,
        legacy: Timeline,
        async: Timeline,
        items: [ItemDifference] = [],
        settings: ScenarioSettings,
        register: [Divergence]
    ) {
        self.scenario = scenario
        self.legacy = legacy
        self.async = async
        var judge = Judge(register: register, settings: settings)
        judge.compares = scenario.isComparable
        judge.compare(legacy, async)
        let explained = judge.explained
        divergences = (register + Divergence.inPlace).compactMap { divergence in
            explained[divergence.id].map { Explained(divergence: divergence, differences: $0) }
        }
        equivalences = judge.equivalences
        differences = judge.unexplained
        (self.items, self.settings) = (items, settings)
        verdict = items.isEmpty ? judge.verdict : .different
    }
}

/// A field whose value in the legacy SDK's item differs from the value that the legacy API reports.
public struct ItemDifference: Equatable, Sendable {
    /// The kind of the item, the key of the item, and the field.
    public let path: [String]
    /// The value that the API reports; `nil` if the API does not have the record.
    public let api: JSONValue?
    /// The value that the SDK's classes decode; `nil` if the item does not exist.
    public let item: JSONValue?

    /// The path as text, with dots.
    public var place: String { path.joined(separator: ".") }

    /// The difference as JSON.
    ///
    /// An absent value is null.
    public var json: JSONValue {
        ["path": .string(place), "api": api ?? .null, "item": item ?? .null]
    }
}

/// A value that differs between the sides.
public struct Difference: Equatable, Sendable {
    /// The number of the step, counted from 1.
    public let step: Int
    /// The kind of step.
    public let verb: Step.Verb
    /// The path of the value, such as `requests.0.headers.accept`.
    public let path: [String]
    /// The value on the legacy side; `nil` if the value is missing.
    public let legacy: JSONValue?
    /// The value on the async side; `nil` if the value is missing.
    public let async: JSONValue?

    /// The path as text, with dots.
    public var place: String { path.joined(separator: ".") }

    /// The difference as JSON.
    ///
    /// An absent value is null.
    public var json: JSONValue {
        [
            "step": .integer(step),
            "do": .string(verb.rawValue),
            "path": .string(place),
            "legacy": legacy ?? .null,
            "async": async ?? .null,
        ]
    }
}

extension JSONValue {
    /// Returns every part in which two values differ.
    ///
    /// Null and a missing value are different.
    static func differences(
        _ one: JSONValue?,
        _ other: JSONValue?,
        at path: [String] = []
    ) -> [(path: [String], one: JSONValue?, other: JSONValue?)] {
        guard one != other else { return [] }
        switch (one, other) {
        case (.object(let ones), .object(let others)):
            return Set(ones.keys).union(others.keys).sorted()
                .flatMap { differences(ones[$0], others[$0], at: path + [$0]) }
        case (.array(let ones), .array(let others)):
            return (0..<max(ones.count, others.count)).flatMap { index in
                differences(ones.element(index), others.element(index), at: path + [String(index)])
            }
        default: return [(path, one, other)]
        }
    }
}

extension [JSONValue] {
    fileprivate func element(_ index: Int) -> JSONValue? { indices.contains(index) ? self[index] : nil }
}

extension JSONValue {
    /// A value that a step changed, for reports.
    package struct Change: Equatable, Sendable {
        /// The path of the value, as text.
        package let place: String
        /// The value before the step; `nil` if there was no value.
        package let before: JSONValue?
        /// The value after the step; `nil` if there is no value.
        package let after: JSONValue?
    }

    /// Returns all values that changed.
    package static func changes(from before: JSONValue?, to after: JSONValue?) -> [Change] {
        differences(before, after).map {
            Change(place: $0.path.joined(separator: "."), before: $0.one, after: $0.other)
        }
    }
}

/// What happens to a user's device, told once and played on both APIs.
///
/// As a JSON document:
///
/// ```json
/// {
///   "name": "A challenge is approved after a failure of the network",
///   "steps": [
///     {"do": "token", "hex": "0a1b2c"},
///     {"do": "enrol", "credential": "babs"},
///     {"do": "receive", "push": "p1", "credential": "babs", "type": "challenge", "numbers": "34,43,57"},
///     {"do": "fault", "kind": "dropConnection"},
///     {"do": "answer", "push": "p1", "with": "challenge", "number": "34"},
///     {"do": "answer", "push": "p1", "with": "challenge", "number": "34"},
///     {"do": "list", "what": "notifications"}
///   ]
/// }
/// ```
///
/// Every step is an object whose `do` names one of the cases of ``Step`` and whose other members are those of the
/// case's value; members that are optional may be left out, and a member that the step does not have is refused.
/// Every step takes a second. `credential` and `push` are names of the scenario's own: they stand for the ids that servers and clients make.
/// A step about a credential or push that does not exist, because its step failed, is skipped on that side.
public struct Scenario: Codable, Equatable, Sendable {
    /// The name, a fact that the scenario shows.
    public var name: String
    /// How the servers, the stores and the clients are set up.
    public var settings: ScenarioSettings
    /// What happens, in this order.
    public var steps: [Step]

    /// Creates a scenario.
    public init(_ name: String, settings: ScenarioSettings = ScenarioSettings(), steps: [Step]) {
        self.name = name
        self.settings = settings
        self.steps = steps
    }

    /// Reads a scenario; settings may be left out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        settings = try container.decodeIfPresent(ScenarioSettings.self, forKey: .settings) ?? .init()
        steps = try container.decode([Step].self, forKey: .steps)
    }
}

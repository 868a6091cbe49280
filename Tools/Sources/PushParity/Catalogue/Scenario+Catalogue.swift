extension Scenario {
    /// The scenarios that come with the bridge, which between them touch every rule of both APIs.
    public static let catalogue: [Scenario] =
        enrolling + receiving + answering + failing + policies + tokens + accounts + codes + processes

    /// A scenario whose device has a token.
    static func withToken(
        _ name: String,
        settings: (inout ScenarioSettings) -> Void = { _ in },
        _ steps: [Step]
    ) -> Scenario {
        var all = ScenarioSettings()
        settings(&all)
        return Scenario(name, settings: all, steps: [.token("0a1b2c")] + steps)
    }
}

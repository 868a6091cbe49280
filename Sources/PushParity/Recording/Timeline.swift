public import AuthenticatorCore

/// What one side did in a scenario, step by step.
public struct Timeline: Equatable, Sendable {
    /// What happened in each step, ids and addresses replaced by the names of the scenario.
    public internal(set) var moments: [Moment] = []
}

/// What happened on one side in one step.
public struct Moment: Equatable, Sendable {
    /// The step.
    public let step: Step
    /// What the app was told, call by call; a call that was never answered has no delivery.
    public let calls: [[JSONValue]]
    /// The requests as they arrived at the server.
    public let requests: [JSONValue]
    /// The time-outs of the requests, in seconds, sorted.
    public let timeouts: [Double]
    /// Everything in the store after the step.
    public let store: JSONValue
    /// What the server knows after the step.
    public let server: JSONValue

    /// The moment as one value, which is what is compared.
    public var json: JSONValue {
        [
            "calls": .array(calls.map(JSONValue.array)),
            "requests": .object(keyedRequests),
            "timeouts": .array(timeouts.map(JSONValue.number)),
            "store": store,
            "server": server,
        ]
    }

    /// The requests by their order, but token updates, which have none, by the device they are of.
    private var keyedRequests: [String: JSONValue] {
        var keyed: [String: JSONValue] = [:]
        for (index, request) in requests.enumerated() {
            var key = String(index)
            if case .string(let device)? = request["body"]?["mechanismUid"] {
                let count = keyed.keys.count { $0.hasPrefix("update of \(device)") }
                key = "update of \(device)\(count == 0 ? "" : " \(count + 1)")"
            }
            keyed[key] = request
        }
        return keyed
    }
}

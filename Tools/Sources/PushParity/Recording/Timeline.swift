public import PushBridgeCore

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
            "requests": .object(Dictionary(uniqueKeysWithValues: keyedRequests)),
            "timeouts": .array(timeouts.map(JSONValue.number)),
            "store": store,
            "server": server,
        ]
    }

    /// The requests with the keys under which they are compared: their number, but for token updates, whose order is
    /// none, the device they are of.
    package var keyedRequests: [(String, JSONValue)] {
        var updates: [String: Int] = [:]
        return requests.enumerated().map { index, request in
            guard case .string(let device)? = request["body"]?["mechanismUid"] else {
                return (String(index), request)
            }
            updates[device, default: 0] += 1
            let count = updates[device] ?? 1
            return ("update of \(device)\(count == 1 ? "" : " \(count)")", request)
        }
    }
}

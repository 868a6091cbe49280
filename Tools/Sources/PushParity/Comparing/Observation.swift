import PushBridgeCore

/// A difference with what happened around it.
struct Observation: Sendable {
    let difference: Difference
    let legacy: Moment
    let async: Moment
    let settings: ScenarioSettings
    /// The divergences that made the stores or servers different in earlier steps, and they still are.
    let standing: Set<String>

    var step: Step { legacy.step }

    /// Whether the clients of the scenario know policies.
    var knowsPolicies: Bool { settings.policies == true }

    /// The value on the legacy side; `nil` also for null.
    var legacyValue: JSONValue? { difference.legacy == .null ? nil : difference.legacy }

    /// The value on the async side; `nil` also for null.
    var asyncValue: JSONValue? { difference.async == .null ? nil : difference.async }

    /// Whether the path is this one, where `*` stands for any part.
    func isAt(_ pattern: String...) -> Bool {
        difference.path.count == pattern.count && isWithin(pattern)
    }

    /// Whether the path begins with these parts, where `*` stands for any part.
    func isWithin(_ pattern: String...) -> Bool { isWithin(pattern) }

    private func isWithin(_ pattern: [String]) -> Bool {
        difference.path.count >= pattern.count
            && zip(difference.path, pattern).allSatisfy { $1 == "*" || $0 == $1 }
    }

    /// Whether the values are these.
    func values(_ legacy: JSONValue?, _ async: JSONValue?) -> Bool {
        legacyValue == legacy && asyncValue == async
    }

    /// What the two apps were told in the call that the difference is about, or in the only call of the step.
    var told: (legacy: Told, async: Told)? {
        let path = difference.path
        let isAboutCall = path.first == "calls" && path.count > 2
        guard
            let call = isAboutCall ? Int(path[1]) : 0, let index = isAboutCall ? Int(path[2]) : 0,
            isAboutCall || legacy.calls.count == 1,
            let legacy = legacy.told(call, index), let async = async.told(call, index)
        else { return nil }
        return (legacy, async)
    }

    /// Whether the two apps were told these: an error's name, or `nil` for any value.
    func areTold(_ legacy: String?, _ async: String?) -> Bool {
        guard let told else { return false }
        return told.legacy.error == legacy && told.async.error == async
    }
}

/// What an app was told.
struct Told: Sendable {
    let json: JSONValue

    /// The name of the error; `nil` for a value.
    var error: String? {
        if case .string(let name)? = json["error"]?["name"] { name } else { nil }
    }

    var value: JSONValue? { json["value"] }
    var thread: JSONValue? { json["thread"] }
    var isOffered: Bool { json["notOffered"] == nil }
}

extension Moment {
    fileprivate func told(_ call: Int, _ index: Int) -> Told? {
        guard calls.indices.contains(call), calls[call].indices.contains(index) else { return nil }
        return Told(json: calls[call][index])
    }
}

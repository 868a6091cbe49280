import AuthenticatorCore

/// A difference between the APIs that is meant, and why.
public struct Divergence: Sendable {
    /// Whose behaviour the bridge keeps.
    public enum Kept: String, CaseIterable, Codable, Sendable {
        /// Each API keeps its own, because its call sites depend on it.
        case both
        /// The legacy API's.
        case legacy
        /// The new API's.
        case async
    }

    /// The name, which does not change from version to version.
    public let id: String
    /// What the legacy API does.
    public let legacy: String
    /// What the new API does.
    public let async: String
    /// Why the difference stays.
    public let reason: String
    /// Whose behaviour is kept.
    public let kept: Kept
    /// Whether a difference is this one; narrow, so that nothing else hides behind it.
    let explains: @Sendable (Observation) -> Bool

    init(
        _ id: String,
        legacy: String,
        async: String,
        reason: String,
        kept: Kept = .both,
        explains: @escaping @Sendable (Observation) -> Bool
    ) {
        self.id = id
        self.legacy = legacy
        self.async = async
        self.reason = reason
        self.kept = kept
        self.explains = explains
    }
}

/// A difference with what happened around it.
struct Observation: Sendable {
    let difference: Difference
    let legacy: Moment
    let async: Moment

    /// Whether the path is this one, where `*` stands for any part.
    func isAt(_ pattern: String...) -> Bool {
        difference.path.count == pattern.count
            && zip(difference.path, pattern).allSatisfy { $1 == "*" || $0 == $1 }
    }

    /// Whether the values are these.
    func values(_ legacy: JSONValue?, _ async: JSONValue?) -> Bool {
        difference.legacy == legacy && difference.async == async
    }

    /// What both apps were told, if the difference is in there.
    var deliveries: (legacy: JSONValue, async: JSONValue)? {
        let path = difference.path
        guard path.count > 2, path[0] == "calls", let call = Int(path[1]), let index = Int(path[2]) else {
            return nil
        }
        guard
            let legacy = legacy.delivery(call, index), let async = async.delivery(call, index)
        else { return nil }
        return (legacy, async)
    }
}

extension Moment {
    fileprivate func delivery(_ call: Int, _ index: Int) -> JSONValue? {
        guard calls.indices.contains(call), calls[call].indices.contains(index) else { return nil }
        return calls[call][index]
    }
}

public import PushBridgeCore

/// How a node comes by the message that is answered, which decides what a `deny` claim means.
public enum NodeMode: Sendable {
    /// The node sent the message itself: `deny` denies only when it is `true`.
    case local
    /// The node finds the message in the shared token store: any `deny` denies, whatever its value.
    case tokenStore

    /// Whether an answer with these claims denies.
    public func denies(_ claims: JSONValue) -> Bool {
        guard case .object(let members) = claims, let deny = members["deny"] else { return false }
        return switch self {
        case .local: deny == .bool(true)
        case .tokenStore: true
        }
    }
}

/// A condition on the device that a server attaches to an account by name.
public protocol MfaPolicy: Sendable {
    /// The name under which servers attach the policy.
    var name: String { get }
    /// Whether the device complies, with the parameters that the server attached.
    func isSatisfied(by parameters: JSONValue) -> Bool
}

/// A condition on the device that a server attaches to an account by name; apps may bring their own.
public protocol FRAPolicy {
    /// The name under which servers attach the policy.
    var name: String { get }
    /// What the server attached under the name, set before each evaluation: a dictionary, or any other JSON value.
    ///
    /// Untyped because the policies of apps expect it so.
    var data: Any? { get set }
    /// Whether the device complies.
    func evaluate() -> Bool
}

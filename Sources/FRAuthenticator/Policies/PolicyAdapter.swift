import PushBridgeCore
import PushBridgePlatform

/// Lets the core evaluate a legacy policy, one evaluation at a time.
struct PolicyAdapter: MfaPolicy {
    let name: String
    let policy: Lock<any FRAPolicy>

    init(_ policy: any FRAPolicy) {
        name = policy.name
        self.policy = Lock(policy)
    }

    /// Whether anything can be said about the policy here.
    var isKnown: Bool { policy.withValue { ($0 as? any DevicePolicy)?.isKnown ?? true } }

    func isSatisfied(by parameters: JSONValue) -> Bool {
        policy.withValue { policy in
            policy.data = parameters == .null ? nil : parameters.foundationValue
            return policy.evaluate()
        }
    }
}

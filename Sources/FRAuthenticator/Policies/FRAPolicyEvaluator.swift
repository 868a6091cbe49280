public import Foundation
import PushBridgeCore
public import PushBridgePlatform

/// A condition on the device that a server attaches to an account by name; apps may bring their own.
#if canImport(ObjectiveC)
@objc
#endif
public protocol FRAPolicy: AnyObject, NonisolatedConformance {
    /// The name under which servers attach the policy.
    var name: String { get }
    /// The server's value for the name, set before each evaluation: a dictionary, or any other JSON value.
    ///
    /// Untyped because the policies of apps expect it so.
    var data: Any? { get set }
    /// Whether the device complies; called on any thread, one call at a time.
    /// - Returns: Whether it does.
    func evaluate() -> Bool
}

/// Tells whether the device complies with the policies that servers attach to accounts.
///
/// Safe to use from any thread; policies are evaluated one at a time.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class FRAPolicyEvaluator: NSObject, Sendable {
    /// The result of an evaluation.
    public struct Result {
        /// Whether the device complies with every policy.
        public let comply: Bool
        /// The first policy with which it does not.
        public let nonCompliancePolicy: (any FRAPolicy)?
    }

    /// The default policies of an evaluator.
    ///
    /// Each applies only if this device can evaluate it, as in `PushBridgeCore/AccountPolicies/standard`.
    public static var defaultPolicies: [any FRAPolicy] {
        [BiometricAvailablePolicy(), DeviceTamperingPolicy()]
    }

    private let adapters: Lock<[PolicyAdapter]>

    /// Knows the ``defaultPolicies``.
    override public init() {
        adapters = Lock(Self.defaultPolicies.map(PolicyAdapter.init))
    }

    /// The policies known, in the order of their evaluation; never `nil`.
    public var policies: [any FRAPolicy]? {
        adapters.withValue { $0 }.map { $0.policy.withValue { $0 } }
    }

    /// Replaces the known policies, or adds to them.
    /// - Parameters:
    ///   - policies: The policies, in the order of their evaluation.
    ///   - shouldOverride: Whether they replace those known; `false` appends them.
    /// - Throws: ``FRAError/invalidPolicyRegisteredWithPolicyEvaluator(_:)`` if one has no name; then nothing changes.
    public func registerPolicies(policies: [any FRAPolicy], shouldOverride: Bool = true) throws {
        guard policies.filter(\.name.isEmpty).isEmpty else {
            throw FRAError.invalidPolicyRegisteredWithPolicyEvaluator("It has no name.")
        }
        let added = policies.map(PolicyAdapter.init)
        adapters.withValue { $0 = shouldOverride ? added : $0 + added }
    }

    /// Evaluates the policies of a registration URI of any kind.
    /// - Parameter uri: The code.
    /// - Returns: The first violated policy; compliance for a code without policies and for policies that cannot be
    ///   read.
    public func evaluate(uri: URL) -> Result {
        do {
            return result(of: try RegistrationURI.policies(of: uri.absoluteString))
        } catch {
            return Result(comply: true, nonCompliancePolicy: nil)
        }
    }

    /// Evaluates the policies of an account; neither locks nor unlocks it.
    /// - Parameter account: The account.
    /// - Returns: The first violated policy, or compliance.
    public func evaluate(account: Account) -> Result {
        result(of: account.policies)
    }

    /// Whether the server attached a policy to an account.
    /// - Parameters:
    ///   - account: The account.
    ///   - policyName: The policy's name.
    /// - Returns: Whether it is a key of ``Account/policies``.
    public func isPolicyAttached(account: Account, policyName: String) -> Bool {
        guard case .object(let attached)? = account.policies.flatMap({ JSONValue(json: Data($0.utf8)) })
        else { return false }
        return attached.keys.contains(policyName)
    }

    /// The evaluator in terms of the core, as it is now.
    var core: AccountPolicies { AccountPolicies(policies: known) }

    private var known: [PolicyAdapter] { adapters.withValue { $0 }.filter(\.isKnown) }

    private func result(of attached: String?) -> Result {
        let known = known
        switch AccountPolicies(policies: known).evaluate(attached) {
        case .comply:
            return Result(comply: true, nonCompliancePolicy: nil)
        case .violation(let name):
            let violated = known.first { $0.name == name }
            return Result(comply: false, nonCompliancePolicy: violated?.policy.withValue { $0 })
        }
    }
}

/// Lets the core evaluate a legacy policy, one evaluation at a time.
struct PolicyAdapter: AccountPolicy {
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
            policy.data = parameters.foundationValue
            return policy.evaluate()
        }
    }
}

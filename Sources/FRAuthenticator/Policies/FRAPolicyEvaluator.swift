public import Foundation
import PushBridgeCore
public import PushBridgePlatform

/// A named condition that a server attaches to an account and that the device must meet.
///
/// Apps can implement their own policies.
#if canImport(ObjectiveC)
@objc
#endif
public protocol FRAPolicy: AnyObject, NonisolatedConformance {
    /// The name by which registration URIs refer to the policy.
    var name: String { get }
    /// The value that the server sent for the policy: a dictionary or any other JSON value.
    ///
    /// The evaluator sets this property before each evaluation. The property is untyped because the existing
    /// policies of apps expect an untyped value.
    var data: Any? { get set }
    /// Returns whether the device complies with the policy.
    ///
    /// The evaluator calls the method on any thread, one call at a time.
    /// - Returns: Whether the device complies.
    func evaluate() -> Bool
}

/// Evaluates whether the device complies with the policies that servers attach to accounts.
///
/// The class is safe to use from any thread. Each policy runs one evaluation at a time.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class FRAPolicyEvaluator: NSObject, Sendable {
    /// The result of an evaluation.
    public struct Result {
        /// Whether the device complies with every policy.
        public let comply: Bool
        /// The first policy that the device violates, or `nil` if the device complies with every policy.
        public let nonCompliancePolicy: (any FRAPolicy)?
    }

    /// The policies of a new evaluator: `biometricAvailable` and `deviceTampering`.
    ///
    /// An evaluator ignores a policy that this device cannot evaluate.
    public static var defaultPolicies: [any FRAPolicy] {
        [BiometricAvailablePolicy(), DeviceTamperingPolicy()]
    }

    private let adapters: Lock<[PolicyAdapter]>

    /// Creates an evaluator with the ``defaultPolicies``.
    override public init() {
        adapters = Lock(Self.defaultPolicies.map(PolicyAdapter.init))
    }

    /// The registered policies, in the order of their evaluation; never `nil`.
    public var policies: [any FRAPolicy]? {
        adapters.withValue { $0 }.map { $0.policy.withValue { $0 } }
    }

    /// Replaces the registered policies, or adds to them.
    /// - Parameters:
    ///   - policies: The policies, in the order of their evaluation.
    ///   - shouldOverride: Whether the new policies replace the registered policies. With `false`, the new
    ///     policies are appended.
    /// - Throws: ``FRAError/invalidPolicyRegisteredWithPolicyEvaluator(_:)`` if a policy has no name. The
    ///   registered policies then stay as they are.
    public func registerPolicies(policies: [any FRAPolicy], shouldOverride: Bool = true) throws {
        guard policies.filter(\.name.isEmpty).isEmpty else {
            throw FRAError.invalidPolicyRegisteredWithPolicyEvaluator("The policy has no name.")
        }
        let added = policies.map(PolicyAdapter.init)
        adapters.withValue { $0 = shouldOverride ? added : $0 + added }
    }

    /// Evaluates the policies of a registration URI.
    ///
    /// The scheme of the URI does not matter.
    /// - Parameter uri: The registration URI.
    /// - Returns: The result, which contains the first violated policy if there is one. If the URI has no
    ///   policies, or if its policies cannot be read, the device complies.
    public func evaluate(uri: URL) -> Result {
        do {
            return result(of: try RegistrationURI.policies(of: uri.absoluteString))
        } catch {
            return Result(comply: true, nonCompliancePolicy: nil)
        }
    }

    /// Evaluates the policies of an account, without locking or unlocking the account.
    /// - Parameter account: The account.
    /// - Returns: The result, which contains the first violated policy if there is one.
    public func evaluate(account: Account) -> Result {
        result(of: account.policies)
    }

    /// Returns whether the server attached a policy to an account.
    /// - Parameters:
    ///   - account: The account.
    ///   - policyName: The policy's name.
    /// - Returns: Whether the name is a key of ``Account/policies``.
    public func isPolicyAttached(account: Account, policyName: String) -> Bool {
        guard case .object(let attached)? = account.policies.flatMap({ JSONValue(json: Data($0.utf8)) })
        else { return false }
        return attached.keys.contains(policyName)
    }

    /// The core's evaluator, with the registered policies that this device can evaluate.
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

/// Adapts a legacy policy to the core.
///
/// The adapter runs one evaluation at a time.
struct PolicyAdapter: AccountPolicy {
    let name: String
    let policy: Lock<any FRAPolicy>

    init(_ policy: any FRAPolicy) {
        name = policy.name
        self.policy = Lock(policy)
    }

    /// Whether this device can evaluate the policy now.
    var isKnown: Bool { policy.withValue { ($0 as? any DevicePolicy)?.isKnown ?? true } }

    func isSatisfied(by parameters: JSONValue) -> Bool {
        policy.withValue { policy in
            policy.data = parameters.foundationValue
            return policy.evaluate()
        }
    }
}

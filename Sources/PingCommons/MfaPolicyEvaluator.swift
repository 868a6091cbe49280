import Foundation
public import PingLogger
import PushBridgeCore
import PushBridgePlatform

/// Evaluates whether the device complies with the policies of a credential.
///
/// The evaluator is safe to use from any thread and any task.
public actor MfaPolicyEvaluator {
    /// The configuration of an evaluator.
    ///
    /// An evaluator reads its configuration once, when the evaluator is created.
    public final class Config {
        /// The policies, in the order of their evaluation.
        public var policies: [any MfaPolicy] = MfaPolicyEvaluator.standardPolicies
        /// Receives a message for each policy that throws an error.
        public var logger: any Logger = LogManager.logger

        /// Creates a configuration with the standard policies and the logger of `LogManager`.
        public init() {}
    }

    private nonisolated let policies: [any MfaPolicy]
    private nonisolated let logger: any Logger

    /// Creates an evaluator with policies.
    /// - Parameter policies: The policies, in the order of their evaluation.
    public init(policies: [any MfaPolicy]) {
        self.policies = policies
        logger = LogManager.logger
    }

    private init(_ config: Config) {
        policies = config.policies
        logger = config.logger
    }

    /// Creates an evaluator from the standard configuration, which `configure` can change.
    /// - Parameter configure: Changes the standard configuration.
    /// - Returns: The evaluator.
    public static func create(
        configure: @Sendable (MfaPolicyEvaluator.Config) -> Void = { _ in }
    ) -> MfaPolicyEvaluator {
        let config = Config()
        configure(config)
        return MfaPolicyEvaluator(config)
    }

    /// The default evaluator of the clients, with the policies that this device can evaluate.
    ///
    /// The policy `biometricAvailable` is included if the platform has local authentication. The policy
    /// `deviceTampering` is included if there are detectors of tampering. Other policies are ignored. If an
    /// ignored policy has locked a credential, the stored lock stays.
    public static var standard: MfaPolicyEvaluator { MfaPolicyEvaluator(policies: standardPolicies) }

    private static var standardPolicies: [any MfaPolicy] {
        AccountPolicies.standard.policies.compactMap { policy in
            policy is DeviceTamperingPolicy ? DeviceTamperingPolicy() : policy as? any MfaPolicy
        }
    }

    /// Returns the policies, in the order of their evaluation.
    /// - Returns: The policies.
    public func getPolicies() -> [any MfaPolicy] { policies }

    /// Returns the policy with a name.
    /// - Parameter policyName: The name.
    /// - Returns: The policy, or `nil` if no policy has the name.
    public func getPolicy(policyName: String) -> (any MfaPolicy)? { policies.first { $0.name == policyName } }

    /// Evaluates the policies of a credential, in the order of the evaluator's policies.
    ///
    /// If a policy throws an error, the policy counts as violated and the error is logged.
    /// - Parameter credentialPolicies: A JSON object that contains the parameters of each policy under the policy's
    ///   name. Unknown names are ignored. If the text is not a JSON object, there are no policies.
    /// - Returns: Success, or a failure with the first policy that the device violates.
    public func evaluate(credentialPolicies: String?) async -> MfaPolicyResult {
        await result(of: PolicyAttachments(credentialPolicies))
    }

    /// Evaluates policies; see ``evaluate(credentialPolicies:)``.
    /// - Parameter policiesJson: The parameters of each policy under the policy's name. If the parameters of
    ///   a policy are not JSON, the policy is evaluated without parameters.
    /// - Returns: Success, or a failure with the first policy that the device violates.
    public func evaluate(policiesJson: [String: Any]) async -> MfaPolicyResult {
        await result(of: PolicyAttachments(policiesJson))
    }

    private nonisolated func result(of attachments: PolicyAttachments) async -> MfaPolicyResult {
        for policy in policies {
            guard let parameters = attachments[policy.name] else { continue }
            do {
                if try await policy.evaluate(data: parameters.foundationValue as? [String: Any]) { continue }
            } catch {
                logger.e("The policy \(policy.name) cannot be evaluated.", error: error)
            }
            return .failure(policy: policy)
        }
        return .success()
    }
}

extension MfaPolicyEvaluator: PolicyEvaluating {
    package nonisolated func hasPolicy(named name: String) -> Bool { policies.contains { $0.name == name } }

    package nonisolated func outcome(of attached: String) async -> PolicyOutcome {
        let result = await result(of: PolicyAttachments(attached))
        return result.nonCompliancePolicyName.map { .violation(policy: $0) } ?? .comply
    }
}

/// The result of an evaluation.
public struct MfaPolicyResult: Sendable {
    /// The policy that the device violates, or `nil` if the device complies with every policy.
    public let nonCompliancePolicy: (any MfaPolicy)?

    /// Returns a result for a device that complies with every policy.
    /// - Returns: The result.
    public static func success() -> MfaPolicyResult { MfaPolicyResult(nonCompliancePolicy: nil) }

    /// Returns a result for a device that violates a policy.
    /// - Parameter policy: The policy.
    /// - Returns: The result.
    public static func failure(policy: any MfaPolicy) -> MfaPolicyResult {
        MfaPolicyResult(nonCompliancePolicy: policy)
    }

    /// Whether the device complies with every policy.
    public var isSuccess: Bool { nonCompliancePolicy == nil }
    /// Whether the device violates a policy.
    public var isFailure: Bool { !isSuccess }
    /// The name of the policy that the device violates; `nil` if the device complies with every policy.
    public var nonCompliancePolicyName: String? { nonCompliancePolicy?.name }
}

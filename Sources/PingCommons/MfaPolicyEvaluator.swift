import Foundation
public import PingLogger
import PushBridgeCore
import PushBridgePlatform

/// Evaluates whether the device complies with the policies of a credential.
///
/// Safe to use from any thread and any task.
public actor MfaPolicyEvaluator {
    /// The configuration of an evaluator; read only when the evaluator is created.
    public final class Config {
        /// The policies, in the order of their evaluation.
        public var policies: [any MfaPolicy] = MfaPolicyEvaluator.standardPolicies
        /// Logs a message for each policy that throws.
        public var logger: any Logger = LogManager.logger

        /// Creates the standard configuration.
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

    /// Creates an evaluator from a configuration after `configure` changed it.
    /// - Parameter configure: Changes the standard configuration.
    /// - Returns: The evaluator.
    public static func create(
        configure: @Sendable (MfaPolicyEvaluator.Config) -> Void = { _ in }
    ) -> MfaPolicyEvaluator {
        let config = Config()
        configure(config)
        return MfaPolicyEvaluator(config)
    }

    /// The clients' default evaluator, with the policies that this device can evaluate.
    ///
    /// These are `biometricAvailable` if the platform has local authentication, and `deviceTampering` if there are
    /// detectors for it. Other policies are ignored, and their stored locks stay.
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
    /// - Returns: The policy; `nil` if there is none.
    public func getPolicy(policyName: String) -> (any MfaPolicy)? { policies.first { $0.name == policyName } }

    /// Evaluates the policies of a credential in their order.
    ///
    /// A policy that throws counts as violated; its error is logged.
    /// - Parameter credentialPolicies: A JSON object with each policy's parameters under its name. Unknown names are
    ///   ignored, and any other text counts as no policies.
    /// - Returns: Success, or the first policy with which the device does not comply.
    public func evaluate(credentialPolicies: String?) async -> MfaPolicyResult {
        await result(of: PolicyAttachments(credentialPolicies))
    }

    /// Evaluates policies; see ``evaluate(credentialPolicies:)``.
    /// - Parameter policiesJson: The parameters of each policy under its name; a policy whose parameters are not JSON
    ///   is evaluated without parameters.
    /// - Returns: Success, or the first policy with which the device does not comply.
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
    package nonisolated func knows(_ name: String) -> Bool { policies.contains { $0.name == name } }

    package nonisolated func outcome(of attached: String) async -> PolicyOutcome {
        let result = await result(of: PolicyAttachments(attached))
        return result.nonCompliancePolicyName.map { .violation(policy: $0) } ?? .comply
    }
}

/// The result of an evaluation.
public struct MfaPolicyResult: Sendable {
    /// The policy with which the device does not comply; `nil` if it complies with all.
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
    /// Whether the device does not comply with a policy.
    public var isFailure: Bool { !isSuccess }
    /// The name of the policy with which the device does not comply.
    public var nonCompliancePolicyName: String? { nonCompliancePolicy?.name }
}

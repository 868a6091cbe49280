import Foundation

/// A rule that the device has to satisfy.
///
/// A server attaches the rule to an account by the rule's name.
public protocol AccountPolicy: Sendable {
    /// The name by which a server's registration code refers to the policy.
    var name: String { get }
    /// Returns whether the device complies with the policy; `parameters` are the parameters that the server
    /// attached.
    func isSatisfied(by parameters: JSONValue) -> Bool
}

/// The policy `biometricAvailable`, which requires that the device offers biometric authentication.
public struct BiometricAvailablePolicy: AccountPolicy {
    /// `biometricAvailable`.
    public let name = "biometricAvailable"
    private let isAvailable: @Sendable () -> Bool

    /// Creates a policy with a check of the device.
    /// - Parameter isAvailable: Returns whether the device offers biometric authentication; called on any thread.
    public init(isAvailable: @escaping @Sendable () -> Bool) {
        self.isAvailable = isAvailable
    }

    /// Returns whether biometric authentication is available; ignores the parameters.
    public func isSatisfied(by parameters: JSONValue) -> Bool { isAvailable() }
}

/// The policy `deviceTampering`, which requires that the device was not tampered with.
public struct DeviceTamperingPolicy: AccountPolicy {
    /// The threshold if the server sends no threshold: 1 for the legacy SDK, 0.8 for its successor.
    ///
    /// A device with this score or a higher one counts as tampered with.
    public let standardThreshold: Double

    /// `deviceTampering`.
    public let name = "deviceTampering"
    private let score: @Sendable () -> Double

    /// Creates a policy with a function that returns the device's score.
    ///
    /// The score 0 means intact, 1 means tampered with, and a negative score means unknown.
    ///
    /// - Parameters:
    ///   - standardThreshold: The threshold if the server sends no threshold.
    ///   - score: Returns the device's score.
    public init(standardThreshold: Double = 1, score: @escaping @Sendable () -> Double) {
        self.standardThreshold = standardThreshold
        self.score = score
    }

    /// Returns whether the device's score is less than the parameter `score` or, without it, than
    /// ``standardThreshold``.
    ///
    /// The result is `false` if the device's score is not a number.
    public func isSatisfied(by parameters: JSONValue) -> Bool {
        let threshold = parameters["score"].flatMap { $0.double ?? $0.string.flatMap(Double.init) }
        return score() < (threshold ?? standardThreshold)
    }
}

/// The result of evaluating an account's policies.
package enum PolicyOutcome: Equatable, Sendable {
    /// The device complies with every policy.
    case comply
    /// The first policy with which the device does not comply.
    case violation(policy: String)
}

/// Evaluates whether the device complies with the policies of an account.
package struct AccountPolicies: Sendable {
    /// The known policies, in the order of their evaluation.
    package let policies: [any AccountPolicy]

    /// Creates an evaluator with its known policies.
    package init(policies: [any AccountPolicy]) {
        self.policies = policies
    }

    /// Evaluates the policies in `attached`, a JSON object that contains the parameters of each policy under the
    /// policy's name.
    ///
    /// Ignores unknown names, because servers attach policies for newer apps. Text that is not a JSON object
    /// attaches no policy, because it contains nothing to enforce and a lock for it would be permanent.
    package func evaluate(_ attached: String?) -> PolicyOutcome {
        let attachments = PolicyAttachments(attached)
        let violated = policies.first { policy in
            attachments[policy.name].map { !policy.isSatisfied(by: $0) } ?? false
        }
        return violated.map { .violation(policy: $0.name) } ?? .comply
    }

    /// Locks or unlocks a credential as its policies require.
    ///
    /// Returns whether the lock changed; if it did, the caller has to store the credential.
    @discardableResult
    package func apply(to credential: inout some AccountBound) -> Bool {
        let settled = settled(credential.account)
        guard credential.account != settled else { return false }
        credential.account = settled
        return true
    }

    /// Returns the profile of an account, locked or unlocked as its policies require.
    package func settled(_ profile: AccountProfile) -> AccountProfile {
        profile.settled(evaluate(profile.policies)) { name in policies.contains { $0.name == name } }
    }
}

extension AccountProfile {
    /// Rejects a registration URI whose policies are not a JSON object; without its policies, the account
    /// would be less protected.
    package func checkPolicies() throws(RegistrationURIError) {
        guard let policies, !policies.isEmpty, !PolicyAttachments(policies).isReadable else { return }
        throw .invalid(parameter: "policies")
    }

    /// Returns the profile, locked or unlocked according to an evaluation of its policies.
    ///
    /// A lock stays if its policy is unknown or not attached, because it cannot be determined whether the device
    /// complies. A lock that names no policy was set by the app; it stays unless a known policy is attached.
    /// - Parameters:
    ///   - outcome: The result of the evaluation.
    ///   - isKnown: Returns whether the policy with the given name is known.
    /// - Returns: The profile.
    package func settled(_ outcome: PolicyOutcome, isKnown: (String) -> Bool) -> AccountProfile {
        var settled = self
        switch outcome {
        case .violation(let policy):
            settled.lockingPolicy = policy
            settled.isLocked = true
        case .comply:
            let names = PolicyAttachments(policies).names
            let isCleared =
                lockingPolicy.map { isKnown($0) && names.contains($0) } ?? names.contains(where: isKnown)
            guard isCleared else { break }
            settled.lockingPolicy = nil
            settled.isLocked = false
        }
        return settled
    }
}

/// The policies that a server attached to an account, with their parameters by name.
package struct PolicyAttachments {
    private let attached: [String: JSONValue]?

    /// Parses the JSON; text that is not an object attaches no policy.
    package init(_ json: String?) {
        if let json, case .object(let members)? = JSONValue(json: Data(json.utf8)) {
            attached = members
        } else {
            attached = nil
        }
    }

    /// Creates the attachments from an app's dictionary, which contains the parameters of each policy under the
    /// policy's name.
    ///
    /// A value that is not JSON counts as `null`, so that its policy is still evaluated.
    ///
    /// The type of the values is `Any`, as in the SDKs' properties from which the app takes them.
    package init(_ parameters: [String: Any]) {
        attached = parameters.mapValues { JSONValue($0) ?? .null }
    }

    /// Whether the text was a JSON object.
    fileprivate var isReadable: Bool { attached != nil }

    /// The names of the policies that the server attached.
    package var names: Set<String> { Set((attached ?? [:]).keys) }

    /// The parameters of a policy; `nil` if the policy is not attached.
    ///
    /// A policy without parameters has the value `null`.
    package subscript(name: String) -> JSONValue? { attached?[name] }
}

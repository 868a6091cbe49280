import Foundation

/// A condition on the device that a server attaches to an account by name.
public protocol AccountPolicy: Sendable {
    /// The name under which servers attach the policy.
    var name: String { get }
    /// Whether the device complies, with the parameters that the server attached.
    func isSatisfied(by parameters: JSONValue) -> Bool
}

/// Demands that the device offers biometric authentication; the policy `biometricAvailable`.
public struct BiometricAvailablePolicy: AccountPolicy {
    /// `biometricAvailable`.
    public let name = "biometricAvailable"
    private let isAvailable: @Sendable () -> Bool

    /// Creates a policy with a probe of the platform.
    /// - Parameter isAvailable: Whether the device offers biometric authentication; called on any thread.
    public init(isAvailable: @escaping @Sendable () -> Bool) {
        self.isAvailable = isAvailable
    }

    /// Whether biometric authentication is available; has no parameters.
    public func isSatisfied(by parameters: JSONValue) -> Bool { isAvailable() }
}

/// Demands that the device was not tampered with; the policy `deviceTampering`.
public struct DeviceTamperingPolicy: AccountPolicy {
    /// The score that counts as tampered where the server names none: 1 for the legacy SDK, 0.8 for its successor.
    public let standardThreshold: Double

    /// `deviceTampering`.
    public let name = "deviceTampering"
    private let score: @Sendable () -> Double

    /// Creates a policy with a probe that scores the device: 0 is intact, 1 is tampered, below 0 is unknown.
    ///
    /// - Parameters:
    ///   - standardThreshold: The score that counts as tampered where the server names none.
    ///   - score: The probe.
    public init(standardThreshold: Double = 1, score: @escaping @Sendable () -> Double) {
        self.standardThreshold = standardThreshold
        self.score = score
    }

    /// Whether the device's score is less than the parameter `score`; a score that is not a number is not.
    public func isSatisfied(by parameters: JSONValue) -> Bool {
        let threshold = parameters["score"].flatMap { $0.double ?? $0.string.flatMap(Double.init) }
        return score() < (threshold ?? standardThreshold)
    }
}

/// The result of an evaluation of the policies of an account.
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

    /// Evaluates the policies attached as JSON: an object with a policy's parameters under its name.
    ///
    /// Ignores unknown names, because servers attach policies for newer apps. Text that is not a JSON object attaches
    /// nothing: it contains no policy to enforce, and locking because of it would lock users out permanently.
    package func evaluate(_ attached: String?) -> PolicyOutcome {
        let attachments = PolicyAttachments(attached)
        let violated = policies.first { policy in
            attachments[policy.name].map { !policy.isSatisfied(by: $0) } ?? false
        }
        return violated.map { .violation(policy: $0.name) } ?? .comply
    }

    /// Locks or unlocks a credential as its policies demand; returns whether that changed it, so that it has to be
    /// stored.
    @discardableResult
    package func apply(to credential: inout some AccountBound) -> Bool {
        let settled = settled(credential.account)
        guard credential.account != settled else { return false }
        credential.account = settled
        return true
    }

    /// The profile of an account, locked or unlocked as its policies demand.
    package func settled(_ profile: AccountProfile) -> AccountProfile {
        profile.settled(evaluate(profile.policies)) { name in policies.contains { $0.name == name } }
    }
}

extension AccountProfile {
    /// Rejects policies of a code that are not a JSON object: to ignore them would weaken the account.
    package func checkPolicies() throws(RegistrationURIError) {
        guard let policies, !policies.isEmpty, !PolicyAttachments(policies).isReadable else { return }
        throw .invalid(parameter: "policies")
    }

    /// The profile, locked or unlocked according to an evaluation of its policies.
    ///
    /// The lock of a policy that is unknown or not attached stays, because its compliance cannot be determined. A lock
    /// without a policy also stays if no known policy is attached, because the app locked the account.
    /// - Parameters:
    ///   - outcome: The result of the evaluation.
    ///   - isKnown: Returns whether the policy with a name is known.
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

/// The policies that a server attached to an account as JSON, with their parameters by name.
package struct PolicyAttachments {
    private let attached: [String: JSONValue]?

    /// Reads the JSON; text that is no object attaches nothing.
    package init(_ json: String?) {
        if let json, case .object(let members)? = JSONValue(json: Data(json.utf8)) {
            attached = members
        } else {
            attached = nil
        }
    }

    /// The parameters by name of policies that an app attached; a value that is not JSON counts as `null`, so that its
    /// policy is still evaluated.
    ///
    /// Untyped like the SDKs' properties, from which the app passes it.
    package init(_ parameters: [String: Any]) {
        attached = parameters.mapValues { JSONValue($0) ?? .null }
    }

    /// Whether the text was an object.
    fileprivate var isReadable: Bool { attached != nil }

    /// The names of the policies that the server attached.
    package var names: Set<String> { Set((attached ?? [:]).keys) }

    /// The parameters of a policy, which may be `null`: one without parameters is attached all the same.
    package subscript(name: String) -> JSONValue? { attached?[name] }
}

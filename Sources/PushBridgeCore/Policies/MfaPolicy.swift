import Foundation

/// A condition on the device that a server attaches to an account by name.
public protocol MfaPolicy: Sendable {
    /// The name under which servers attach the policy.
    var name: String { get }
    /// Whether the device complies, with the parameters that the server attached.
    func isSatisfied(by parameters: JSONValue) -> Bool
}

/// Demands that the device offers biometric authentication; the policy `biometricAvailable`.
public struct BiometricAvailablePolicy: MfaPolicy {
    /// `biometricAvailable`.
    public let name = "biometricAvailable"
    private let isAvailable: @Sendable () -> Bool

    /// Takes the probe that asks the platform.
    public init(isAvailable: @escaping @Sendable () -> Bool) {
        self.isAvailable = isAvailable
    }

    /// Whether biometric authentication is available; takes no parameters.
    public func isSatisfied(by parameters: JSONValue) -> Bool { isAvailable() }
}

/// Demands that the device was not tampered with; the policy `deviceTampering`.
public struct DeviceTamperingPolicy: MfaPolicy {
    /// The score that counts as tampered where the server names none.
    public static let standardThreshold = 1.0

    /// `deviceTampering`.
    public let name = "deviceTampering"
    private let score: @Sendable () -> Double

    /// Takes the probe that scores the device: 0 is sound, 1 is tampered, below 0 is unknown.
    public init(score: @escaping @Sendable () -> Double) {
        self.score = score
    }

    /// Whether the device's score lies below the parameter `score`; a score that is no number does not.
    public func isSatisfied(by parameters: JSONValue) -> Bool {
        score() < (parameters["score"]?.doubleValue ?? Self.standardThreshold)
    }
}

extension JSONValue {
    /// The value of a number, or of text that is one.
    fileprivate var doubleValue: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .string(let text): Double(text)
        default: nil
        }
    }
}

/// Tells whether the device complies with the policies of an account.
public struct MfaPolicyEvaluator: Sendable {
    /// What an evaluation found.
    public enum Outcome: Equatable, Sendable {
        /// The device complies with every policy.
        case comply
        /// The first policy with which the device does not comply.
        case violation(policy: String)
    }

    /// The policies known, in the order of their evaluation.
    public let policies: [any MfaPolicy]

    /// Takes the policies to know.
    public init(policies: [any MfaPolicy]) {
        self.policies = policies
    }

    /// Evaluates the policies attached as JSON: an object with a policy's parameters under its name.
    ///
    /// Names that are not known do not count, as servers attach policies for newer apps. Text that is no JSON
    /// object attaches nothing: it names no policy that could be enforced, and locking on it would lock users
    /// out for good.
    public func evaluate(_ attached: String?) -> Outcome {
        guard let attached, let attachments = JSONValue(json: Data(attached.utf8)) else { return .comply }
        let violated = policies.first { policy in
            attachments.member(policy.name).map { !policy.isSatisfied(by: $0) } ?? false
        }
        return violated.map { .violation(policy: $0.name) } ?? .comply
    }

    /// Locks or unlocks a credential as its policies demand; returns whether that changed it, so that it has to be
    /// stored.
    @discardableResult
    public func apply(to credential: inout some AccountBound) -> Bool {
        let settled = settled(credential.account)
        guard credential.account != settled else { return false }
        credential.account = settled
        return true
    }

    /// Whether the policies of an account demand another lock than it has.
    package func changes(_ profile: AccountProfile) -> Bool {
        // Most accounts have neither policies nor a lock, and lists are long.
        guard profile.policies != nil || profile.lockingPolicy != nil || profile.isLocked else {
            return false
        }
        return settled(profile) != profile
    }

    /// The profile of an account, locked or unlocked as its policies demand.
    ///
    /// The lock of a policy that is not known here stays: nobody can say that the device complies with it.
    public func settled(_ profile: AccountProfile) -> AccountProfile {
        var settled = profile
        switch evaluate(profile.policies) {
        case .violation(let policy):
            settled.lockingPolicy = policy
            settled.isLocked = true
        case .comply:
            guard knows(profile.lockingPolicy) else { break }
            settled.lockingPolicy = nil
            settled.isLocked = false
        }
        return settled
    }

    private func knows(_ policy: String?) -> Bool {
        policy == nil || policies.contains { $0.name == policy }
    }
}

extension JSONValue {
    /// A member of an object, which may be `null`: a policy without parameters is attached all the same.
    fileprivate func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }
}

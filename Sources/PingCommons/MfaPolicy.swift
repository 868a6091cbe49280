public import PushBridgeCore
import PushBridgePlatform

/// A condition on the device that a server attaches to a credential by name.
public protocol MfaPolicy: Sendable, CustomStringConvertible {
    /// The name under which servers attach the policy.
    var name: String { get }

    /// Returns whether the device complies.
    ///
    /// Called from any thread. An error counts as a violation, because compliance is unknown.
    /// - Parameter data: The parameters that the server attached; `nil` if it attached none.
    /// - Returns: Whether the device complies.
    /// - Throws: An error if the policy cannot be evaluated.
    func evaluate(data: [String: Any]?) async throws -> Bool
}

extension MfaPolicy {
    /// The policy's name.
    public var description: String { "MfaPolicy(\(name))" }
}

extension BiometricAvailablePolicy: MfaPolicy {
    /// The name under which servers attach the policy.
    public static let policyName = "biometricAvailable"

    /// Creates the policy.
    public init() {
        self = .ofDevice
    }

    /// Returns whether biometric authentication is available.
    /// - Parameter data: Not used: the policy has no parameters.
    /// - Returns: Whether it is available.
    /// - Throws: Nothing.
    public func evaluate(data: [String: Any]?) async throws -> Bool { isSatisfied(by: .null) }
}

extension DeviceTamperingPolicy: MfaPolicy {
    /// The name under which servers attach the policy.
    public static let policyName = "deviceTampering"

    /// Creates the policy.
    ///
    /// If the server sends no threshold, a score of 0.8 counts as tampered, as in the successor SDK.
    public init() {
        self = .ofDevice(standardThreshold: 0.8)
    }

    /// Returns whether the device's score, 0...1, is below a threshold; an unknown score counts as below it.
    /// - Parameter data: The threshold under `score`; ``standardThreshold`` if there is none.
    /// - Returns: Whether the score is below the threshold.
    /// - Throws: Nothing.
    public func evaluate(data: [String: Any]?) async throws -> Bool {
        isSatisfied(by: data.map { .payload($0) } ?? .null)
    }
}

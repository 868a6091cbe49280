public import PushBridgeCore
import PushBridgePlatform

/// A named condition that a server attaches to a credential and that the device must meet.
public protocol MfaPolicy: Sendable, CustomStringConvertible {
    /// The name by which registration URIs refer to the policy.
    var name: String { get }

    /// Returns whether the device complies with the policy.
    ///
    /// The method is called on any thread. If it throws an error, the policy counts as violated, because it
    /// is not known whether the device complies.
    /// - Parameter data: The parameters that the server attached, or `nil` if it attached no parameters.
    /// - Returns: Whether the device complies.
    /// - Throws: An error if the policy cannot be evaluated.
    func evaluate(data: [String: Any]?) async throws -> Bool
}

extension MfaPolicy {
    /// A description that contains the policy's name.
    public var description: String { "MfaPolicy(\(name))" }
}

extension BiometricAvailablePolicy: MfaPolicy {
    /// The name by which registration URIs refer to the policy.
    public static let policyName = "biometricAvailable"

    /// Creates the policy for this device.
    public init() {
        self = .ofDevice
    }

    /// Returns whether biometric authentication is available.
    /// - Parameter data: Not used, because the policy has no parameters.
    /// - Returns: Whether biometric authentication is available.
    /// - Throws: Nothing.
    public func evaluate(data: [String: Any]?) async throws -> Bool { isSatisfied(by: .null) }
}

extension DeviceTamperingPolicy: MfaPolicy {
    /// The name by which registration URIs refer to the policy.
    public static let policyName = "deviceTampering"

    /// Creates the policy.
    ///
    /// If the server sends no threshold, the threshold is 0.8, as in the successor SDK.
    public init() {
        self = .ofDevice(standardThreshold: 0.8)
    }

    /// Returns whether the device's score, a number from 0 to 1, is below a threshold.
    ///
    /// An unknown score counts as below the threshold.
    /// - Parameter data: A dictionary that contains the threshold under `score`. If it contains no threshold,
    ///   ``standardThreshold`` is used.
    /// - Returns: Whether the score is below the threshold.
    /// - Throws: Nothing.
    public func evaluate(data: [String: Any]?) async throws -> Bool {
        isSatisfied(by: data.map { .payload($0) } ?? .null)
    }
}

public import PushBridgeCore
import PushBridgePlatform

/// A condition on the device that a server attaches to a credential by name.
public protocol MfaPolicy: Sendable, CustomStringConvertible {
    /// The name under which servers attach the policy.
    var name: String { get }

    /// Whether the device complies.
    ///
    /// Called from any thread. An error counts as a violation, because nobody can say that the device complies.
    /// - Parameter data: The parameters that the server attached; `nil` if it attached none.
    /// - Returns: Whether the device complies.
    /// - Throws: Whatever keeps the policy from being evaluated.
    func evaluate(data: [String: Any]?) async throws -> Bool
}

extension MfaPolicy {
    /// The policy's name.
    public var description: String { "MfaPolicy(\(name))" }
}

extension BiometricAvailablePolicy: MfaPolicy {
    /// The name under which servers attach the policy.
    public static let policyName = "biometricAvailable"

    /// Asks this device.
    public init() {
        self = .ofDevice
    }

    /// Whether biometric authentication is available; takes no parameters.
    public func evaluate(data: [String: Any]?) async throws -> Bool { isSatisfied(by: .null) }
}

extension DeviceTamperingPolicy: MfaPolicy {
    /// The name under which servers attach the policy.
    public static let policyName = "deviceTampering"

    /// Whether the device's score lies below the parameter `score`.
    public func evaluate(data: [String: Any]?) async throws -> Bool {
        isSatisfied(by: data.map { .payload($0) } ?? .null)
    }
}

public import Foundation
import PushBridgeCore
import PushBridgePlatform

/// A policy that only some devices can evaluate.
protocol DevicePolicy {
    /// Whether this device can evaluate the policy now; if it cannot, evaluators ignore the policy.
    var isKnown: Bool { get }
}

/// The policy `biometricAvailable`: the device must offer biometric authentication.
///
/// On platforms without local authentication, evaluators ignore this policy.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class BiometricAvailablePolicy: NSObject, FRAPolicy, DevicePolicy {
    /// The policy's name, `biometricAvailable`.
    public var name = "biometricAvailable"
    /// Not used, because the policy has no parameters.
    public var data: Any?
    var isKnown: Bool { OwnerAuthentication.isKnown }

    /// Creates a policy for ``FRAPolicyEvaluator/registerPolicies(policies:shouldOverride:)``.
    override public init() {
        super.init()
    }

    /// Returns whether biometric authentication is available now.
    /// - Returns: Whether biometric authentication is available; `false` on platforms without local
    ///   authentication.
    public func evaluate() -> Bool {
        PushBridgeCore.BiometricAvailablePolicy.ofDevice.isSatisfied(by: .null)
    }
}

/// The policy `deviceTampering`: the device's tampering score must be below the threshold `score`.
///
/// If `FRJailbreakDetector.detectors` is empty, evaluators ignore this policy.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class DeviceTamperingPolicy: NSObject, FRAPolicy, DevicePolicy {
    /// The threshold that applies if the server sent no threshold.
    public static let defaultThresholdScore: Double = 1.0

    /// The policy's name, `deviceTampering`.
    public var name = "deviceTampering"
    /// A dictionary that contains the threshold under `score`; the default threshold is 1.
    public var data: Any?
    var isKnown: Bool { TamperingScore.shared.isKnown }

    /// Creates the policy with the threshold ``defaultThresholdScore``, which a threshold from the server replaces.
    override public init() {
        super.init()
    }

    /// Returns whether the device's score, a number from 0 to 1, is below the threshold.
    /// - Returns: Whether the score is below the threshold; `true` if the score is unknown.
    public func evaluate() -> Bool {
        PushBridgeCore.DeviceTamperingPolicy.ofDevice
            .isSatisfied(by: data.flatMap { JSONValue($0) } ?? .null)
    }
}

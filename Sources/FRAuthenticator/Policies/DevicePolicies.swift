public import Foundation
import PushBridgeCore
import PushBridgePlatform

/// A policy that only some devices can evaluate.
protocol DevicePolicy {
    /// Whether this device can evaluate it now.
    ///
    /// Where it cannot, the policy counts as unknown: it violates nothing and unlocks nothing.
    var isKnown: Bool { get }
}

/// Demands that the device offers biometric authentication; the policy `biometricAvailable`.
///
/// An evaluator leaves it out on platforms without local authentication.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class BiometricAvailablePolicy: NSObject, FRAPolicy, DevicePolicy {
    /// `biometricAvailable`.
    public var name = "biometricAvailable"
    /// Not used: the policy has no parameters.
    public var data: Any?
    var isKnown: Bool { OwnerAuthentication.isKnown }

    /// Asks the platform.
    override public init() {
        super.init()
    }

    /// Whether biometric authentication is available now.
    /// - Returns: Whether it is; `false` without local authentication.
    public func evaluate() -> Bool {
        PushBridgeCore.BiometricAvailablePolicy.ofDevice.isSatisfied(by: .null)
    }
}

/// Demands that the device was not tampered with; the policy `deviceTampering`, with the threshold `score`.
///
/// An evaluator leaves it out where nothing looks for signs of it.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class DeviceTamperingPolicy: NSObject, FRAPolicy, DevicePolicy {
    /// The threshold where the server names none.
    public static let defaultThresholdScore: Double = 1.0

    /// `deviceTampering`.
    public var name = "deviceTampering"
    /// A dictionary with the threshold under `score`; 1 if there is none.
    public var data: Any?
    var isKnown: Bool { TamperingScore.shared.isKnown }

    /// Asks the platform.
    override public init() {
        super.init()
    }

    /// Whether the device's score, 0...1, is below the threshold; an unknown score is.
    /// - Returns: Whether it does.
    public func evaluate() -> Bool {
        PushBridgeCore.DeviceTamperingPolicy.ofDevice
            .isSatisfied(by: data.flatMap { JSONValue($0) } ?? .null)
    }
}

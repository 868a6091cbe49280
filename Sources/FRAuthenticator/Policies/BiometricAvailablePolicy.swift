public import Foundation
import PushBridgeCore
import PushBridgePlatform

/// Demands that the device offers biometric authentication; the policy `biometricAvailable`.
///
/// An evaluator leaves it out where there is no local authentication at all.
public final class BiometricAvailablePolicy: NSObject, FRAPolicy {
    /// `biometricAvailable`.
    public let name = "biometricAvailable"
    /// Not used: the policy has no parameters.
    public var data: Any?

    /// Asks the platform.
    override public init() {
        super.init()
    }

    /// Whether biometric authentication is available now.
    public func evaluate() -> Bool {
        PushBridgeCore.BiometricAvailablePolicy.ofDevice.isSatisfied(by: .null)
    }
}

extension BiometricAvailablePolicy: DevicePolicy {
    var isKnown: Bool { OwnerAuthentication.isKnown }
}

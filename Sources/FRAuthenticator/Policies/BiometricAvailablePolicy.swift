import AuthenticatorCore
public import Foundation

/// Demands that the device offers biometric authentication; the policy `biometricAvailable`.
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
        AuthenticatorCore.BiometricAvailablePolicy { FRAClient.localAuthentication.isAvailable }
            .isSatisfied(by: .null)
    }
}

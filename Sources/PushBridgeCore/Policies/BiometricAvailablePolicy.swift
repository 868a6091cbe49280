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

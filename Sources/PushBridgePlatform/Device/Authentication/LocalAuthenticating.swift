/// Asks the user to prove that it is them, as the platform does it; apps and tests may bring their own.
public protocol LocalAuthenticating: Sendable {
    /// Whether biometric authentication is available now.
    var isAvailable: Bool { get }
    /// Asks, and calls `completion` once, on any thread: with `nil` if the user passed, else with the reason.
    func authenticate(_ prompt: AuthenticationPrompt, completion: @escaping @Sendable ((any Error)?) -> Void)
}

/// What the user is asked.
public struct AuthenticationPrompt: Equatable, Sendable {
    /// The reason shown.
    public let title: String
    /// Whether the device's passcode will do where biometrics do not.
    public let allowsDeviceCredentials: Bool

    /// Creates a prompt.
    public init(title: String, allowsDeviceCredentials: Bool) {
        self.title = title
        self.allowsDeviceCredentials = allowsDeviceCredentials
    }
}

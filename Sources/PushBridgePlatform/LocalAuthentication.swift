public import Foundation
import PushBridgeCore

/// Asks the user to prove that it is them, as the platform does it; apps and tests may bring their own.
public protocol LocalAuthenticating: Sendable {
    /// Whether biometric authentication is available now.
    var isAvailable: Bool { get }
    /// Asks, and calls `completion` once, on any thread: with `nil` if the user passed, else with the reason.
    /// - Parameters:
    ///   - prompt: The text for the user, and whether a passcode will do.
    ///   - completion: Called once with the outcome.
    func authenticate(_ prompt: AuthenticationPrompt, completion: @escaping @Sendable ((any Error)?) -> Void)
}

/// The question to the user.
public struct AuthenticationPrompt: Equatable, Sendable {
    /// The reason shown.
    public let title: String
    /// Whether the device's passcode will do where biometrics do not.
    public let allowsDeviceCredentials: Bool

    /// Creates a prompt.
    ///
    /// - Parameters:
    ///   - title: The reason that the system shows to the user.
    ///   - allowsDeviceCredentials: Whether the device's passcode is accepted instead of biometrics.
    public init(title: String, allowsDeviceCredentials: Bool) {
        self.title = title
        self.allowsDeviceCredentials = allowsDeviceCredentials
    }
}

/// The local authentication of a platform that has none: it always fails.
struct NoLocalAuthentication: LocalAuthenticating {
    var isAvailable: Bool { false }

    func authenticate(
        _ prompt: AuthenticationPrompt,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completion(LocalAuthenticationUnavailable())
    }
}

/// The platform offers no local authentication.
public struct LocalAuthenticationUnavailable: LocalizedError, Equatable {
    /// One sentence for a human.
    public var errorDescription: String? { "Local authentication is not available on this device." }
}

/// What asks the user in all APIs of this process: the platform's, unless an app brings its own.
package enum OwnerAuthentication {
    private static let held = Lock<any LocalAuthenticating>(DeviceAuthentication())

    package static var current: any LocalAuthenticating {
        get { held.withValue { $0 } }
        set { held.withValue { $0 = newValue } }
    }

    /// Whether the platform can report if biometric authentication is available.
    package static var isKnown: Bool { !(current is NoLocalAuthentication) }
}

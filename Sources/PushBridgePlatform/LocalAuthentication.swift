public import Foundation
import PushBridgeCore

/// Authenticates the device's owner; apps and tests can provide their own implementation.
public protocol LocalAuthenticating: Sendable {
    /// Whether biometric authentication is available now.
    var isAvailable: Bool { get }
    /// Authenticates the user.
    /// - Parameters:
    ///   - prompt: The text for the user, and whether a passcode is accepted.
    ///   - completion: Called once, on any thread: with `nil` after success, otherwise with the reason for the failure.
    func authenticate(_ prompt: AuthenticationPrompt, completion: @escaping @Sendable ((any Error)?) -> Void)
}

/// The text and the options of an authentication.
public struct AuthenticationPrompt: Equatable, Sendable {
    /// The reason that the system shows to the user.
    public let title: String
    /// Whether the device's passcode is accepted instead of biometrics.
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

/// The implementation for platforms without local authentication; it always fails.
struct NoLocalAuthentication: LocalAuthenticating {
    var isAvailable: Bool { false }

    func authenticate(
        _ prompt: AuthenticationPrompt,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completion(LocalAuthenticationUnavailable())
    }
}

/// The error on a platform without local authentication.
public struct LocalAuthenticationUnavailable: LocalizedError, Equatable {
    /// One sentence for a person.
    public var errorDescription: String? { "Local authentication is not available on this device." }
}

/// The local authentication of all APIs in this process: the platform's implementation, unless an app
/// provides its own.
package enum OwnerAuthentication {
    private static let held = Lock<any LocalAuthenticating>(DeviceAuthentication())

    package static var current: any LocalAuthenticating {
        get { held.withValue { $0 } }
        set { held.withValue { $0 = newValue } }
    }

    /// Whether the platform or the app's own implementation can report the availability of biometric
    /// authentication.
    package static var isKnown: Bool { !(current is NoLocalAuthentication) }
}

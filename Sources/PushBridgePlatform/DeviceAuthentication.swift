#if canImport(LocalAuthentication)
import PushBridgeCore
import Foundation
import LocalAuthentication

/// Authenticates the owner with Face ID, Touch ID or, if permitted, the device's passcode.
struct DeviceAuthentication: LocalAuthenticating {
    var isAvailable: Bool {
        LAContext().canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
    }

    func authenticate(
        _ prompt: AuthenticationPrompt,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let policy: LAPolicy =
            prompt.allowsDeviceCredentials
            ? .deviceOwnerAuthentication : .deviceOwnerAuthenticationWithBiometrics
        let held = Lock(LAContext())
        held.withValue { context in
            context.evaluatePolicy(policy, localizedReason: Self.reason(prompt)) { passed, error in
                // If the context were released, the authentication would be cancelled.
                withExtendedLifetime(held) {
                    completion(passed ? nil : error ?? LocalAuthenticationUnavailable())
                }
            }
        }
    }

    /// Returns the reason that the prompt shows; never empty, because the system raises an exception for empty text.
    private static func reason(_ prompt: AuthenticationPrompt) -> String {
        prompt.title.isEmpty ? ProcessInfo.processInfo.processName : prompt.title
    }
}
#else
typealias DeviceAuthentication = NoLocalAuthentication
#endif
